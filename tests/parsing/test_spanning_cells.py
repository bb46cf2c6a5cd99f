"""Cells that span rows and columns, in every format that has them."""

from __future__ import annotations

import docx
import pptx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from office_files import opendocument, rich_text, saved, workbook

from dalil.errors import DocumentTooLargeError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits

EXPECTED = (
    "| القسم | 2024 | 2024 |\n| --- | --- | --- |\n| القسم | first | second |\n"
    "| sales | 1 | 2 |\n| sales | 3 | 4 |\n| all together |  |  |"
)
TEXTS = [
    ["القسم", "2024", ""],
    ["", "first", "second"],
    ["sales", "1", "2"],
    ["", "3", "4"],
    ["all together", "", ""],
]
SPANS = [(0, 1, 0, 2), (0, 0, 1, 0), (2, 0, 3, 0), (4, 0, 4, 2)]


def filled(table) -> None:
    for row, texts in enumerate(TEXTS):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    for top, left, bottom, right in SPANS:
        text = TEXTS[top][left]
        table.cell(top, left).merge(table.cell(bottom, right))
        table.cell(top, left).text = text


def word() -> bytes:
    document = docx.Document()
    filled(document.add_table(5, 3))
    return saved(document)


def slides() -> bytes:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    filled(slide.shapes.add_table(5, 3, 0, 0, 5_000_000, 3_000_000).table)
    return saved(presentation)


def sheet() -> bytes:
    def fill(book):
        page = book.add_worksheet()
        for row, texts in enumerate(TEXTS):
            for column, text in enumerate(texts):
                if text:
                    page.write(row, column, int(text) if text.isdigit() else text)
        for top, left, bottom, right in SPANS:
            text = TEXTS[top][left]
            page.merge_range(top, left, bottom, right, int(text) if text.isdigit() else text)

    return workbook(fill)


def opened() -> bytes:
    rows = ""
    for row, texts in enumerate(TEXTS):
        cells = ""
        for column, text in enumerate(texts):
            span = next((s for s in SPANS if s[:2] == (row, column)), None)
            covered = any(s[0] <= row <= s[2] and s[1] <= column <= s[3] for s in SPANS)
            if span:
                wide = f'table:number-columns-spanned="{span[3] - span[1] + 1}"'
                high = f'table:number-rows-spanned="{span[2] - span[0] + 1}"'
                cells += f"<table:table-cell {wide} {high}><text:p>{text}</text:p></table:table-cell>"
            elif covered:
                cells += "<table:covered-table-cell/>"
            else:
                cells += f"<table:table-cell><text:p>{text}</text:p></table:table-cell>"
        rows += f"<table:table-row>{cells}</table:table-row>"
    return opendocument(f"<table:table>{rows}</table:table>")


def rich() -> bytes:
    arabic = "".join(f"\\u{ord(letter)}?" for letter in "القسم")
    row = r"\trowd{}\pard\intbl {}\row "
    cells = r"\clvmrg\cellx1000\cellx2000\cellx3000"
    first = r"\clvmgf\cellx1000\cellx2000\cellx3000"
    return rich_text(
        row.format(r"\clvmgf\cellx1000\cellx3000", f"{arabic}\\cell 2024\\cell")
        + row.format(cells, r"\cell first\cell second\cell")
        + row.format(first, r"sales\cell 1\cell 2\cell")
        + row.format(cells, r"\cell 3\cell 4\cell")
        + row.format(r"\clmgf\cellx1000\clmrg\cellx2000\clmrg\cellx3000", r"all together\cell\cell\cell")
        + r"\pard\par"
    )


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.docx", word), ("a.pptx", slides), ("a.odt", opened), ("a.rtf", rich)],
)
def test_a_cell_stands_in_its_rows_and_across_only_in_the_header(parse, name, data):
    assert parse(data(), name).pages[0].text.removeprefix("# Slide 1\n\n") == EXPECTED


def test_a_sheet_too(parse):
    # The note that spans a sheet below its table is text of its own.
    expected = EXPECTED.replace("\n| all together |  |  |", "\n\nall together")
    assert parse(sheet(), "a.xlsx").pages[0].text == f"# Sheet1\n\n{expected}"


def test_long_texts_stand_once(parse):
    document = docx.Document()
    table = document.add_table(2, 2)
    for row, column, text in ((0, 1, "b"), (1, 1, "d")):
        table.cell(row, column).text = text
    table.cell(0, 0).merge(table.cell(1, 0)).text = "long " * 50
    assert parse(saved(document), "a.docx").pages[0].text.count("long") == 50


def test_absurd_spans_are_not_believed(parse):
    document = docx.Document()
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "x"
    for span in ('<w:gridSpan {} w:val="1000000"/>', '<w:vMerge {} w:val="restart"/>'):
        table.cell(0, 0)._tc.get_or_add_tcPr().append(parse_xml(span.format(nsdecls("w"))))
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f'<w:gridBefore {nsdecls("w")} w:val="999999999"/>'))
    assert parse(saved(document), "a.docx").pages[0].text.count("x") < 200


@pytest.mark.parametrize(("name", "data"), [("a.docx", word), ("a.pptx", slides), ("a.odt", opened), ("a.rtf", rich)])
def test_a_table_of_too_many_cells_is_refused(name, data):
    with pytest.raises(DocumentTooLargeError):
        HeuristicBackend(ParsingLimits(table_cells=10)).parse(RawSource(name, content=data()))
