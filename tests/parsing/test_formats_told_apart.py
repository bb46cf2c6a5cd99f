"""Formats that look alike from outside are told apart by what is inside."""

from __future__ import annotations

import io
import zipfile

import pytest
from compound_files import compound_file

from dalil.errors import CorruptDocumentError, EncryptedDocumentError, UnsupportedFormatError
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.signatures import picture_type
from dalil.parsing.sniffing import Format, sniff

OPEN_XML = "application/vnd.openxmlformats-officedocument"


def kind(content: bytes | str, name: str = "document", media_type: str | None = None) -> Format:
    data = content.encode() if isinstance(content, str) else content
    return sniff(data, name, media_type, ParsingLimits())


def zipped(members: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def typed(main: str) -> bytes:
    """An Open XML package whose parts have unusual names, with a spreadsheet embedded."""
    types = f'<Types><Default Extension="xlsx" ContentType="{OPEN_XML}.spreadsheetml.sheet"/>'
    types += f'<Override PartName="/a/b.xml" ContentType="{main}"/></Types>'
    return zipped({"[Content_Types].xml": types, "a/b.xml": "<x/>"})


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        (f"{OPEN_XML}.wordprocessingml.document.main+xml", Format.DOCX),
        ("application/vnd.ms-word.document.macroEnabled.main+xml", Format.DOCX),
        (f"{OPEN_XML}.presentationml.presentation.main+xml", Format.PPTX),
        (f"{OPEN_XML}.presentationml.slideshow.main+xml", Format.PPTX),
        (f"{OPEN_XML}.spreadsheetml.sheet.main+xml", Format.XLSX),
        ("application/vnd.ms-excel.sheet.macroEnabled.main+xml", Format.XLSX),
        ("application/vnd.ms-excel.sheet.binary.macroEnabled.main", Format.XLSB),
    ],
)
def test_office_packages_by_their_main_part(main, expected):
    assert kind(typed(main), "wrong.pdf") is expected


@pytest.mark.parametrize(
    ("mimetype", "expected"),
    [
        ("application/epub+zip", Format.EPUB),
        ("application/vnd.oasis.opendocument.text", Format.ODT),
        ("application/vnd.oasis.opendocument.spreadsheet", Format.ODS),
    ],
)
def test_containers_by_their_mimetype(mimetype, expected):
    assert kind(zipped({"mimetype": mimetype, "content.xml": "<x/>"})) is expected


def test_a_locked_opendocument_file_is_encrypted():
    manifest = "<manifest:manifest><manifest:encryption-data/></manifest:manifest>"
    with pytest.raises(EncryptedDocumentError):
        kind(zipped({"mimetype": "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml": manifest}))


@pytest.mark.parametrize(
    ("stream", "expected"),
    [("Workbook", Format.XLS), ("Book", Format.XLS), ("__properties_version1.0", Format.MSG)],
)
def test_compound_files_by_their_streams(stream, expected):
    assert kind(compound_file({stream: bytes(100), "other": bytes(5000)})) is expected


@pytest.mark.parametrize(
    ("stream", "named"),
    [("WordDocument", r"\.doc"), ("PowerPoint Document", r"\.ppt"), ("VisioDocument", "Visio"), ("x", "older program")],
)
def test_a_compound_file_that_no_reader_knows_is_named(stream, named):
    with pytest.raises(UnsupportedFormatError, match=named):
        kind(compound_file({stream: bytes(100)}))


def test_a_locked_office_document_is_encrypted():
    with pytest.raises(EncryptedDocumentError):
        kind(compound_file({"EncryptionInfo": bytes(100), "EncryptedPackage": bytes(5000)}), "report.docx")


def test_a_message_with_a_locked_attachment_is_not_locked_itself():
    inner = compound_file({"EncryptedPackage": bytes(5000)})
    attachment = {"__properties_version1.0": bytes(8), "__substg1.0_37010102": inner}
    data = compound_file({"__properties_version1.0": bytes(32), "__attach_version1.0_#00000000": attachment})
    assert kind(data) is Format.MSG


def test_a_damaged_compound_file_is_corrupt():
    with pytest.raises(CorruptDocumentError):
        kind(bytes.fromhex("D0CF11E0A1B11AE1") + bytes(512), "old.doc")


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"II*\0", "image/tiff"),
        (b"MM\0*", "image/tiff"),
        (b"RIFF\x00\x10\x00\x00WEBP", "image/webp"),
        (b"BM" + bytes(12) + b"\x28\0\0\0", "image/bmp"),
    ],
)
def test_pictures(data, media_type):
    assert picture_type(data) == media_type
    assert kind(data + bytes(range(64)), "picture.txt") is Format.PICTURE


def test_text_that_begins_with_bm_is_text():
    assert kind("BM25 ranks documents by their words.") is Format.TEXT


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"\x1f\x8b\x08" + bytes(64), "gzip"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(64), "7-Zip"),
        (b"\0\0\0\x18ftypheic" + bytes(64), "HEIF"),
        (bytes(60) + b"BOOKMOBI" + bytes(64), "Kindle"),
        (b"%!PS-Adobe-3.0\n", "PostScript"),
    ],
)
def test_other_binary_formats_are_named(data, named):
    with pytest.raises(UnsupportedFormatError, match=named):
        kind(data, "thing.pdf")


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("a;b\n1;2\n", "t.csv", Format.CSV),
        ("a\tb\n1\t2\n", "t.tsv", Format.CSV),
        ("a\tb\tc\n" + "1\t2\t3\n" * 5, "export", Format.CSV),
        ("a\tb\tc\n" + "1\t2\t3\n" * 5, "export.xls", Format.CSV),
        ("a, b and c\nwere walking, one day, in town\nalone\n" * 3, "story", Format.TEXT),
        ("a\tb\tc\n" + "1\t2\t3\n" * 5, "t.txt", Format.TEXT),
        ('{"a": 1}', "x", Format.JSON),
        ('[{"a": 1}]', "x.txt", Format.JSON),
        ('{"a": 1}\n{"a": 2}\n', "x", Format.JSONL),
        ('{"a": 1}\n', "x.jsonl", Format.JSONL),
        ("[1] A. Author, A title. 1999.", "notes.txt", Format.TEXT),
        ("[[a wiki link]] begins this note", "notes", Format.TEXT),
        ("{curly words} are no JSON", "x.json", Format.TEXT),
        ("{\\rtf1\\ansi hello}", "a.doc", Format.RTF),
        ("<table><tr><td>1</table>", "a.html", Format.HTML),
        ("<html><table><tr><td>1</table></html>", "a.xls", Format.HTML),
    ],
)
def test_kinds_of_text(content, name, expected):
    assert kind(content, name) is expected


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("Received: from a\nFrom: b\nSubject: c\n\nbody", "x", Format.EML),
        ("From: b\nTo: c\nSubject: d\n\nbody", "x.eml", Format.EML),
        ("From: b\nTo: c\nSubject: d\n\nbody", "x.txt", Format.TEXT),
        ("Note: this\nDate: today\n\nbody", "x", Format.TEXT),
        ("Hello,\nthis is no mail.", "x.eml", Format.TEXT),
    ],
)
def test_mail_is_told_from_notes(content, name, expected):
    assert kind(content, name) is expected


def test_a_declared_type_serves_where_the_name_says_nothing():
    assert kind("a;b\n1;2\n", "upload", "text/csv; charset=utf-8") is Format.CSV
    assert kind("From: b\n\nbody", "upload", "message/rfc822") is Format.EML
