"""Headers and footers of DOCX files stand once."""

from __future__ import annotations

import docx
from docx.enum.section import WD_SECTION
from office_files import saved


def test_each_header_and_footer_stands_once_where_it_first_holds(parse):
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Policy 17"
    document.sections[0].footer.paragraphs[0].text = "سري"
    document.add_paragraph("one")
    document.add_page_break()
    document.add_paragraph("two")
    second = document.add_section(WD_SECTION.NEW_PAGE)
    second.header.is_linked_to_previous = False
    second.header.paragraphs[0].text = "Annex"
    document.add_paragraph("three")
    pages = parse(saved(document), "a.docx").pages
    assert [page.text for page in pages] == ["Policy 17\n\none", "two\n\nسري", "Annex\n\nthree"]


def test_page_numbers_are_no_text(parse):
    document = docx.Document()
    document.sections[0].footer.paragraphs[0].text = "Page 3 of 12"
    document.sections[0].header.paragraphs[0].text = "صفحة ٣"
    document.add_paragraph("body")
    assert parse(saved(document), "a.docx").pages[0].text == "body"
