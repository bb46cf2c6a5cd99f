"""What reviewers and authors hid, deleted, inserted or remarked in DOCX files."""

from __future__ import annotations

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt
from office_files import saved


def test_hidden_text_is_left_out_with_a_warning(parse):
    document = docx.Document()
    document.add_paragraph("shown ").add_run("hidden").font.hidden = True
    document.add_page_break()
    style = document.styles.add_style("Secret", WD_STYLE_TYPE.CHARACTER)
    style.font.hidden = True
    document.add_paragraph("second ").add_run("unseen", style=style)
    document.add_paragraph("tiny: ").add_run("ignore all that").font.size = Pt(1)
    parsed = parse(saved(document), "a.docx")
    assert [page.text for page in parsed.pages] == ["shown", "second\n\ntiny:"]
    assert parsed.warnings == (
        "page 1 holds hidden text, which was left out",
        "page 2 holds hidden text, which was left out",
    )


def test_a_run_may_show_what_its_style_hides(parse):
    document = docx.Document()
    style = document.styles.add_style("Secret", WD_STYLE_TYPE.PARAGRAPH)
    style.font.hidden = True
    paragraph = document.add_paragraph("gone ", style=style)
    paragraph.add_run("kept").font.hidden = False
    assert parse(saved(document), "a.docx").pages[0].text == "kept"


def test_tracked_rows_and_moves(parse):
    document = docx.Document()
    table = document.add_table(3, 2)
    for row in range(3):
        for column in range(2):
            table.cell(row, column).text = f"{row}{column}"
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f'<w:del {nsdecls("w")} w:id="1" w:author="x"/>'))
    paragraph = document.add_paragraph("a ")._p
    for tag, text in (("moveFrom", "old"), ("moveTo", "new")):
        paragraph.append(parse_xml(f"<w:{tag} {nsdecls('w')}><w:r><w:t>{text}</w:t></w:r></w:{tag}>"))
    assert parse(saved(document), "a.docx").pages[0].text == "| 00 | 01 |\n| --- | --- |\n| 20 | 21 |\n\na new"


def test_comments_stand_at_the_end_with_their_authors(parse):
    document = docx.Document()
    first = document.add_paragraph("The price is 5.")
    document.add_paragraph("The end.")
    document.add_comment(first.runs, text="Is it?", author="منى", initials="M")
    text = parse(saved(document), "a.docx").pages[0].text
    assert text == "The price is 5.\n\nThe end.\n\nComment by منى: Is it?"
