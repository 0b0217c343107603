"""How the data files are written: named sections in a fixed order, deflated as one stream."""

import struct
import unicodedata
import zlib


def planes(values, width):
    """Numbers as byte planes, lowest byte first: equal high bytes lie together and pack well."""
    values = list(values)
    assert all(0 <= value < 256**width for value in values), "a number does not fit its column"
    return b"".join(bytes((value >> (8 * plane)) & 255 for value in values) for plane in range(width))


def lines(texts):
    """Texts, one a line."""
    texts = list(texts)
    assert not any("\n" in text for text in texts)
    return "\n".join(texts).encode()


def varints(values):
    """Signed numbers, zigzag, seven bits a byte."""
    out = bytearray()
    for value in values:
        value = value * 2 if value >= 0 else -value * 2 - 1
        while value >= 128:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out)


def write(path, sections):
    """The length of it all, then the sections, each behind its length, deflated with zlib's highest level."""
    raw = b"".join(struct.pack("<I", len(section)) + section for section in sections)
    path.write_bytes(struct.pack("<I", len(raw)) + zlib.compress(raw, 9))
    print(f"{path.name}: {len(raw):,} bytes, {path.stat().st_size:,} packed")


SPECIAL = str.maketrans({"ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "đ": "d", "ı": "i", "þ": "th", "ð": "d"})


SHORT_FORMS = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount", "twp": "township"}
APOSTROPHES = str.maketrans("", "", "'’‘ʼʻ`´")


def fold(text):
    """What fold.rs does. Only an order follows from it, so a difference would cost time, never an answer."""
    text = unicodedata.normalize("NFKD", text.lower().translate(APOSTROPHES)).translate(SPECIAL)
    text = "".join(c for c in text if not unicodedata.category(c).startswith("M"))
    words = "".join(c if c.isalnum() else " " for c in text).split()
    return "".join(SHORT_FORMS.get(word, word) for word in words)


def coordinate(degrees, least):
    """Ten-thousandths of a degree above the least possible value: eleven metres."""
    return round((degrees - least) * 10_000)
