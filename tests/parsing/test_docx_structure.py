"""DOCX files become headings, lists, tables, notes and pages."""

from __future__ import annotations

import io

import docx
import pytest
from docx.enum.text import WD_BREAK
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from dalil.errors import EmptyDocumentError


def saved(document) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def text_of(parse, document) -> str:
    return parse(saved(document), "a.docx").pages[0].text


def test_headings_lists_and_paragraphs_in_order(parse):
    document = docx.Document()
    document.add_heading("Handbook", 0)
    document.add_heading("Leave", 1)
    document.add_paragraph("Thirty days a year.")
    document.add_paragraph("annual", style="List Bullet")
    document.add_paragraph("sick", style="List Bullet")
    document.add_paragraph("ask", style="List Number")
    document.add_paragraph("wait", style="List Number")
    assert text_of(parse, document) == (
        "# Handbook\n\n## Leave\n\nThirty days a year.\n\n- annual\n- sick\n1. ask\n2. wait"
    )


def test_without_a_title_headings_keep_their_levels(parse):
    document = docx.Document()
    document.add_heading("Leave", 1)
    assert text_of(parse, document) == "# Leave"


def test_arabic_text_stays_as_it_was_typed(parse):
    document = docx.Document()
    document.add_paragraph("المادّة الأولى: «الإنتاجية» ﷺ ـــ ١٤٣٤")
    assert text_of(parse, document) == "المادّة الأولى: «الإنتاجية» ﷺ ـــ ١٤٣٤"


def test_merged_cells_stand_in_every_place_they_cover(parse):
    document = docx.Document()
    table = document.add_table(3, 3)
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "wide"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "tall"
    assert text_of(parse, document) == (
        "| 00 | wide | wide |\n| --- | --- | --- |\n| tall | 11 | 12 |\n| tall | 21 | 22 |"
    )


def test_a_table_in_a_cell_gives_its_words(parse):
    document = docx.Document()
    cell = document.add_table(2, 2).cell(1, 1)
    cell.text = "outer"
    cell.add_table(1, 2).cell(0, 1).text = "inner"
    assert "| outer inner |" in text_of(parse, document)


def test_page_breaks_start_pages(parse):
    document = docx.Document()
    document.add_paragraph("first")
    document.add_page_break()
    document.add_paragraph("second")
    document.add_paragraph("cut").add_run().add_break(WD_BREAK.PAGE)
    document.paragraphs[-1].add_run("off")
    pages = parse(saved(document), "a.docx").pages
    assert [(page.number, page.text) for page in pages] == [(1, "first"), (2, "second\n\ncut"), (3, "off")]


def test_a_table_over_two_pages_repeats_its_header(parse):
    document = docx.Document()
    table = document.add_table(3, 1)
    for row, text in enumerate(["head", "one", "two"]):
        table.cell(row, 0).text = text
    table.cell(2, 0).paragraphs[0].runs[0]._r.insert(0, parse_xml(f"<w:lastRenderedPageBreak {nsdecls('w')}/>"))
    pages = parse(saved(document), "a.docx").pages
    assert [page.text for page in pages] == [
        "| head |\n| --- |\n| one |",
        "| head |\n| --- |\n| two |",
    ]


def test_deleted_and_hidden_text_is_left_out(parse):
    document = docx.Document()
    paragraph = document.add_paragraph("kept ")
    hidden = paragraph.add_run("hidden ")
    hidden.font.hidden = True
    for tag, text, inner in (("del", "gone ", "delText"), ("ins", "new", "t")):
        paragraph._p.append(parse_xml(f"<w:{tag} {nsdecls('w')}><w:r><w:{inner}>{text}</w:{inner}></w:r></w:{tag}>"))
    assert text_of(parse, document) == "kept new"


def test_the_title_is_the_property_or_the_first_heading(parse):
    document = docx.Document()
    document.add_heading("The heading", 1)
    document.core_properties.title = ""
    assert parse(saved(document), "a.docx").document.metadata["title"] == "The heading"
    document.core_properties.title = "The property"
    assert parse(saved(document), "a.docx").document.metadata["title"] == "The property"


def test_a_document_without_text_is_empty(parse):
    with pytest.raises(EmptyDocumentError):
        parse(saved(docx.Document()), "a.docx")


def test_numbered_headings_show_their_numbers(real):
    text = "\n".join(page.text for page in real("unit_test_headers_numbered.docx").pages)
    headings = [line for line in text.split("\n") if line.startswith("#")]
    assert len(headings) == 9
    path = ["# Test Document", "## 1 Section 1", "### 1.2 Section 1.2", "#### 1.2.1 Section 1.2.3"]
    assert [heading for heading in headings if heading in path] == path


def test_rich_cells(real):
    text = "\n".join(page.text for page in real("docx_rich_cells.docx").pages)
    lines = text.split("\n")
    assert len([line for line in lines if line.startswith("#")]) == 7
    assert len([line for line in lines if line.startswith("|") and "| ---" not in line]) == 18


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("textbox.docx", ["Infectious Disease Reporting Procedure"]),
        ("Strict.docx", ["Some text"]),
        ("footnotes.docx", ["snoska", "prostoy[^1]"]),
        ("testWORD_various.docx", ["Here is a text box", "This is a footnote.", "| Row 1 Col 1 |"]),
    ],
)
def test_text_boxes_notes_and_strict_files(real, name, facts):
    text = "\n".join(page.text for page in real(name).pages)
    for fact in facts:
        assert text.count(fact) == 1
