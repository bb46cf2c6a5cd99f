"""Walking the parts of a message."""

from __future__ import annotations

import re
from email.message import Message

from dalil.parsing.encodings import decode
from dalil.parsing.formats.html import decode_html
from dalil.parsing.formats.mail.headers import decode_bare_bytes, fields_of, file_name
from dalil.parsing.formats.mail.letter import Letter

_LOCKED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")
_REPORTS = ("message/delivery-status", "message/disposition-notification", "text/rfc822-headers")
_SOFT_BREAK = re.compile(r"(?<=[^\n]) \n(?!-- \n)(?=[^\n>])")


def add_message(message: Message, letter: Letter, depth: int = 0) -> None:
    """A message and everything inside it. Messages inside it are read in place, to the depth that the limits allow."""
    decode_bare_bytes(message)
    letter.add_fields(fields_of(message), inner=depth > 0)
    _add_part(message, letter, depth)


def _add_part(part: Message, letter: Letter, depth: int) -> None:
    decode_bare_bytes(part)
    kind = part.get_content_type()
    if kind in _LOCKED and (part.get_param("smime-type") or "enveloped-data") != "signed-data":
        letter.locked = True
    elif kind == "message/rfc822" and part.is_multipart():
        _add_inner(part, letter, depth)
    elif kind == "multipart/alternative":
        _add_best(part, letter, depth)
    elif part.is_multipart():
        for inner in _children(part):
            _add_part(inner, letter, depth)
    elif kind not in _SIGNATURES:
        _add_leaf(part, kind, letter)


def _add_inner(part: Message, letter: Letter, depth: int) -> None:
    for inner in _children(part):
        if depth < letter.limits.attachment_depth:
            add_message(inner, letter, depth + 1)
        else:
            letter.attach(file_name(part) or "message.eml", _source_of(inner), "message/rfc822")


def _add_best(part: Message, letter: Letter, depth: int) -> None:
    """The richest of several forms of the same text that shows anything: HTML before plain text.

    What stands beside them, such as an invitation, is kept.
    """
    texts = [inner for inner in _children(part) if _form(inner)]
    shown = False
    for inner in sorted(texts, key=_form, reverse=True):
        if not shown:
            before = len(letter.body)
            _add_part(inner, letter, depth)
            shown = len(letter.body) > before
    for inner in _children(part):
        if not _form(inner):
            _add_part(inner, letter, depth)


def _form(part: Message) -> int:
    """How rich a form of a text is; 0 for what is none."""
    if part.get_content_disposition() == "attachment":
        return 0
    kinds = [inner.get_content_type() for inner in part.walk()] if part.is_multipart() else [part.get_content_type()]
    return 2 if "text/html" in kinds else 1 if "text/plain" in kinds else 0


def _add_leaf(part: Message, kind: str, letter: Letter) -> None:
    name = file_name(part)
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return
    attached = part.get_content_disposition() == "attachment" or bool(name)
    if kind == "text/html" and not attached:
        letter.add_html(decode_html(content, _charset(part)))
    elif (kind == "text/plain" and not attached) or kind in _REPORTS:
        text = decode(content, _charset(part))
        letter.add_plain(_SOFT_BREAK.sub(" ", text) if part.get_param("format") == "flowed" else text)
    elif attached or not kind.startswith("image/"):
        letter.attach(name or _name_by(kind), content, kind)


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []


def _source_of(message: Message) -> bytes:
    try:
        return message.as_bytes()
    except (UnicodeError, ValueError, KeyError, TypeError, LookupError):
        # A message that was read need not be one that can be written.
        return str(message.get_payload()).encode("utf-8", "replace")


def _charset(part: Message) -> str | None:
    try:
        return part.get_content_charset()
    except (ValueError, TypeError, LookupError):
        return None


def _name_by(kind: str) -> str:
    """A name for a part without one, so that it can be told from others."""
    return f"part.{re.sub('[^a-z0-9]', '', kind.rpartition('/')[2])[:10] or 'bin'}"
