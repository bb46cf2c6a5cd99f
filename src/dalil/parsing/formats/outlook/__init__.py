"""Messages that Outlook saves (.msg), read like any mail."""

from __future__ import annotations

from dalil.errors import CorruptDocumentError, EncryptedDocumentError
from dalil.models import Page, RawSource
from dalil.parsing.compound import open_compound
from dalil.parsing.formats.mail.letter import Letter
from dalil.parsing.formats.outlook.properties import Properties
from dalil.parsing.formats.outlook.storage import Storage
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_SUBJECT, _CLASS = 0x0037, 0x001A
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_TO, _CC = 0x0E04, 0x0E03
_SUBMITTED, _DELIVERED = 0x0039, 0x0E06
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_DATA, _LONG_NAME, _SHORT_NAME, _MEDIA_TYPE = 0x3701, 0x3707, 0x3704, 0x370E
_DISPLAY_NAME = 0x3001


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page: the message's fields, its body, and the messages inside it.

    Raises:
        CorruptDocumentError: the file is damaged.
        EncryptedDocumentError: its body is encrypted.
    """
    letter = Letter(limits)
    warnings: list[str] = []
    with open_compound(data, source.name) as container:
        try:
            _add(Storage(container), letter, warnings, depth=0)
        except (OSError, ValueError, IndexError, TypeError, AttributeError) as error:
            # What olefile raises where the tables of a container contradict each other.
            raise CorruptDocumentError(f"{source.name} is damaged or incomplete.") from error
    if letter.locked and not letter.body:
        raise EncryptedDocumentError(f"{source.name} is an encrypted message.", advice="Add a decrypted copy.")
    pages = (Page(1, letter.text()),)
    return Reading(pages, letter.subject, letter.metadata(), [*letter.warnings(), *warnings], tuple(letter.attachments))


def _add(storage: Storage, letter: Letter, warnings: list[str], depth: int) -> None:
    properties = Properties(storage, header_bytes=32 if depth == 0 else 24)
    letter.add_fields(_fields(properties), inner=depth > 0)
    html = properties.markup(_HTML)
    plain = properties.text(_BODY)
    if not (html and letter.add_html(html)):
        letter.add_plain(plain)
        if not plain.strip() and properties.data(_RTF):
            warnings.append("the message's body is compressed RTF, which cannot be read")
    if "smime" in properties.text(_CLASS).lower():
        letter.locked = True
        return
    for attached in storage.children("__attach_version1.0_"):
        _attach(attached, letter, warnings, depth)


def _attach(storage: Storage, letter: Letter, warnings: list[str], depth: int) -> None:
    properties = Properties(storage, header_bytes=8)
    inner = storage.child(f"__substg1.0_{_DATA:04X}000D")
    if inner is not None:
        if depth < letter.limits.attachment_depth:
            _add(inner, letter, warnings, depth + 1)
        else:
            warnings.append("messages that are nested too deep were left out")
        return
    name = properties.text(_LONG_NAME) or properties.text(_SHORT_NAME) or properties.text(_DISPLAY_NAME)
    media_type = properties.text(_MEDIA_TYPE).lower()
    if name or not media_type.startswith("image/"):
        letter.attach(name, properties.data(_DATA), media_type)


def _fields(properties: Properties) -> dict[str, str]:
    name = properties.text(_SENDER_NAME)
    address = properties.text(_SENDER_SMTP) or properties.text(_SENDER_ADDRESS)
    # Within one organisation an address is a directory entry that says nothing to anybody.
    sender = f"{name} <{address}>" if "@" in address and address != name else name
    return {
        "From": sender,
        "To": properties.text(_TO).rstrip("\0"),
        "Cc": properties.text(_CC).rstrip("\0"),
        "Date": properties.time(_SUBMITTED) or properties.time(_DELIVERED),
        "Subject": properties.text(_SUBJECT),
    }
