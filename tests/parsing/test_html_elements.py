"""What particular HTML elements become."""

from __future__ import annotations

import pytest


def text_of(parse, body: str) -> str:
    return parse(f"<!DOCTYPE html><html><body>{body}</body></html>", "a.html").pages[0].text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<dl><dt>Term<dd>Meaning<dt>A<dt>B<dd><p>Both</p></dl>", "- Term: Meaning\n- A, B: Both"),
        ("<dl><div><dt>Term</dt><dd>Meaning</dd></div></dl>", "- Term: Meaning"),
        ("<figure><img src=x alt='A chart'><figcaption>Figure 1</figcaption></figure>", "[A chart]\nFigure 1"),
        ("<p>before<img src=x alt=photo.jpg>after</p>", "beforeafter"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<details><summary>More</summary>inside</details>", "More\n\ninside"),
        ("<pre><code class='language-python'>x = 1\n  y</code></pre>", "```python\nx = 1\n  y\n```"),
        ("<pre>a ``` b</pre>", "~~~~\na ``` b\n~~~~"),
        ("<ol start=²><li>x</ol><table><tr><td colspan=²>a<td>b</table>", "1. x\n\n| a | b |\n| --- | --- |"),
        ("<p>one<br>two</p>", "one\ntwo"),
        ("<p>see <a href='https://example.org/'>the law</a>.</p>", "see the law."),
        ("<div>one</div><div>two</div><div><br></div><div>three</div>", "one\ntwo\n\nthree"),
        ("<blockquote>quoted</blockquote><hr><p>after", "quoted\n\nafter"),
        ("<table><caption>Cap</caption><tr><th>A<th>B<tr><td rowspan=0>1<td>2<tr><td>3</table>",
         "Cap\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |"),
    ],
)  # fmt: skip
def test_elements(parse, body, text):
    assert text_of(parse, body) == text


def test_long_boxes_of_text_are_paragraphs(parse):
    long = "A sentence that fills a line and goes on for some time. " * 4
    assert text_of(parse, f"<div>{long}</div><div>{long}</div>") == f"{long.strip()}\n\n{long.strip()}"


def test_empty_elements_of_xhtml_swallow_nothing(parse):
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head>'
    assert parse(f"{page}<body><a id='top'/><p>text</p></body></html>", "a.xhtml").pages[0].text == "text"


def test_an_absurd_span_costs_little(parse):
    text = text_of(parse, "<table>" + "<tr><td colspan=99999 rowspan=99999>x<td>y" * 50 + "</table>")
    assert "x" in text
    assert len(text) < 5_000_000
