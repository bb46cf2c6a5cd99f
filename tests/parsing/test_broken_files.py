"""Damaged and hostile files give one typed error each, soon and cheaply."""

from __future__ import annotations

import io
import re
import time
import zipfile

import docx
import pytest

from dalil.errors import (
    CorruptDocumentError,
    DocumentTooLargeError,
    EmptyDocumentError,
    EncryptedDocumentError,
    LoaderError,
)
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word_file(document: str = "", **members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", document or f'<w:document xmlns:w="{WORD}"><w:body/></w:document>')
        for name, data in members.items():
            archive.writestr(f"word/{name}", data)
    return buffer.getvalue()


def real_docx() -> bytes:
    buffer = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("words " * 500)
    document.save(buffer)
    return buffer.getvalue()


def test_a_pdf_cut_in_half_is_corrupt(parse, make_pdf):
    data = make_pdf([(72, 700, "Helvetica", 10, "text")])
    with pytest.raises(CorruptDocumentError):
        parse(data[: len(data) // 3], "a.pdf")


def test_a_pdf_header_alone_is_corrupt(parse):
    with pytest.raises(CorruptDocumentError):
        parse(b"%PDF-1.7\n", "a.pdf")


def test_a_docx_cut_in_half_is_corrupt(parse):
    data = real_docx()
    with pytest.raises(CorruptDocumentError):
        parse(data[: len(data) // 2], "a.docx")


def test_a_damaged_member_is_corrupt(parse):
    data = bytearray(real_docx())
    place = data.find(b"word/document.xml") + 60
    data[place : place + 40] = bytes(40)
    with pytest.raises(CorruptDocumentError):
        parse(bytes(data), "a.docx")


def test_a_docx_without_its_main_part_is_corrupt(parse):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/other.xml", "<x/>")
    with pytest.raises(CorruptDocumentError):
        parse(buffer.getvalue(), "a.docx")


def test_a_zip_bomb_is_refused_unopened(parse):
    start = time.perf_counter()
    with pytest.raises(DocumentTooLargeError):
        parse(word_file(**{"media.bin": bytes(100 * 1024 * 1024)}), "bomb.docx")
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "limits", [ParsingLimits(archive_members=2), ParsingLimits(archive_bytes=1000), ParsingLimits(file_bytes=100)]
)
def test_limits_can_be_set(limits):
    with pytest.raises(DocumentTooLargeError):
        HeuristicBackend(limits).parse(RawSource("a.docx", content=real_docx()))


def test_a_locked_zip_member_is_encrypted(parse):
    data = bytearray(word_file("<x/>"))
    data[6] |= 1
    data[data.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(EncryptedDocumentError):
        parse(bytes(data), "a.docx")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY b SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE x SYSTEM "http://example.invalid/x.dtd">',
    ],
)
def test_entities_are_refused(parse, declaration):
    entity = "&b;" if "ENTITY" in declaration else "text"
    body = f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>{entity}</w:t></w:r></w:p></w:body></w:document>'
    with pytest.raises(CorruptDocumentError):
        parse(word_file(declaration + body), "a.docx")


def test_deeply_nested_tables_end_in_an_error_or_in_text(parse):
    depth = 3000
    opening, closing = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
    body = f"{opening * depth}<w:p><w:r><w:t>deep</w:t></w:r></w:p>{closing * depth}"
    start = time.perf_counter()
    with pytest.raises(LoaderError):
        parse(word_file(f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'), "a.docx")
    assert time.perf_counter() - start < 5


def test_a_page_that_cannot_be_loaded_costs_no_other(parse, make_pdf):
    data = make_pdf(*[[(72, 700, "Helvetica", 10, text)] for text in ("one", "two", "three")])
    second = re.findall(rb"(\d+) 0 R", re.search(rb"/Kids \[([^\]]+)\]", data)[1])[1]
    page = re.search(rb"\n" + second + rb" 0 obj\s+(<<.*?>>)\s+endobj", data, re.DOTALL)
    broken = data[: page.start(1)] + b"7".ljust(len(page[1])) + data[page.end(1) :]
    parsed = parse(broken, "a.pdf")
    assert [(page.number, page.text) for page in parsed.pages] == [(1, "one"), (2, ""), (3, "three")]
    assert len(parsed.warnings) == 1
    assert parsed.warnings[0].startswith("page 2 could not be read")


def test_a_pdf_of_blank_pages_is_empty(parse, make_pdf):
    with pytest.raises(EmptyDocumentError):
        parse(make_pdf([], []), "a.pdf")


def test_a_lie_about_the_number_of_pages_is_not_believed(parse, make_pdf):
    data = make_pdf([(72, 700, "Helvetica", 10, "text")]).replace(b"/Count 1", b"/Count 99999999")
    start = time.perf_counter()
    assert len(parse(data, "a.pdf").pages) <= 1
    assert time.perf_counter() - start < 5


def test_a_huge_page_is_read(parse, make_pdf):
    data = make_pdf([(72, 700, "Helvetica", 10, "text")]).replace(b"595.2756 841.8898", b"200000 200000")
    assert parse(data, "a.pdf").pages[0].text == "text"


def test_html_named_pdf_is_read_as_html(parse):
    assert parse("<html><body><h1>Not found</h1></body></html>", "a.pdf").pages[0].text == "# Not found"
