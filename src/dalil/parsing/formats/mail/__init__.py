"""Mail: who wrote to whom about what, what they wrote, and the documents they attached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from dalil.errors import CorruptDocumentError, EncryptedDocumentError
from dalil.models import Page, RawSource
from dalil.parsing.encodings import decode, unmarked_utf16
from dalil.parsing.formats.mail.letter import Letter
from dalil.parsing.formats.mail.parts import add_message
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n)\r?\n)From [^\r\n]+\r?\n(?=[A-Za-z][\w-]*:)")


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page for a message: its fields, its body, and the messages inside it. A mailbox has a page for each message.

    Raises:
        CorruptDocumentError: its parts nest absurdly deep.
        EncryptedDocumentError: its body is encrypted.
    """
    letters = []
    for message in _messages(data):
        letter = Letter(limits)
        try:
            add_message(message, letter)
        except RecursionError as error:
            raise CorruptDocumentError(f"{source.name} nests its parts absurdly deep.") from error
        letters.append(letter)
    if all(letter.locked and not letter.body for letter in letters):
        raise EncryptedDocumentError(f"{source.name} is an encrypted message.", advice="Add a decrypted copy.")
    pages = tuple(Page(number, letter.text()) for number, letter in enumerate(letters, 1))
    first = letters[0]
    alone = len(letters) == 1
    warnings = [
        warning if alone else f"page {number}: {warning}"
        for number, letter in enumerate(letters, 1)
        for warning in letter.warnings()
    ]
    attachments = [attachment for letter in letters for attachment in letter.attachments]
    return Reading(
        pages, first.subject if alone else None, first.metadata() if alone else {}, warnings, tuple(attachments)
    )


def _messages(data: bytes) -> Iterator[Message]:
    """The message; all of them if the file is a mailbox."""
    if data.startswith(_WIDE_MARKS) or unmarked_utf16(data):
        # Saved as text by an editor: the parts declare what they were before.
        data = decode(data).encode("utf-8", "surrogatepass")
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    separators = list(_SEPARATOR.finditer(data)) if data.startswith(b"From ") else []
    starts = [separator.end() for separator in separators] or [0]
    ends = [*(separator.start() for separator in separators[1:]), len(data)]
    for start, end in zip(starts, ends, strict=True):
        try:
            yield message_from_bytes(data[start:end], policy=compat32)
        except RecursionError as error:
            raise CorruptDocumentError("The parts of a message nest absurdly deep.") from error
