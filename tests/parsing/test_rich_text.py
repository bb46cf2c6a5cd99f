"""RTF files become text in any alphabet, headings, lists, tables, notes and pages."""

from __future__ import annotations

import time

import pytest
from office_files import rich_text

from dalil.errors import DocumentTooLargeError

FONTS = (
    r"\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset178 Arial (Arabic);}{\f2\fcharset2 Symbol;}"
    r"{\f3\fcharset128 MS Mincho;}{\f4\fcharset204 Arial CYR;}}"
)
STYLES = (
    r"{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\s2\outlinelevel1 heading 2;}{\s15 Title;}"
    r"{\*\cs10 Default;}}"
)


def text_of(parse, body: str, header: str = FONTS) -> str:
    return parse(rich_text(body, header), "a.rtf").pages[0].text


def escaped(text: str, encoding: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"{\f1 " + escaped("المادة الأولى", "cp1256") + "}", "المادة الأولى"),
        (r"\f3 " + escaped("佐藤太郎", "cp932"), "佐藤太郎"),
        (r"\f4 " + escaped("сноска", "cp1251"), "сноска"),
        (r"{\f2 " + "\\'b7\\'61" + "} x", "•a x"),
        ("caf\\'e9 " + r"\emdash\ldblquote x\rdblquote", "café —“x”"),
        (r"\u1587?\u1604?\u1575?\u1605?", "سلام"),
        (r"{\uc0\u1587\u1604  x}", "سل x"),
        (r"{\uc2\u1587\'3f\'3fx}", "سx"),
        (r"\u-10179?\u-8704?", "\U0001f600"),
        (r"{\upr{ansi}{\*\ud{\u1587?}}}", "س"),
        (r"a\~b\_c\-d\{e\}\\", "a\u00a0b-cd{e}\\"),
    ],
)
def test_characters(parse, body, text):
    assert text_of(parse, body + r"\par") == text


def test_a_code_page_of_the_whole_document(parse):
    header = r"\ansi\ansicpg1256\deff0{\fonttbl{\f0\fnil Arial;}}"
    assert text_of(parse, escaped("قانون رقم 8", "cp1256"), header) == "قانون رقم 8"


def test_headings_and_lists(parse):
    body = STYLES + (
        r"\pard\s15 Handbook\par\pard\s1 Leave\par\pard Thirty days.\par"
        r"{\listtext\f2\'b7\tab}annual\par{\listtext\f2\'b7\tab}\ilvl1 inner\par"
        r"{\pntext 1.\tab}\ilvl0 ask\par\pard\s2 Sick\par"
    )
    assert text_of(parse, body) == ("# Handbook\n\n## Leave\n\nThirty days.\n\n- annual\n  - inner\n1. ask\n\n### Sick")


def test_notes_pages_and_sections(parse):
    body = r"one{\footnote note \u1587?\par}\par two\page three\par\sect\sectd\sbknone four\par\sect\sectd five\par"
    pages = parse(rich_text(body), "a.rtf").pages
    assert [page.text for page in pages] == ["one[^1]\n\ntwo\n\n[^1]: note س", "three\n\nfour", "five"]


def test_headers_footers_comments_and_boxes(parse):
    body = (
        r"{\header Policy 17\par}{\footer Page {\field{\*\fldinst PAGE}{\fldrslt 1}}\par}before "
        r"{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt \pard boxed\par}}"
        r"{\shprslt{\*\do{\dptxbxtext boxed\par}}}}after\par"
        r"{\*\atnid M}{\*\atnauthor Mona}\chatn{\*\annotation sure?\par}"
    )
    assert text_of(parse, body) == "Policy 17\n\nbefore after\n\nboxed\n\nComment by Mona: sure?"


def test_tables_follow_their_edges(parse):
    body = (
        r"\trowd\cellx1000\cellx2000\cellx3000\pard\intbl a\cell b\par c\cell d\cell\row"
        r"\trowd\cellx1000\cellx3000\pard\intbl 1\cell wide\cell\row\pard after\par"
    )
    assert text_of(parse, body) == "| a | b c | d |\n| --- | --- | --- |\n| 1 | wide |  |\n\nafter"


def test_what_is_hidden_deleted_or_no_text_is_left_out(parse):
    body = (
        r"a{\v secret}{\deleted gone}{\pict\pngblip 89504e47}{\*\unknown x}{\object{\*\objdata 00ff}{\result shown}}"
        r"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}{\pict\bin5 }}{{x}b\par"
    )
    parsed = parse(rich_text(body), "a.rtf")
    assert parsed.pages[0].text == "ashownlinkb"
    assert parsed.warnings == ("page 1 holds hidden text, which was left out",)


def test_a_document_cut_short_gives_what_there_is(parse):
    parsed = parse(rich_text(r"\pard one\par {\b two")[:-1], "a.rtf")
    assert parsed.pages[0].text == "one\n\ntwo"
    assert parsed.warnings == ("the document is cut short",)


def test_groups_nested_absurdly_deep_are_refused(parse):
    with pytest.raises(DocumentTooLargeError):
        parse(rich_text("{" * 100_000 + "x"), "a.rtf")


@pytest.mark.parametrize(
    "body", [r"\bin9999999999 x", r"\u99999999999 x", r"\'zz x", "\\", r"\uc-5\u1 x", r"\cellx\row\cell\sect x"]
)
def test_damaged_words_cost_no_text_before_them(parse, body):
    assert text_of(parse, r"before\par " + body).startswith("before")


def test_pictures_cost_little(parse):
    start = time.perf_counter()
    body = r"text{\pict\pngblip " + "0a1b\n" * 2_000_000 + "}"
    assert text_of(parse, body) == "text"
    assert time.perf_counter() - start < 10
