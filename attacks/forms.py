"""Spellings of addresses that must never be requested: private, reserved and loopback ones, and names that stand for them."""

import ipaddress
from collections.abc import Iterator

PRIVATE_V4 = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.254", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.0.0.53",
    "127.255.255.254", "168.63.129.16", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.254",
    "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.254", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
]
PRIVATE_V6 = [
    "::", "::1", "::7f00:1", "::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "100::1",
    "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::", "2002:a00:1::1", "3fff::1", "fc00::1",
    "fd00:ec2::254", "fd12:3456:789a::1", "fe80::1", "fec0::1", "ff02::1",
]
PRIVATE_NAMES = [
    "localhost", "LOCALHOST", "localhost.", "localhost..", "a.localhost", "localhost.localdomain", "ip6-localhost",
    "metadata", "metadata.google.internal", "metadata.google.internal.", "instance-data", "kubernetes.default.svc",
    "router.local", "nas.lan", "printer.home", "intranet.corp", "db.internal", "wiki.intranet", "1.0.0.127.in-addr.arpa",
    "hidden.onion", "host.docker.internal", "x.invalid", "x.test", "x.example", "vault.private",
]
PORTS = [22, 25, 2375, 3306, 5432, 6379, 8500, 9200, 10250, 11211, 27017]


def _v4_spellings(address: str) -> Iterator[str]:
    octets = [int(part) for part in address.split(".")]
    number = int(ipaddress.IPv4Address(address))
    yield address
    yield f"{address}."
    yield f"{address}.."
    yield str(number)
    yield hex(number)
    yield f"0{number:o}"
    yield ".".join(f"0x{octet:02x}" for octet in octets)
    yield ".".join(f"0{octet:o}" for octet in octets)
    yield f"{octets[0]}.{number & 0xFFFFFF}"
    yield f"{octets[0]}.{octets[1]}.{number & 0xFFFF}"
    yield f"0x{octets[0]:x}.{octets[1]}.0{octets[2]:o}.{octets[3]}"
    yield f"[::ffff:{address}]"
    yield f"[::ffff:{octets[0]:x}{octets[1]:02x}:{octets[2]:x}{octets[3]:02x}]"
    # Digits of other scripts, and dots of other scripts, which URL parsers fold to ASCII.
    yield address.translate({ord("0") + digit: 0xFF10 + digit for digit in range(10)})
    yield address.replace(".", "。")
    yield f"%{ord(address[0]):02x}{address[1:]}"


def _v6_spellings(address: str) -> Iterator[str]:
    yield f"[{address}]"
    yield f"[{ipaddress.IPv6Address(address).exploded}]"
    yield f"[{ipaddress.IPv6Address(address).exploded.upper()}]"


def all_forms() -> list[str]:
    """Every form as a URL, each once."""
    hosts = [spelling for address in PRIVATE_V4 for spelling in _v4_spellings(address)]
    hosts += [spelling for address in PRIVATE_V6 for spelling in _v6_spellings(address)]
    hosts += PRIVATE_NAMES
    urls = [f"http://{host}/" for host in hosts]
    urls += [f"http://{address}:{port}/" for address in ("127.0.0.1", "10.0.0.1") for port in PORTS]
    urls += [f"http://public.attacks-control.com:{port}/" for port in PORTS]
    urls += [f"https://{address}/latest/meta-data/" for address in PRIVATE_V4]
    for host in ("127.0.0.1", "169.254.169.254", "localhost", "[::1]"):
        urls += [
            f"http://www.example.com@{host}/", f"http://www.example.com:80@{host}:80/", f"http://{host}#@www.example.com/",
            f"http://{host}?www.example.com", f"http:\\\\{host}\\", f"http:/{host}/", f"//{host}/", f"hTTp://{host}/",
            f"http://{host}:080/", f"http://{host}:/", f"ht\ttp://{host}/", f"http://{host}\\@www.example.com/",
        ]
    urls += [
        "file:///etc/passwd", "file://localhost/etc/passwd", "gopher://127.0.0.1:6379/_INFO", "ftp://127.0.0.1/",
        "dict://127.0.0.1:11211/stats", "ws://127.0.0.1/", "jar:http://127.0.0.1!/", "data:text/html,<p>x",
        "javascript:fetch('http://127.0.0.1/')", "view-source:http://127.0.0.1/", "unix:/run/docker.sock",
    ]
    return list(dict.fromkeys(urls))
