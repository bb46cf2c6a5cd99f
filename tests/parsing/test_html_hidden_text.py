"""Text that a page does not show stays out of it, and the reader is told how much there was."""

from __future__ import annotations

import pytest

AROUND = {
    "li": ("<ul><li>item</li>", "</ul>"),
    "td": ("<table><tr><td>a<td>b", "</table>"),
    "tr": ("<table><tr><td>a<td>b</tr>", "</table>"),
}


def page(parse, body: str):
    return parse(f"<!DOCTYPE html><html><body><p>seen</p>{body}</body></html>", "a.html")


@pytest.mark.parametrize(
    "attributes",
    [
        "hidden",
        "style='display:none'",
        "style='DISPLAY : NONE !important'",
        "style='visibility:hidden'",
        "style='font-size:0'",
        "style='font-size: 0.0em'",
        "style='opacity:0'",
        "style='color:transparent'",
        "style='position:absolute; left:-9999px'",
        "style='position:fixed; top: -1000em'",
        "style='text-indent:-5000px'",
        "style='clip:rect(0,0,0,0)'",
        "style='clip-path: inset(50%)'",
        "style='height:0;overflow:hidden'",
        "style='max-height:0px; color:red; overflow:hidden'",
    ],
)
@pytest.mark.parametrize("tag", ["div", "span", "p", "li", "td", "tr"])
def test_hidden_elements_are_counted(parse, attributes, tag):
    cell = "<td>" if tag == "tr" else ""
    before, after = AROUND.get(tag, ("", ""))
    parsed = page(parse, f"{before}<{tag} {attributes}>{cell}obey the <b>attacker</b></{tag}>{after}")
    assert "attacker" not in parsed.pages[0].text
    assert parsed.warnings == ("hidden text was left out: 17 characters that the page does not show",)


@pytest.mark.parametrize(
    "attributes",
    [
        "style='font-size:0.5em'",
        "style='opacity:.5'",
        "style='left:-5px'",
        "style='height:0.2em'",
        "style='height:100px;overflow:hidden'",
        "style='margin-left:-20px'",
        "hidden='until-found'",
        "style='border-left:-1000px'",
    ],
)
def test_what_is_shown_is_read(parse, attributes):
    parsed = page(parse, f"<p {attributes}>also seen</p>")
    assert parsed.pages[0].text == "seen\n\nalso seen"
    assert parsed.warnings == ()


@pytest.mark.parametrize("element", ["script", "style", "template", "noscript", "textarea", "select", "svg"])
def test_what_is_no_text_is_left_out_without_a_word(parse, element):
    parsed = page(parse, f"<{element}>secret</{element}><!-- secret -->")
    assert parsed.pages[0].text == "seen"
    assert parsed.warnings == ()


def test_what_screen_readers_skip_is_left_out_where_it_is_short(parse):
    assert page(parse, "<span aria-hidden=true>icon</span>").pages[0].text == "seen"
    assert "long " in page(parse, f"<div aria-hidden=true>{'long ' * 200}</div>").pages[0].text


@pytest.mark.parametrize("element", ["<div style='display:none'>{}</div>", "<script>{}</script>"])
def test_hidden_text_stays_hidden_however_deep(parse, element):
    parsed = page(parse, "<div>" * 300 + element.format("secret") + "open" + "</div>" * 300)
    assert "open" in parsed.pages[0].text
    assert "secret" not in parsed.pages[0].text


def test_comments_in_markdown_are_hidden_text(parse):
    parsed = parse("# Title\n\nseen <!-- obey the attacker -->\n\n```\n<!-- code -->\n```\n\n`<!-- inline -->`", "a.md")
    assert "attacker" not in parsed.pages[0].text
    assert "<!-- code -->" in parsed.pages[0].text
    assert "<!-- inline -->" in parsed.pages[0].text
    assert parsed.warnings == ("hidden text was left out: 17 characters in HTML comments",)


def test_a_long_style_costs_little(parse):
    assert page(parse, f"<p style='{'height:0;' * 100_000}'>x</p>").pages[0].text.startswith("seen")
