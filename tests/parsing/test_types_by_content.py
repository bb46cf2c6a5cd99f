"""A document is what its bytes say, whatever its name says."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile

import pytest

from dalil.errors import (
    CorruptDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    LoaderError,
    UnsupportedFormatError,
)
from dalil.identity import content_hash, document_id
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend
from dalil.ports import Chunker, DocumentParser, PageClassifier


def zipped(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("notes.txt", "# not a heading, plain text", "text/plain"),
        ("notes.md", "# A heading", "text/markdown"),
        ("notes", "just words", "text/plain"),
        ("page.html", "<p>words</p>", "text/html"),
        ("report.pdf", "<!DOCTYPE html><html><body>words</body></html>", "text/html"),
        ("page.txt", "<!-- made by hand -->\n<html><body>words</body></html>", "text/html"),
        ("about-pdf.txt", "Every file begins with %PDF-1.7 in its header.", "text/plain"),
        ("readme.md", "<h1 align=center>Logo</h1>\n\n# Title", "text/markdown"),
    ],
)
def test_the_type_follows_the_content(parse, name, content, media_type):
    assert parse(content, name).document.metadata["media_type"] == media_type


def test_a_media_type_hints_where_the_name_does_not(parse):
    assert parse("# A", "upload", media_type="text/markdown").document.metadata["title"] == "A"


@pytest.mark.parametrize("content", [b"", b"  \n\t\r\n ", b"\xef\xbb\xbf", b"\0\0\0"])
def test_an_empty_document_is_an_error(parse, content):
    with pytest.raises(EmptyDocumentError):
        parse(content, "empty.txt")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (zipped(other="x"), "zip"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(64), "7-Zip"),
        (bytes(range(256)) * 16, "binary"),
    ],
)
def test_an_unread_format_is_named(parse, content, named):
    with pytest.raises(UnsupportedFormatError, match=named):
        parse(content, "thing")


def test_an_encrypted_office_document_is_told_from_an_old_one(parse):
    ole = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(512) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(EncryptedDocumentError):
        parse(ole, "locked.docx")


def test_binary_data_under_a_document_name_is_damaged(parse):
    with pytest.raises(CorruptDocumentError):
        parse(bytes(range(256)) * 16, "report.pdf")


def test_a_missing_file_is_unreadable(tmp_path):
    with pytest.raises(LoaderError, match=r"gone\.txt"):
        HeuristicBackend().parse(RawSource("gone.txt", path=tmp_path / "gone.txt"))


def test_the_same_name_written_differently_is_the_same_document():
    assert document_id("cafe\u0301\\menu.txt ") == document_id("caf\u00e9/menu.txt")
    assert len(document_id("a")) == 16


def test_a_document_carries_its_identity_and_the_users_metadata(parse):
    parsed = parse("# Own title\n\nText", "a.md", metadata={"team": "legal", "title": "Given title"})
    assert parsed.document.id == document_id("a.md")
    assert parsed.document.source == "a.md"
    assert parsed.document.content_hash == content_hash(b"# Own title\n\nText")
    assert parsed.document.metadata == {
        "media_type": "text/markdown",
        "team": "legal",
        "title": "Given title",
    }


def test_front_matter_cannot_place_a_document_in_a_filter(parse):
    parsed = parse("---\ntitle: The Plan\nteam: legal\n---\n\nText", "a.md")
    assert parsed.pages[0].text == "Text"
    assert parsed.document.metadata["title"] == "The Plan"
    assert "team" not in parsed.document.metadata
    assert parsed.document.metadata["front_matter"] == {"title": "The Plan", "team": "legal"}


def test_a_comment_in_a_code_block_is_no_title(parse):
    assert parse("```\n# comment\n```\n\n# Title", "a.md").document.metadata["title"] == "Title"


def test_a_form_feed_starts_a_page(parse):
    pages = parse("one\ftwo\f", "a.txt").pages
    assert [(page.number, page.text) for page in pages] == [(1, "one"), (2, "two")]


def test_control_characters_never_reach_a_page(parse):
    page = parse("a\x00b\x07c\r\nd\te\ud800\rf\u00a0ﷺ", "a.txt").pages[0]
    assert page.text == "abc\nd\te\nf\u00a0ﷺ"


def test_importing_the_package_loads_no_parser():
    code = (
        "import sys, dalil.parsing; from dalil.parsing import HeuristicBackend; HeuristicBackend();"
        "print([m for m in ('lxml', 'selectolax', 'pypdfium2', 'numpy', 'charset_normalizer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_parts_fit_their_ports():
    from dalil.parsing import LayoutPageClassifier

    assert isinstance(HeuristicBackend(), DocumentParser)
    assert isinstance(HeuristicBackend(), Chunker)
    assert isinstance(LayoutPageClassifier(), PageClassifier)
