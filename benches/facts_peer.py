#!/usr/bin/env python3
"""What a Python crawler usually does with a page, timed on one core: selectolax for links, text, scripts and meta tags,
regular expressions for emails and phones, the standard library's JSON for JSON-LD, substrings for technology.

    pip install selectolax
    python3 benches/facts_peer.py FOLDER [SECONDS]      pages as .html or .html.gz

Compare with: cargo run --release -p page-facts --example throughput -- FOLDER
"""

import gzip
import json
import pathlib
import re
import sys
import time
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}")
PHONE = re.compile(r"(?<!\d)(?:\+?1[\s.-]?)?\(?[2-9]\d{2}\)?[\s.-]?[2-9]\d{2}[\s.-]?\d{4}(?!\d)")
OWNER = re.compile(r"(?:[Oo]wner|[Ff]ounder|[Ff]ounded by|CEO)[:,]?\s+([A-Z][a-z]+ [A-Z][a-z]+)")
SOCIAL = ("facebook.com/", "instagram.com/", "linkedin.com/", "twitter.com/", "x.com/", "youtube.com/", "tiktok.com/", "yelp.com/")
TECHNOLOGY = (
    "wp-content", "static.wixstatic.com", "static1.squarespace.com", "cdn.shopify.com", "data-wf-site", "img1.wsimg.com", "editmysite.com",
    "cdn-website.com", "joomla", "drupal", "hs-scripts.com", "framerusercontent.com", "woocommerce", "bigcommerce.com", "calendly.com",
    "acuityscheduling.com", "vagaro.com", "mindbodyonline.com", "opentable.com", "resy.com", "squareup.com/appointments", "fresha.com",
    "housecallpro.com", "getjobber.com", "toasttab.com", "chownow.com", "slicelife.com", "order.online", "widget.intercom.io",
    "embed.tawk.to", "code.tidio.co", "livechatinc.com", "client.crisp.chat", "zdassets.com", "fbq(", "connect.facebook.net",
    "analytics.tiktok.com", "snap.licdn.com", "bat.bing.com", "s.pinimg.com/ct", "sc-static.net", "ads-twitter.com", "redditstatic.com/ads",
    "googletagmanager.com", "google-analytics.com", "static.hotjar.com", "clarity.ms",
)


def decode_cloudflare(code):
    key = int(code[:2], 16)
    return "".join(chr(int(code[i:i + 2], 16) ^ key) for i in range(2, len(code) - 1, 2))


def facts(body):
    html = body.decode("utf-8", "replace")
    tree = LexborHTMLParser(html)
    emails, phones, socials, structured = set(), set(), set(), []
    for link in tree.css("a[href]"):
        href = link.attributes.get("href") or ""
        if href.startswith("mailto:"):
            emails.update(EMAIL.findall(unquote(href)))
        elif href.startswith("tel:"):
            phones.add(href[4:])
        elif any(host in href for host in SOCIAL) and "share" not in href:
            socials.add(href)
    for node in tree.css("[data-cfemail]"):
        try:
            emails.add(decode_cloudflare(node.attributes["data-cfemail"]))
        except ValueError:
            pass
    for script in tree.css('script[type="application/ld+json"]'):
        try:
            structured.append(json.loads(script.text()))
        except ValueError:
            pass
    meta = {node.attributes.get("name"): node.attributes.get("content") for node in tree.css("meta[name]")}
    technology = [mark for mark in TECHNOLOGY if mark in html]
    tree.strip_tags(["script", "style", "noscript", "template", "svg"])
    text = tree.body.text(separator="\n") if tree.body else ""
    emails.update(EMAIL.findall(text))
    phones.update(PHONE.findall(text))
    return emails, phones, socials, structured, meta, technology, OWNER.findall(text), text


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    pages = []
    for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        if path.suffix == ".gz":
            pages.append(gzip.decompress(path.read_bytes()))
        elif path.suffix in (".html", ".htm"):
            pages.append(path.read_bytes())
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    start, done = time.process_time(), 0
    while time.process_time() - start < seconds:
        for page in pages:
            facts(page)
            done += len(page)
    speed = done / 1e6 / (time.process_time() - start)
    print(f"python peer (selectolax + re)        {len(pages):>4} pages {sum(map(len, pages)) / 1e6:>7.1f} MB   facts {speed:>7.1f} MB/s")


if __name__ == "__main__":
    main()
