"""Bytes to text, when nobody says for certain how it was encoded."""

from __future__ import annotations

import codecs

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 64 * 1024
_TOLERATED_DAMAGE = 0.2
_ARABIC = ("cp1256", "iso8859_6")
_FREQUENT_LETTERS = "اليمونترب"


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of `data`: by its byte order mark, as strict UTF-8, as declared if that decodes, or as detected.

    A declaration that does not decode is ignored. UTF-8 with a few damaged bytes stays UTF-8: the damage becomes
    U+FFFD rather than turning the whole text into another alphabet.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    wide = unmarked_utf16(data)
    if wide:
        return data.decode(wide, "replace")
    for candidate in ("utf-8", declared):
        text = _strictly(data, candidate)
        if text is not None:
            return text
    return _damaged_utf8(data) or _detected(data)


def unmarked_utf16(data: bytes) -> str | None:
    """The byte order of UTF-16 text that has no mark, or None.

    In UTF-16 one byte of each pair is the script's number: 0 for Latin, spaces and digits, 6 for Arabic. So one
    half of the bytes holds almost only these two and the other half hardly ever does.
    """
    sample = data[: _SAMPLE_BYTES & ~1]
    if len(sample) < 4 or len(data) % 2 or b"\0" not in sample:
        return None
    shares = [_script_share(sample[parity::2]) for parity in (0, 1)]
    if shares[0] > 0.8 and shares[1] < 0.2:
        return "utf-16-be"
    if shares[1] > 0.8 and shares[0] < 0.2:
        return "utf-16-le"
    return None


def _script_share(half: bytes) -> float:
    return (half.count(0) + half.count(6)) / len(half)


def _strictly(data: bytes, encoding: str | None) -> str | None:
    if not encoding:
        return None
    try:
        return data.decode(encoding, "strict")
    except (UnicodeDecodeError, LookupError, ValueError):
        return None


def _damaged_utf8(data: bytes) -> str | None:
    """UTF-8 in spite of a few bad bytes. Lone surrogates that a program wrote out count as characters."""
    text = data.decode("utf-8", "surrogatepass") if _has_surrogates(data) else data.decode("utf-8", "replace")
    foreign = sum(1 for char in text if char > "\x7f")
    return text if text.count("\ufffd") <= _TOLERATED_DAMAGE * foreign else None


def _has_surrogates(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _detected(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE_BYTES]).best()
    encoding = best.encoding if best else "cp1252"
    if encoding in _ARABIC:
        encoding = max(_ARABIC, key=lambda name: _arabic_score(data, name))
    return data.decode(encoding, "replace")


def _arabic_score(data: bytes, encoding: str) -> int:
    """How Arabic the bytes look: its most frequent letters, undecodable bytes against it.

    The two encodings share most of their range, so short texts fool a general detector.
    """
    text = data[:_SAMPLE_BYTES].decode(encoding, "replace")
    return sum(text.count(letter) for letter in _FREQUENT_LETTERS) - 3 * text.count("\ufffd")
