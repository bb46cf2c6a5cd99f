"""Zip containers are judged by their directory before anything in them is unpacked."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import pytest

from dalil.errors import CorruptDocumentError, DocumentTooLargeError, EncryptedDocumentError
from dalil.parsing.archives import open_archive, read_member
from dalil.parsing.limits import ParsingLimits

LIMITS = ParsingLimits()


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "limits",
    [
        replace(LIMITS, archive_members=1),
        replace(LIMITS, archive_bytes=2500),
        replace(LIMITS, archive_member_bytes=1999),
    ],
)
def test_each_limit_holds(limits):
    data = zipped(a=bytes(2000), b=bytes(1000))
    open_archive(data, "a.zip", LIMITS)
    with pytest.raises(DocumentTooLargeError):
        open_archive(data, "a.zip", limits)


def test_a_part_that_is_packed_too_well_is_refused():
    with pytest.raises(DocumentTooLargeError, match="times its size"):
        open_archive(zipped(a=bytes(20_000_000)), "a.zip", LIMITS)


def test_a_directory_that_lies_about_a_size_is_not_believed():
    data = bytearray(zipped(a=b"x" * 1000 + bytes(3000)))
    place = data.rfind(b"PK\x01\x02")
    data[place + 24 : place + 28] = (500).to_bytes(4, "little")
    with pytest.raises(CorruptDocumentError), open_archive(bytes(data), "a.zip", LIMITS) as archive:
        read_member(archive, "a", "a.zip")


def test_a_part_that_leads_out_of_the_archive_is_only_a_name():
    with open_archive(zipped(**{"../../etc/passwd": b"inside"}), "a.zip", LIMITS) as archive:
        assert read_member(archive, "../../etc/passwd", "a.zip") == b"inside"
        assert read_member(archive, "/etc/passwd", "a.zip") is None


def test_a_locked_part_is_encrypted():
    data = bytearray(zipped(a=b"x"))
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(EncryptedDocumentError), open_archive(bytes(data), "a.zip", LIMITS) as archive:
        read_member(archive, "a", "a.zip")
