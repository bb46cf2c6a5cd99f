"""Fields, content controls and symbols of DOCX files show what a reader sees."""

from __future__ import annotations

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from office_files import saved


def body_text(parse, *elements: str) -> str:
    document = docx.Document()
    document.add_paragraph("start")
    body = document.element.body
    for element in elements:
        tag, _, rest = element.partition(">")
        body.insert(len(body) - 1, parse_xml(f"{tag} {nsdecls('w')}>{rest}"))
    return parse(saved(document), "a.docx").pages[0].text.removeprefix("start").strip()


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def mark(kind: str, inner: str = "") -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'


CODE = "<w:r><w:instrText>PAGE</w:instrText></w:r>"


def test_a_field_shows_its_result(parse):
    paragraph = f"<w:p>{run('see ')}{mark('begin')}{CODE}{mark('separate')}{run('5')}{mark('end')}{run(' below')}</w:p>"
    assert body_text(parse, paragraph) == "see 5 below"


def test_a_field_inside_the_code_of_another_is_not_shown(parse):
    inner = mark("begin") + CODE + mark("separate") + run("inner") + mark("end")
    paragraph = f"<w:p>{mark('begin')}{CODE}{inner}{run('code')}{mark('separate')}{run('result')}{mark('end')}</w:p>"
    assert body_text(parse, paragraph) == "result"


def test_a_field_without_an_end_swallows_nothing(parse):
    assert (
        body_text(parse, f"<w:p>{run('a ')}{mark('begin')}{CODE}{run('b')}</w:p>", f"<w:p>{run('c')}</w:p>")
        == "a b\n\nc"
    )


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>', "☐"),
        ('<w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="نعم"/></w:ddList>', "نعم"),
    ],
)
def test_form_fields_show_their_state(parse, data, shown):
    begin = mark("begin", f"<w:ffData>{data}</w:ffData>")
    assert body_text(parse, f"<w:p>{run('x ')}{begin}{CODE}{mark('end')}</w:p>") == f"x {shown}"


def test_content_controls_give_their_text_but_not_their_prompt(parse):
    control = "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent><w:p>{}</w:p></w:sdtContent></w:sdt>"
    prompt = control.format("<w:showingPlcHdr/>", run("Click here"))
    assert body_text(parse, control.format("", run("filled")), prompt) == "filled"
    inline = f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{run('Click')}</w:sdtContent></w:sdt>"
    assert body_text(parse, f"<w:p>{inline}{run('x')}</w:p>") == "x"


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("Symbol", "F061", "α"),
        ("Wingdings", "F0FE", "☑"),
        ("Wingdings", "F0FC", "✓"),
        ("Unknown", "F0FC", ""),
        ("Arial", "2192", "→"),
        ("Arial", "zz", ""),
    ],
)
def test_symbols(parse, font, code, shown):
    assert body_text(parse, f'<w:p>{run("x")}<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r></w:p>') == f"x{shown}"
