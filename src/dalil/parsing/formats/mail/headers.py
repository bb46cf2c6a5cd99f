"""Header fields of messages, decoded."""

from __future__ import annotations

from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from dalil.parsing.characters import one_line
from dalil.parsing.encodings import decode
from dalil.parsing.formats.mail.letter import FIELDS

_LONGEST = 20_000


def fields_of(message: Message) -> dict[str, str]:
    """The fields that tell who wrote to whom, when and about what."""
    found: dict[str, str] = {}
    for name in FIELDS:
        values = [decoded(str(value)) for value in message.get_all(name, [])]
        text = one_line(", ".join(value for value in values if value))
        if text:
            found[name] = text
    return found


def decode_bare_bytes(message: Message) -> None:
    """Rewrites the fields that hold bytes instead of characters, which is forbidden and common."""
    for name, value in list(message.raw_items()):
        raw = str(value)
        if not raw.isascii():
            message.replace_header(name, decode(raw.encode("utf-8", "surrogateescape")))


def decoded(raw: str) -> str:
    """A field's text with its encoded words decoded. What cannot be decoded stays as it is."""
    raw = raw[:_LONGEST]
    if "=?" not in raw:
        return one_line(raw)
    try:
        parts = decode_header(raw)
    except (HeaderParseError, ValueError):
        return one_line(raw)
    text = ""
    for part, charset in parts:
        text += part if isinstance(part, str) else decode(part, charset) if charset else part.decode("latin-1")
    return one_line(text)


def file_name(message: Message) -> str:
    """The name of an attached file; an empty string where it has none."""
    try:
        return decoded(message.get_filename("") or "")
    except (ValueError, TypeError, LookupError):
        # Broken continuations and character sets of the parameter.
        return ""
