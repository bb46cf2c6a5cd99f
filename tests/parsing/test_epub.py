"""E-books are read chapter by chapter, in the order of their spine."""

from __future__ import annotations

import io
import zipfile

import pytest

from dalil.errors import CorruptDocumentError, DocumentTooLargeError, EmptyDocumentError, EncryptedDocumentError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://example.invalid/ncx.dtd"><ncx><navMap>'
    "<navPoint><navLabel><text>First</text></navLabel><content src='text/one%20a.xhtml'/></navPoint>"
    "<navPoint><navLabel><text>Part A</text></navLabel><content src='text/two.xhtml#a'/></navPoint>"
    "<navPoint><navLabel><text>Part B</text></navLabel><content src='text/two.xhtml#b'/></navPoint>"
    "</navMap></ncx>"
)


def chapter(body: str) -> str:
    return f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{body}</body></html>'


def description(spine: str = "one two", prologue: str = "") -> str:
    items = "".join(
        f'<item id="{name}" href="{place}" media-type="{kind}"/>'
        for name, place, kind in (
            ("one", "text/one%20a.xhtml", "application/xhtml+xml"),
            ("two", "text/two.xhtml", "application/xhtml+xml"),
            ("gone", "../../etc/passwd", "application/xhtml+xml"),
            ("picture", "cover.png", "image/png"),
            ("ncx", "toc.ncx", "application/x-dtbncx+xml"),
        )
    )
    references = "".join(f'<itemref idref="{name}"/>' for name in spine.split())
    return (
        f'{prologue}<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>كتاب</dc:title><dc:creator>A. Author</dc:creator><dc:creator>B. Author</dc:creator>"
        f"<dc:language>AR</dc:language></metadata><manifest>{items}</manifest><spine>{references}</spine></package>"
    )


def book(**changed: str | None) -> bytes:
    members: dict[str, str | None] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": description(),
        "OPS/toc.ncx": NCX,
        "OPS/text/one a.xhtml": chapter("<h1>One</h1><p>first</p>"),
        "OPS/text/two.xhtml": chapter("<p>second</p><aside>a note</aside>"),
    }
    members.update({name.replace("__", "/").replace("_dot_", "."): text for name, text in changed.items()})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            if text is not None:
                archive.writestr(name, text)
    return buffer.getvalue()


def test_chapters_are_pages_with_their_titles(parse):
    parsed = parse(book(), "a.epub")
    assert [(page.number, page.label, page.text) for page in parsed.pages] == [
        (1, "First", "# One\n\nfirst"),
        (2, "", "second\n\na note"),
    ]
    assert parsed.warnings == ()


def test_the_spine_decides_the_order(parse):
    pages = parse(book(OPS__book_dot_opf=description("two picture one two")), "a.epub").pages
    assert [page.text for page in pages] == ["second\n\na note", "# One\n\nfirst"]


def test_what_the_book_says_of_itself(parse):
    metadata = parse(book(), "a.epub").document.metadata
    assert metadata["title"] == "كتاب"
    assert metadata["authors"] == ["A. Author", "B. Author"]
    assert metadata["language"] == "ar"
    assert metadata["media_type"] == "application/epub+zip"


def test_a_missing_chapter_costs_no_other(parse):
    parsed = parse(book(OPS__book_dot_opf=description("one gone two")), "a.epub")
    assert [page.text for page in parsed.pages] == ["# One\n\nfirst", "", "second\n\na note"]
    assert parsed.warnings == ("page 2 could not be read: the book lacks ../etc/passwd",)


def test_a_damaged_table_of_contents_costs_only_the_titles(parse):
    pages = parse(book(OPS__toc_dot_ncx="<ncx><broken"), "a.epub").pages
    assert [page.label for page in pages] == ["", ""]


def test_hidden_text_is_counted(parse):
    hidden = {"OPS/text/two.xhtml": chapter("<p>second</p><p style='display:none'>secret</p>")}
    parsed = parse(book(**hidden), "a.epub")
    assert "secret" not in parsed.pages[1].text
    assert parsed.warnings == ("hidden text was left out: 6 characters that the book does not show",)


def encryption(method: str) -> str:
    return f'<encryption><EncryptedData><EncryptionMethod Algorithm="{method}"/></EncryptedData></encryption>'


def test_a_locked_book_is_encrypted(parse):
    locked = {"META-INF/encryption.xml": encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")}
    with pytest.raises(EncryptedDocumentError):
        parse(book(**locked), "a.epub")


def test_scrambled_fonts_lock_nothing(parse):
    fonts = {"META-INF/encryption.xml": encryption("http://www.idpf.org/2008/embedding")}
    assert len(parse(book(**fonts), "a.epub").pages) == 2


@pytest.mark.parametrize(
    "prologue",
    [
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY b SYSTEM "file:///etc/hostname">]>',
    ],
)
def test_entities_are_refused(parse, prologue):
    with pytest.raises(CorruptDocumentError):
        parse(book(OPS__book_dot_opf=description(prologue=prologue)), "a.epub")


def test_an_entity_bomb_is_refused(parse):
    bomb = '<!DOCTYPE x [<!ENTITY e0 "ha">'
    bomb += "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)) + "]>"
    with pytest.raises(CorruptDocumentError):
        parse(book(OPS__book_dot_opf=bomb + "<package>&e11;</package>"), "a.epub")


@pytest.mark.parametrize("missing", ["META-INF/container.xml", "OPS/book.opf"])
def test_a_book_without_its_description_is_corrupt(parse, missing):
    with pytest.raises(CorruptDocumentError):
        parse(book(**{missing: None}), "a.epub")


def test_a_book_without_chapters_is_empty(parse):
    with pytest.raises(EmptyDocumentError):
        parse(book(OPS__book_dot_opf=description("picture")), "a.epub")


def test_a_bomb_among_the_pictures_is_refused(parse):
    with pytest.raises(DocumentTooLargeError):
        parse(book(OPS__cover_dot_png="0" * (300 * 1024 * 1024)), "a.epub")


def test_a_huge_chapter_is_refused():
    with pytest.raises(DocumentTooLargeError):
        HeuristicBackend(ParsingLimits(markup_bytes=50)).parse(RawSource("a.epub", content=book()))


def test_a_real_book(real):
    parsed = real("wasteland.epub")
    assert parsed.pages[0].text.startswith("# The Waste Land\n\nT.S. Eliot")
    assert "April is the cruellest month, breeding\nLilacs out of the dead land, mixing" in parsed.pages[0].text
    assert "## II. A GAME OF CHESS" in parsed.pages[0].text
    assert parsed.document.metadata["title"] == "The Waste Land"
