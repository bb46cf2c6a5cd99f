"""ODT files become headings, lists, tables, notes and pages."""

from __future__ import annotations

import time

import pytest
from office_files import members_of, opendocument, zipped

from dalil.errors import CorruptDocumentError, LoaderError


def text_of(parse, body: str, **parts: str) -> str:
    return parse(opendocument(body, **parts), "a.odt").pages[0].text


LISTS = (
    '<text:list-style style:name="N">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>'
    '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>'
)
OUTLINE = (
    '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>'
)


def test_headings_and_paragraphs_in_order(parse):
    body = (
        '<text:p text:style-name="Title">الدليل</text:p><text:h text:outline-level="1">Leave</text:h>'
        "<text:p>Thirty<text:s text:c='2'/>days\n   a<text:tab/>year<text:line-break/>"
        "at <text:span>most</text:span>.</text:p>"
        '<text:section><text:h text:outline-level="2">Sick</text:h></text:section>'
    )
    assert text_of(parse, body) == "# الدليل\n\n## Leave\n\nThirty  days a\tyear\nat most.\n\n### Sick"


def test_headings_show_their_numbers(parse):
    headings = "".join(f'<text:h text:outline-level="{level}">x</text:h>' for level in (1, 2, 2, 1, 2))
    assert text_of(parse, headings, styles=f"<office:styles>{OUTLINE}</office:styles>").split("\n\n") == [
        "# 1 x", "## 1.1 x", "## 1.2 x", "# 2 x", "## 2.1 x",
    ]  # fmt: skip


def item(text: str) -> str:
    return f"<text:list-item><text:p>{text}</text:p></text:list-item>"


def test_lists(parse):
    inner = f"<text:list>{item('inner')}</text:list>"
    body = (
        f'<text:list text:style-name="N"><text:list-item><text:p>one</text:p>{inner}</text:list-item>'
        f"{item('two')}</text:list><text:p>between</text:p>"
        f'<text:list text:style-name="N" text:continue-numbering="true">{item("three")}</text:list>'
        f'<text:list text:style-name="B">{item("point")}</text:list>'
    )
    assert text_of(parse, body, automatic=LISTS) == "1. one\n  a) inner\n2. two\n\nbetween\n\n3. three\n- point"


def test_notes_stand_at_the_end_of_their_page(parse):
    inner = "<text:note-citation>1</text:note-citation><text:note-body><text:p>حاشية</text:p></text:note-body>"
    note = f"<text:note>{inner}</text:note>"
    body = f"<text:p>text{note} goes on</text:p><text:p>more</text:p><text:soft-page-break/><text:p>next</text:p>"
    pages = parse(opendocument(body), "a.odt").pages
    assert [page.text for page in pages] == ["text[^1] goes on\n\nmore\n\n[^1]: حاشية", "next"]


def test_page_breaks(parse):
    automatic = (
        '<style:style style:name="P" style:parent-style-name="Q"/>'
        '<style:style style:name="Q"><style:paragraph-properties fo:break-before="page"/></style:style>'
    )
    body = '<text:p>one</text:p><text:p text:style-name="P">two</text:p><text:p>cut <text:soft-page-break/>off</text:p>'
    pages = parse(opendocument(body, automatic=automatic), "a.odt").pages
    assert [page.text for page in pages] == ["one", "two\n\ncut", "off"]


def test_frames_pictures_and_objects(parse):
    formula = "<math><semantics><annotation>E = m c^2</annotation></semantics></math>"
    body = (
        "<text:p>anchor<draw:frame><draw:text-box><text:p>مربع</text:p></draw:text-box></draw:frame></text:p>"
        "<text:p><draw:frame><draw:image/><svg:desc>a map</svg:desc></draw:frame></text:p>"
        '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    )
    text = text_of(parse, body, **{"Object 1__content_xml": formula})
    assert text == "anchor\n\nمربع\n\n![a map]()\n\nE = m c^2"


def test_what_was_deleted_or_hidden_is_left_out(parse):
    automatic = '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>'
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion>"
        '</text:changed-region></text:tracked-changes><text:p>shown <text:span text:style-name="H">hidden</text:span>'
        "<text:change/>end</text:p>"
        '<text:p text:style-name="H">all hidden</text:p>'
    )
    parsed = parse(opendocument(body, automatic=automatic), "a.odt")
    assert parsed.pages[0].text == "shown end"
    assert parsed.warnings == ("page 1 holds hidden text, which was left out",)


def test_comments_headers_and_footers(parse):
    styles = (
        "<office:master-styles><style:master-page><style:header><text:p>Policy 17</text:p></style:header>"
        "<style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page>"
        "</office:master-styles>"
    )
    body = (
        "<text:p>text<office:annotation><dc:creator>منى</dc:creator><text:p>sure?</text:p></office:annotation></text:p>"
    )
    assert text_of(parse, body, styles=styles) == "Policy 17\n\ntext\n\nComment by منى: sure?"


@pytest.mark.parametrize("change", [{"content.xml": b"<x"}, {"content.xml": None}])
def test_a_damaged_or_missing_main_part_is_corrupt(parse, change):
    members = members_of(opendocument("<text:p>x</text:p>"))
    members.update({name: data for name, data in change.items() if data})
    for name in [name for name, data in change.items() if data is None]:
        del members[name]
    with pytest.raises(CorruptDocumentError):
        parse(zipped(members), "a.odt")


def test_damaged_styles_cost_only_themselves(parse):
    members = members_of(opendocument("<text:p>x</text:p>"))
    parsed = parse(zipped({**members, "styles.xml": "<x"}), "a.odt")
    assert parsed.pages[0].text == "x"
    assert parsed.warnings == ("a damaged part was left out (styles.xml)",)


@pytest.mark.parametrize("depth", [60, 3000])
def test_deeply_nested_tables_end_in_an_error_or_in_text(parse, depth):
    opening, closing = (
        "<table:table><table:table-row><table:table-cell>",
        "</table:table-cell></table:table-row></table:table>",
    )
    start = time.perf_counter()
    try:
        text = text_of(parse, f"{opening * depth}<text:p>deep</text:p>{closing * depth}")
    except LoaderError:
        assert depth > 60
    else:
        assert "deep" in text
    assert time.perf_counter() - start < 10
