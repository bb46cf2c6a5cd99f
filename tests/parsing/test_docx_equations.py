"""Equations of DOCX files as linear text."""

from __future__ import annotations

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from office_files import saved

MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def e(text: str) -> str:
    return f"<m:e>{r(text)}</m:e>"


@pytest.mark.parametrize(
    ("equation", "linear"),
    [
        (f"<m:f><m:num>{r('a+b')}</m:num><m:den>{r('2')}</m:den></m:f>", "(a+b)/2"),
        (f"{r('E=m')}<m:sSup><m:e>{r('c')}</m:e><m:sup>{r('2')}</m:sup></m:sSup>", "E=mc^2"),
        (f"<m:sSubSup><m:e>{r('x')}</m:e><m:sub>{r('i')}</m:sub><m:sup>{r('n-1')}</m:sup></m:sSubSup>", "x_i^(n-1)"),
        (f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>{r("x+1")}</m:e></m:rad>', "√(x+1)"),
        (f"<m:rad><m:deg>{r('3')}</m:deg><m:e>{r('x')}</m:e></m:rad>", "∛(x)"),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{r("i=1")}</m:sub><m:sup>{r("n")}</m:sup>'
            f"<m:e>{r('i')}</m:e></m:nary>",
            "∑_(i=1)^n i",
        ),
        (f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr><m:e>{r("س")}</m:e></m:d>', "[س"),
        (f"<m:m><m:mr>{e('1')}{e('0')}</m:mr><m:mr>{e('0')}{e('1')}</m:mr></m:m>", "[1, 0; 0, 1]"),
        (f"<m:func><m:fName>{r('sin')}</m:fName><m:e>{r('x')}</m:e></m:func>", "sin x"),
        (f"<m:unknown>{r('kept')}</m:unknown>", "kept"),
    ],
)  # fmt: skip
def test_equations_are_read(parse, equation, linear):
    document = docx.Document()
    document.add_paragraph("see ")._p.append(parse_xml(f"<m:oMath {MATH} {nsdecls('w')}>{equation}</m:oMath>"))
    assert parse(saved(document), "a.docx").pages[0].text == f"see {linear}"


def test_deeply_nested_equations_keep_their_text(parse):
    document = docx.Document()
    nested = "<m:d><m:e>" * 90 + r("x") + "</m:e></m:d>" * 90
    document.add_paragraph()._p.append(parse_xml(f"<m:oMath {MATH}>{nested}</m:oMath>"))
    assert "x" in parse(saved(document), "a.docx").pages[0].text
