"""HTML pages become headings, lists and tables; what cannot be seen stays out."""

from __future__ import annotations

import time

import pytest

from dalil.errors import DocumentTooLargeError, EmptyDocumentError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits


def text_of(parse, body: str) -> str:
    return parse(f"<!DOCTYPE html><html><body>{body}</body></html>", "a.html").pages[0].text


def test_headings_and_paragraphs(parse):
    assert text_of(parse, "<h1>A <b>b</b></h1><p>one\n two<br>three</p>tail") == "# A b\n\none two\nthree\n\ntail"


def test_nested_lists_keep_their_labels(parse):
    body = "<ul><li>x<li>y<ol start=3><li>q<li>r</ol><li><p>z</p></ul>"
    assert text_of(parse, body) == "- x\n- y\n  3. q\n  4. r\n- z"


def test_spans_are_filled_in(parse):
    body = "<table><tr><th rowspan=2>R<th colspan=2>C<tr><td>1<td>2|3</table>"
    assert text_of(parse, body) == "| R | C | C |\n| --- | --- | --- |\n| R | 1 | 2\\|3 |"


def test_a_layout_table_is_read_as_text(parse):
    assert text_of(parse, "<table><tr><td><h2>T</h2><p>one</p></td><td>two</td></tr></table>") == "## T\n\none\n\ntwo"


def test_preformatted_text_keeps_its_shape(parse):
    assert text_of(parse, "<pre>\n a\n   b</pre>") == "```\n a\n   b\n```"


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>secret</p>",
        "<div style='display: none'>secret</div>",
        "<span style='visibility:hidden'>secret</span>",
        "<span style='font-size:0px'>secret</span>",
        "<script>secret</script>",
        "<style>secret</style>",
        "<template>secret</template>",
        "<!-- secret -->",
        "<nav>secret</nav>",
        "<footer>secret</footer>",
        "<aside>secret</aside>",
    ],
)
def test_what_is_not_shown_or_not_content_is_left_out(parse, hidden):
    assert text_of(parse, f"<p>seen</p>{hidden}") == "seen"


def test_small_type_is_not_hidden(parse):
    assert text_of(parse, "<p style='font-size:0.8em;opacity:0.9'>seen</p>") == "seen"


def test_the_main_content_is_preferred(parse):
    body = "<div>menu</div><main><p>the long story of the page</p></main>"
    assert text_of(parse, body) == "the long story of the page"


def test_a_small_article_is_not_the_whole_page(parse):
    body = "<article>teaser</article><p>the long story of the page, told at length</p>"
    assert "long story" in text_of(parse, body)


def test_a_page_of_boilerplate_only_is_still_read(parse):
    assert text_of(parse, "<aside>all there is</aside>") == "all there is"


def test_the_title_comes_from_the_head_or_the_first_heading(parse):
    assert parse("<html><title> The\n title </title><h1>H</h1>", "a.html").document.metadata["title"] == "The title"
    assert parse("<html><h1>Heading</h1>", "a.html").document.metadata["title"] == "Heading"


def test_a_page_without_text_is_empty(parse):
    with pytest.raises(EmptyDocumentError):
        text_of(parse, "<img src=x><script>1</script>")


@pytest.mark.parametrize("opening", ["<div>", "<ul><li>", "<table><tr><td>", "<b>", "<span><p>", "<blockquote>"])
def test_deep_nesting_costs_little(parse, opening):
    start = time.perf_counter()
    assert "hello" in text_of(parse, opening * 50_000 + "hello")
    assert time.perf_counter() - start < 5


def test_too_much_markup_is_refused():
    backend = HeuristicBackend(ParsingLimits(markup_bytes=100))
    with pytest.raises(DocumentTooLargeError):
        backend.parse(RawSource("a.html", content="<html>" + "x" * 200))


def test_a_real_nested_table(real):
    text = real("table_06.html").pages[0].text
    assert len([line for line in text.split("\n") if line.startswith("|") and "---" not in line]) == 2
    assert text.startswith("# Header")
    assert text.endswith("After table")
