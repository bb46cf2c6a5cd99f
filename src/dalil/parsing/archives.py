"""Zip containers, opened only after their directory has been found harmless."""

from __future__ import annotations

import io
import re
import zipfile

from dalil.errors import (
    CorruptDocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    UnsupportedFormatError,
)
from dalil.parsing.kinds import Format
from dalil.parsing.limits import ParsingLimits

_SMALL_MEMBER = 1024 * 1024
_ENCRYPTED_FLAG = 0x1
_DIRECTORY_BYTES = 4 * 1024 * 1024
_MAIN_PART = re.compile(rb"ContentType\s*=\s*[\"']([^\"']*\.main(?:\+xml)?)[\"']", re.I)
_OPEN_XML = (
    (b"wordprocessingml", Format.DOCX),
    (b"ms-word", Format.DOCX),
    (b"presentationml", Format.PPTX),
    (b"ms-powerpoint", Format.PPTX),
    (b"excel.sheet.binary", Format.XLSB),
    (b"spreadsheetml", Format.XLSX),
    (b"ms-excel", Format.XLSX),
)
_MIMETYPES = (
    (b"application/epub+zip", Format.EPUB),
    (b"application/vnd.oasis.opendocument.text", Format.ODT),
    (b"application/vnd.oasis.opendocument.spreadsheet", Format.ODS),
)
_FOLDERS = (
    ("word/", Format.DOCX),
    ("ppt/", Format.PPTX),
    ("xl/", Format.XLSX),
    ("META-INF/container.xml", Format.EPUB),
)
_UNREAD = (
    ("Index/Document.iwa", "a document of Apple's Pages, Numbers or Keynote"),
    ("META-INF/manifest.xml", "an OpenDocument presentation, drawing or formula"),
    ("FixedDocSeq.fdseq", "an XPS document"),
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
        if member.file_size > limits.archive_member_bytes:
            raise DocumentTooLargeError(
                f"{name} holds a part of {member.file_size} bytes; the limit is {limits.archive_member_bytes}."
            )
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
    """The format of a zip container: by what it says it is, else by the names of its members.

    Raises:
        EncryptedDocumentError: it is an OpenDocument file locked with a password.
        UnsupportedFormatError: no reader knows it; the message names it where it is known.
    """
    with open_archive(data, name, limits) as archive:
        kind = _declared_kind(archive, name)
        members = archive.namelist()
    if kind is not None:
        return kind
    for prefix, known in _FOLDERS:
        if any(member.startswith(prefix) for member in members):
            return known
    for prefix, what in _UNREAD:
        if any(member.startswith(prefix) for member in members):
            raise UnsupportedFormatError(f"{name} is {what}, which cannot be read.")
    raise UnsupportedFormatError(f"{name} is a zip archive.", advice="Unpack it and add the files inside.")


def _declared_kind(archive: zipfile.ZipFile, name: str) -> Format | None:
    """What the container says of itself: `mimetype` in OpenDocument and EPUB, the content types in Open XML."""
    mimetype = (_small_member(archive, "mimetype", name) or b"").strip()
    for prefix, kind in _MIMETYPES:
        if mimetype.startswith(prefix):
            if kind is not Format.EPUB:
                _refuse_locked_opendocument(archive, name)
            return kind
    for main in _MAIN_PART.findall(_small_member(archive, "[Content_Types].xml", name) or b""):
        for word, kind in _OPEN_XML:
            if word in main.lower():
                return kind
    return None


def _refuse_locked_opendocument(archive: zipfile.ZipFile, name: str) -> None:
    if b"encryption-data" in (_small_member(archive, "META-INF/manifest.xml", name) or b""):
        raise EncryptedDocumentError(f"{name} is an OpenDocument file locked with a password.")


def _small_member(archive: zipfile.ZipFile, member: str, name: str) -> bytes | None:
    """A member that lists others, if it is of a believable size."""
    try:
        size = archive.getinfo(member).file_size
    except KeyError:
        return None
    return read_member(archive, member, name) if size <= _DIRECTORY_BYTES else None
