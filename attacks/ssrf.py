"""Server-side request forgery: websites that try to make the reader request addresses that are not public.

Runs a real search over imported businesses, in a network namespace where every address answers. Each website tries one
form of a private address in one way. A breach is a connection to any address that is not one of the public websites.
"""

import csv
import ipaddress
import json
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from forms import PRIVATE_V4, PRIVATE_V6, all_forms
from network import Internet, Resolver
from report import Report

REDIRECTS = [301, 302, 303, 307, 308]
# Ways in which a website can name an address that is then requested by itself.
CHANNELS = [
    "redirect", "contact redirect", "robots redirect", "robots sitemap", "base", "refresh tag", "refresh header", "links",
    "frames", "canonical", "script", "tag manager",
]
CONTROLS = 40
# A part of Austin, in steps of about 100 m, so that no two businesses are taken for one.
ORIGIN, STEP = (30.20, -97.80), 0.001
SEARCH_SECONDS_MAX = 900


@dataclass(frozen=True)
class Site:
    """One website, at a public address of its own."""

    number: int
    channel: str
    form: str
    # What its name resolves to, by the number of times it was asked for; the last answer is repeated.
    answers: tuple[tuple[str, ...], ...] = ()

    @property
    def domain(self) -> str:
        return f"attack-{self.number}-dental.com"

    @property
    def address(self) -> str:
        return str(ipaddress.IPv4Address("45.64.0.1") + self.number)

    @property
    def website(self) -> str:
        return self.form if self.channel == "direct" else f"http://{self.domain}/"

    def resolve(self, times: int) -> list[str]:
        if not self.answers:
            return [self.address]
        return [answer.replace("OWN", self.address) for answer in self.answers[min(times, len(self.answers)) - 1]]


def plan() -> list[Site]:
    """All websites: controls, every form directly and in two more ways, and names that resolve to private addresses."""
    sites: list[Site] = []

    def add(channel: str, form: str = "", answers: tuple[tuple[str, ...], ...] = ()) -> None:
        sites.append(Site(len(sites), channel, form, answers))

    for _ in range(CONTROLS):
        add("control")
    for number, form in enumerate(all_forms()):
        add("direct", form)
        add("redirect", form)
        add(CHANNELS[number % len(CHANNELS)], form)
    for address in PRIVATE_V4 + PRIVATE_V6:
        add("resolves", answers=((address,),))
        add("resolves to both", answers=((address, "OWN"),))
        add("rebinds", answers=(("OWN",), (address,)))
    for name in ("localhost", "metadata.google.internal", "ip6-localhost"):
        add("alias", answers=((name,),))
    return sites


def _respond(site: Site, path: str) -> bytes:
    status, headers = "200 OK", ["Content-Type: text/html; charset=utf-8"]
    contact = "<a href='/contact'>Contact us</a> <a href='/about'>About our team</a>"
    body = f"<h1>Dental {site.number}</h1><p>info@{site.domain}</p>{contact}"
    redirect = f"{REDIRECTS[site.number % len(REDIRECTS)]} Moved"
    form = site.form
    if path == "/robots.txt":
        headers = ["Content-Type: text/plain"]
        body = "User-agent: *\nAllow: /\n"
        if site.channel == "robots sitemap":
            body += f"Sitemap: {form}\n"
    if (site.channel, path) in (("redirect", "/"), ("contact redirect", "/contact"), ("robots redirect", "/robots.txt")):
        status = redirect
        headers.append(f"Location: {form}")
    elif path == "/":
        match site.channel:
            case "base":
                body = f"<base href='{form}'>{contact}<a href='contact.html'>Contact</a>"
            case "refresh tag":
                body = f"<meta http-equiv='refresh' content='0; url={form}'>"
            case "refresh header":
                headers.append(f"Refresh: 0; url={form}")
            case "links":
                body += f"<a href='{form}'>Contact</a><a href='{form}contact'>Impressum</a><a href='{form}team'>Our team</a>"
            case "frames":
                body = f"<frameset><frame src='{form}'></frameset><iframe src='{form}'></iframe>"
            case "canonical":
                body += f"<link rel='canonical' href='{form}'><link rel='alternate' hreflang='en' href='{form}'>"
            case "script":
                body += f"<script src='{form}'></script><img src='{form}'><object data='{form}'></object>"
            case "tag manager":
                container = f"GTM-A{site.number:05d}"
                body += f"<script src='https://www.googletagmanager.com/gtm.js?id={container}'></script>"
    encoded = body.encode()
    # A header line must not be ended by what a form contains.
    lines = [line.replace("\r", "").replace("\n", "").replace("\t", "%09") for line in headers]
    head = f"HTTP/1.1 {status}\r\n" + "\r\n".join(lines) + f"\r\nContent-Length: {len(encoded)}\r\nConnection: close\r\n\r\n"
    return head.encode("utf-8") + encoded


def _search(binary: Path, folder: Path, sites: list[Site]) -> list[dict]:
    """Imports the businesses and searches them as an operator would. Returns the leads."""
    with open(folder / "businesses.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "name", "category", "latitude", "longitude", "website"])
        for site in sites:
            row, column = divmod(site.number, 60)
            name = f"{site.domain.removesuffix('.com')} {site.number}"
            writer.writerow([site.number, name, "dentist", ORIGIN[0] + row * STEP, ORIGIN[1] + column * STEP, site.website])
    settings = {"CANVASS_DATA": str(folder), "CANVASS_SOURCE": "csv", "CANVASS_CONTACT_URL": "https://www.example.com/bot"}
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), **settings}
    run = {"cwd": folder, "env": environment, "check": True, "timeout": SEARCH_SECONDS_MAX, "stdout": subprocess.PIPE}
    subprocess.run([binary, "places", "import", "csv", "businesses.csv", "--json"], stderr=subprocess.DEVNULL, **run)
    leads: list[dict] = []
    for part in range(0, len(sites), 2_500):
        command = [binary, "find", "dentist", "30.25,-97.77", "--radius", "25", "-n", "2500", "--json"]
        found = subprocess.run(command + (["--skip-owned"] if part else []), stderr=subprocess.DEVNULL, **run)
        leads += json.loads(found.stdout)["leads"]
    return leads


def attack(binary: Path, report: Report) -> None:
    """Runs the search and judges it by the connections that were made."""
    sites = plan()
    by_domain = {site.domain: site for site in sites}
    by_address = {site.address: site for site in sites}
    tag_manager = "45.127.0.1"

    def answer(name: str, times: int) -> list[str]:
        if name == "www.googletagmanager.com":
            return [tag_manager] if times % 2 else ["169.254.169.254", "::1"]
        site = by_domain.get(name.removeprefix("www."))
        return site.resolve(times) if site else ["45.127.0.2"] if name.endswith(".com") else ["127.0.0.1", "::1"]

    def respond(address: str, request: str) -> bytes:
        site = by_address.get(address)
        path = request.split(" ")[1] if request.count(" ") > 1 else "/"
        return _respond(site, path) if site else b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret"

    Resolver(answer).start()
    internet = Internet(respond)
    internet.start()
    with tempfile.TemporaryDirectory() as folder:
        leads = _search(binary, Path(folder), sites)
    public = set(by_address) | {tag_manager, "45.127.0.2"}
    made = [connection for connection in internet.connections if connection[0] not in public]
    for address, port in made:
        report.breach("ssrf", f"a connection to {address} port {port}")
    visited = {address for address, _ in internet.connections}
    tried = Counter(site.channel for site in sites if site.address in visited or not _expects_visit(site))
    report.attempts("ssrf", len(sites))
    _check_that_breaches_are_seen(binary, internet, report)
    _check_controls(sites, leads, tried, report)
    report.detail("ssrf", {"forms": len(all_forms()), "connections": len(internet.connections), "by way": dict(tried)})


def _check_that_breaches_are_seen(binary: Path, internet: Internet, report: Report) -> None:
    """With an exception to the guard, the reader's own connection to a private address must be noticed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": "/usr/bin:/bin", "CANVASS_DATA": folder, "CANVASS_ALLOW_ADDRESSES": "127.0.0.1:80"}
        command = [binary, "read", "http://127.0.0.1/", "--json"]
        subprocess.run(command, cwd=folder, env=environment, timeout=60, capture_output=True)
    if ("127.0.0.1", 80) not in internet.connections:
        report.breach("ssrf", "a connection that was allowed was not noticed: the test shows nothing")


def _expects_visit(site: Site) -> bool:
    """Whether the attack can only be tried once the website itself was visited."""
    return site.channel not in ("direct", "resolves", "resolves to both", "alias")


def _check_controls(sites: list[Site], leads: list[dict], tried: Counter, report: Report) -> None:
    """Harmless websites must be read and hostile ones visited; otherwise nothing was shown."""
    read = [lead for lead in leads if lead.get("website_status") == "ok" or lead.get("emails")]
    if len(read) < CONTROLS:
        report.breach("ssrf", f"only {len(read)} websites could be read, of which {CONTROLS} are harmless: the test shows nothing")
    for channel, count in Counter(site.channel for site in sites).items():
        if tried[channel] < count:
            report.breach("ssrf", f"{channel}: only {tried[channel]} of {count} websites were visited: the test shows too little")
