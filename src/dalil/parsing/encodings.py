"""Bytes to text, when nobody says for certain how it was encoded."""

from __future__ import annotations

import codecs
import re

from dalil.parsing.alphabets import arabic_encoding, latin_encoding

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 64 * 1024
# Wide encodings are told by their bytes; the others are notations, not encodings of documents.
_NO_DOCUMENT = (
    "utf-16",
    "utf-32",
    "unicode",
    "raw-unicode",
    "raw_unicode",
    "idna",
    "punycode",
    "undefined",
    "mbcs",
    "oem",
)
_ANYTHING_FITS = ("iso8859-1", "latin-1", "ascii", "cp1252")
_LEAST_NULS = 0.01
_EAST_ASIAN = re.compile("[\t\n\r -~\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]")
_LEAST_EAST_ASIAN = 0.9
_TOLERATED_DAMAGE = 0.2


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
    if b"\x1b" in data and (_codec(declared) or "").startswith("iso2022"):
        return data.decode(_codec(declared) or "ascii", "replace")
    text = _strictly(data, "utf-8")
    if text is None:
        text = _as_declared(data, declared)
    return text if text is not None else _damaged_utf8(data) or _detected(data)


def unmarked_utf16(data: bytes) -> str | None:
    """The byte order of UTF-16 text that has no mark, or None.

    In UTF-16 one byte of each pair is the script's number: 0 for Latin, spaces and digits, 6 for Arabic. So one
    half of the bytes holds almost only these two and the other half hardly ever does.
    """
    sample = data[: _SAMPLE_BYTES & ~1]
    if len(sample) < 4 or len(data) % 2 or (b"\0" not in sample and b"\6" not in sample):
        return None
    shares = [_script_share(sample[parity::2]) for parity in (0, 1)]
    if shares[0] > 0.8 and shares[1] < 0.2:
        return "utf-16-be"
    if shares[1] > 0.8 and shares[0] < 0.2:
        return "utf-16-le"
    if sample.count(0) < _LEAST_NULS * len(sample):
        return None
    for order in ("utf-16-le", "utf-16-be"):
        if _east_asian_share(sample, order) > _LEAST_EAST_ASIAN:
            return order
    return None


def _east_asian_share(sample: bytes, order: str) -> float:
    """The share of characters that East Asian texts consist of."""
    text = sample.decode(order, "replace")
    return len(_EAST_ASIAN.findall(text)) / len(text)


def _script_share(half: bytes) -> float:
    return (half.count(0) + half.count(6)) / len(half)


def _as_declared(data: bytes, declared: str | None) -> str | None:
    """The text in the encoding that somebody named, if it is one and every byte fits it."""
    encoding = _codec(declared)
    if encoding is None:
        return None
    if encoding in _ANYTHING_FITS:
        # Programs name Latin-1 when they do not know, and every byte fits it. Arabic words prove them wrong.
        encoding = arabic_encoding(data[:_SAMPLE_BYTES]) or "cp1252"
    return _strictly(data, encoding)


def _codec(declared: str | None) -> str | None:
    """Python's name of a declared encoding; None for what is unknown, or never the encoding of a document."""
    try:
        name = codecs.lookup((declared or "").strip()).name
    except (LookupError, ValueError):
        return None
    return None if name.startswith(_NO_DOCUMENT) else name


def _strictly(data: bytes, encoding: str) -> str | None:
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
    sample = data[:_SAMPLE_BYTES]
    encoding = arabic_encoding(sample) or latin_encoding(sample)
    if encoding is None:
        from charset_normalizer import from_bytes

        best = from_bytes(sample).best()
        encoding = best.encoding if best else "cp1252"
    return data.decode(encoding, "replace")
