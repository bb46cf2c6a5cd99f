"""Zip containers, opened only after their directory has been found harmless."""

from __future__ import annotations

import io
import zipfile

from dalil.errors import (
    CorruptDocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    UnsupportedFormatError,
)
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.sniffing import Format

_SMALL_MEMBER = 1024 * 1024
_ENCRYPTED_FLAG = 0x1
_UNREAD = (
    ("xl/", "an Excel workbook (.xlsx)"),
    ("ppt/", "a PowerPoint presentation (.pptx)"),
    ("OEBPS/", "an e-book (.epub)"),
    ("META-INF/container.xml", "an e-book (.epub)"),
    ("META-INF/manifest.xml", "an OpenDocument file (.odt, .ods or .odp)"),
)


def open_archive(data: bytes, name: str, limits: ParsingLimits) -> zipfile.ZipFile:
    """The archive, if its directory stays within the limits.

    Raises:
        CorruptDocumentError: it is damaged or cut short.
        DocumentTooLargeError: it has too many members, unpacks to too much, or is packed implausibly well.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise CorruptDocumentError(f"{name} is a damaged or incomplete archive.") from error
    members = archive.infolist()
    if len(members) > limits.archive_members:
        raise DocumentTooLargeError(f"{name} has {len(members)} parts; the limit is {limits.archive_members}.")
    total = sum(member.file_size for member in members)
    if total > limits.archive_bytes:
        raise DocumentTooLargeError(f"{name} unpacks to {total} bytes; the limit is {limits.archive_bytes}.")
    for member in members:
        ratio = member.file_size / max(1, member.compress_size)
        if member.file_size > _SMALL_MEMBER and ratio > limits.archive_ratio:
            raise DocumentTooLargeError(f"{name} holds a part that unpacks to {ratio:.0f} times its size.")
    return archive


def read_member(archive: zipfile.ZipFile, member: str, name: str) -> bytes | None:
    """One member's bytes, or None where there is none of that name.

    Raises:
        CorruptDocumentError: the member is damaged, or larger than the directory says.
        EncryptedDocumentError: the member is locked.
    """
    try:
        entry = archive.getinfo(member)
    except KeyError:
        return None
    if entry.flag_bits & _ENCRYPTED_FLAG:
        raise EncryptedDocumentError(f"{name} is an archive locked with a password.")
    try:
        with archive.open(entry) as stream:
            return stream.read(entry.file_size)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, ValueError) as error:
        raise CorruptDocumentError(f"{name} holds a damaged part ({member}).") from error
    except Exception as error:
        # zlib and lzma raise errors of their own kinds for damaged streams.
        raise CorruptDocumentError(f"{name} holds a damaged part ({member}).") from error


def kind_of_archive(data: bytes, name: str, limits: ParsingLimits) -> Format:
    """The format of a zip container, by the names of its members.

    Raises:
        UnsupportedFormatError: no reader knows it; the message names it where it is known.
    """
    with open_archive(data, name, limits) as archive:
        names = archive.namelist()
    if any(member.startswith("word/") for member in names):
        return Format.DOCX
    for prefix, what in _UNREAD:
        if any(member.startswith(prefix) for member in names):
            raise UnsupportedFormatError(f"{name} is {what}, which cannot be read yet.")
    raise UnsupportedFormatError(f"{name} is a zip archive.", advice="Unpack it and add the files inside.")
