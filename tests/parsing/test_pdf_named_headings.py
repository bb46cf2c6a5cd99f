"""Headings that a PDF names itself: in its bookmarks, and in its tags."""

from __future__ import annotations

import io
import time
from typing import Any

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_pdf import pdf_of, stream

from dalil.parsing.formats.pdf.engine import LOCK
from dalil.parsing.formats.pdf.heading_keys import heading_key, named_level, without_numbering
from dalil.parsing.formats.pdf.outline import Outline
from dalil.parsing.formats.pdf.tags import Tags


def bookmarked(*entries: tuple[str, int, int]) -> bytes:
    """Three pages with bookmarks: title, level from 0, page from 1."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for page in (1, 2, 3):
        canvas.drawString(72, 700, f"Page {page}")
        for title, level, target in entries:
            if target == page:
                canvas.bookmarkPage(title)
                canvas.addOutlineEntry(title, title, level)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def outline(data: bytes) -> Outline:
    with LOCK, pypdfium2.PdfDocument(data) as document:
        return Outline.of(document)


def test_bookmarks_give_the_levels_of_headings():
    found = outline(bookmarked(("1 Introduction", 0, 1), ("1.1 Scope", 1, 2), ("1.1.1 Terms", 2, 2), ("الخاتمة", 0, 3)))
    assert named_level(found.headings(1), "1 Introduction") == 1
    assert named_level(found.headings(2), "1.1 Scope") == 2
    assert named_level(found.headings(2), "1.1.1 TERMS") == 3
    assert named_level(found.headings(3), "الخاتمة") == 1


def test_a_bookmark_counts_on_its_own_page_only():
    found = outline(bookmarked(("Introduction", 0, 2)))
    assert named_level(found.headings(2), "Introduction") == 1
    assert named_level(found.headings(1), "Introduction") is None
    assert named_level(found.headings(2), "Introduction and more") is None


@pytest.mark.parametrize(
    ("bookmark", "heading"),
    [
        ("Scope", "1.2 Scope"),
        ("1.2 Scope", "Scope"),
        ("1.2. Scope", "1.2   SCOPE"),
        ("The scope of this law", "The scope of\nthis law"),
        ("المنشآت الفندقية", "المنشـــآت الفندقية"),
        ("المشكلات", "المشكالت"),
        ("الإنتاجية", "\ufe8d\ufef9\ufee7\ufe98\ufe8e\ufe9f\ufef4\ufe94"),
    ],
)
def test_a_heading_is_known_however_it_is_written(bookmark: str, heading: str):
    assert named_level(outline(bookmarked((bookmark, 0, 1))).headings(1), heading) == 1


@pytest.mark.parametrize("text", ["", "—", "2024", "12.5 %", "x" * 400])
def test_some_texts_are_no_headings(text: str):
    assert named_level(outline(bookmarked(("Scope", 0, 1), ("—", 0, 1), ("x" * 400, 0, 1))).headings(1), text) is None


def test_a_document_without_bookmarks():
    assert named_level(outline(bookmarked()).headings(1), "Page 1") is None


@pytest.mark.parametrize(
    "links",
    [
        "/First 5 0 R /Last 5 0 R /Next 5 0 R",
        "/First 5 0 R /Last 5 0 R /Next 6 0 R",
        "/Next 6 0 R",
    ],
)
def test_bookmarks_that_lead_back_to_themselves(links: str):
    data = pdf_of(
        [
            "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
            "<< /Type /Outlines /First 5 0 R /Last 6 0 R /Count 2 >>",
            f"<< /Title (One) /Parent 4 0 R /Dest [3 0 R /Fit] {links} >>",
            "<< /Title (Two) /Parent 4 0 R /Dest [3 0 R /Fit] /First 5 0 R /Last 5 0 R /Next 5 0 R >>",
        ]
    )
    assert named_level(outline(data).headings(1), "One") == 1


def test_bookmarks_without_end_are_read_up_to_a_bound():
    many = 60_000
    items = [
        f"<< /Title (Part {number}) /Parent 4 0 R /Dest [3 0 R /Fit] /Next {6 + number} 0 R >>"
        for number in range(many)
    ]
    start = time.process_time()
    found = outline(
        pdf_of(
            [
                "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
                "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
                f"<< /Type /Outlines /First 5 0 R /Last {4 + many} 0 R /Count {many} >>",
                *items,
            ]
        )
    )
    assert named_level(found.headings(1), "Part 19999") == 1
    assert named_level(found.headings(1), "Part 20001") is None
    assert time.process_time() - start < 10


def tagged(*parts: tuple[str, str], role_map: str = "", tree: str = "") -> bytes:
    """One page whose text is tagged: each part has a tag and a text."""
    content = "BT /F 12 Tf 72 700 Td 20 TL\n"
    for number, (tag, text) in enumerate(parts):
        content += f"/{tag} << /MCID {number} >> BDC ({text}) Tj EMC {'T* T* T*' if tag[0] == 'H' else 'T*'}\n"
    elements = [
        f"<< /Type /StructElem /S /{tag} /P 7 0 R /Pg 3 0 R /K {number} >>" for number, (tag, _) in enumerate(parts)
    ]
    references = " ".join(f"{9 + number} 0 R" for number in range(len(parts)))
    return pdf_of(
        [
            "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 6 0 R /MarkInfo << /Marked true >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /StructParents 0"
            " /Resources << /Font << /F 5 0 R >> >> >>",
            stream(content + "ET"),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            f"<< /Type /StructTreeRoot /K 7 0 R /ParentTree 8 0 R /RoleMap << {role_map} >> >>",
            tree or f"<< /Type /StructElem /S /Document /P 6 0 R /K [{references}] >>",
            f"<< /Nums [0 [{references}]] >>",
            *elements,
        ]
    )


def page_levels(tags: Tags, document: pypdfium2.PdfDocument) -> dict[str, int]:
    page = document[0]
    textpage = page.get_textpage()
    found = tags.headings(page, textpage, textpage.get_text_range())
    textpage.close()
    page.close()
    return found


def tag_levels(data: bytes) -> dict[str, int]:
    with LOCK, pypdfium2.PdfDocument(data) as document:
        return page_levels(Tags(document), document)


def test_tags_give_the_levels_of_headings():
    found = tag_levels(tagged(("H1", "Annual Report"), ("P", "Plain text."), ("H3", "Risk Factors"), ("Title", "Name")))
    assert found == {heading_key("Annual Report"): 1, heading_key("Risk Factors"): 3, heading_key("Name"): 1}


def test_tags_with_other_names_are_looked_up():
    data = tagged(("Ueberschrift", "Annual Report"), ("Absatz", "Text."), role_map="/Ueberschrift /H2 /Absatz /P")
    assert tag_levels(data) == {heading_key("Annual Report"): 2}


def test_untagged_documents_and_documents_without_headings():
    assert tag_levels(bookmarked(("Page 1", 0, 1))) == {}
    assert tag_levels(tagged(("P", "Plain text."))) == {}


@pytest.mark.parametrize(("pages", "levels"), [(4, [1]), (5, [])])
def test_tags_are_given_up_where_the_first_pages_name_no_heading(pages: int, levels: list[int]):
    with (
        LOCK,
        pypdfium2.PdfDocument(tagged(("P", "Plain text."))) as without,
        pypdfium2.PdfDocument(tagged(("H1", "Report"))) as document,
    ):
        tags = Tags(without)
        for _ in range(pages):
            page_levels(tags, without)
        assert list(page_levels(tags, document).values()) == levels


def test_tags_are_kept_where_they_name_headings():
    with LOCK, pypdfium2.PdfDocument(tagged(("H1", "Report"))) as document:
        tags = Tags(document)
        assert [page_levels(tags, document) for _ in range(10)] == [{heading_key("Report"): 1}] * 10


def test_tags_that_contain_themselves():
    data = tagged(
        ("H1", "One"), ("Sect", "Two"), tree="<< /Type /StructElem /S /Document /P 6 0 R /K [9 0 R 7 0 R 10 0 R] >>"
    )
    assert set(tag_levels(data).values()) <= {1}


@given(st.text())
def test_any_text_has_a_key(text: str):
    key = heading_key(text)
    assert heading_key(key) == key
    assert heading_key(f"  {text} ") in (key, "")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1.2 Scope", "Scope"),
        ("3) Scope", "Scope"),
        ("٢. النطاق", "النطاق"),
        ("2024", "2024"),
        ("1 2 3", "1 2 3"),
        ("Scope", "Scope"),
    ],
)
def test_numbers_of_headings_are_taken_off(text: str, plain: str):
    assert without_numbering(text) == plain


def named(parse: Any, data: bytes) -> list[str]:
    return [line for page in parse(data, "a.pdf").pages for line in page.text.split("\n") if line.startswith("#")]


def test_named_headings_are_headings_of_the_page(parse: Any):
    """They are set in the body's type, so that nothing but their names makes them headings."""
    text = "A paragraph of plain text that is long enough to be what the document is set in."
    assert named(parse, tagged(("H2", "Annual Report"), ("P", text))) == ["## Annual Report"]
    assert named(parse, bookmarked()) == []
    assert named(parse, bookmarked(("Page 2", 0, 2), ("Page 3", 1, 3))) == ["# Page 2", "## Page 3"]
