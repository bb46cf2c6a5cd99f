"""HTML read as an article: the prose alone where there is one, the whole page with a warning where there is none."""

from __future__ import annotations

import pytest

from dalil.errors import MissingExtraError
from dalil.models import ParsedDocument, RawSource
from dalil.parsing import HeuristicBackend

pytest.importorskip("trafilatura", reason="the extra `web` is not installed")

PROSE = "".join(
    f"<p>The harbour of the old town was rebuilt in the year {year}, and its walls were raised by two metres.</p>"
    for year in range(1801, 1809)
)
NEWS = (
    "<html lang='en'><head><title>Harbour news</title></head><body><nav><a href='/'>Home</a></nav>"
    f"<div class='story'><h1>The harbour</h1>{PROSE}</div>"
    "<div class='related'><h3>Read next</h3><ul><li><a href='/x'>Ten tricks for better sleep</a></li></ul></div>"
    "</body></html>"
)


@pytest.fixture(params=[True, False], ids=["in a worker", "in this process"])
def parse(request: pytest.FixtureRequest):
    backend = HeuristicBackend(isolated=request.param, articles=True)

    def parse_page(markup: str) -> ParsedDocument:
        return backend.parse(RawSource("page.html", content=markup))

    return parse_page


def test_the_article_is_kept_and_what_stands_around_it_is_not(parse) -> None:
    parsed = parse(NEWS)
    [page] = parsed.pages
    assert page.text.count("The harbour of the old town was rebuilt") == 8
    assert "Ten tricks" not in page.text
    assert parsed.document.metadata["title"] == "Harbour news"


def test_a_page_without_an_article_is_read_whole(parse) -> None:
    parsed = parse("<html><body><img src='tea.png' alt='A pot of tea on a blue table'></body></html>")
    assert "A pot of tea" in parsed.pages[0].text
    assert any("no article" in warning for warning in parsed.warnings)


def test_other_formats_are_read_as_ever() -> None:
    assert HeuristicBackend(articles=True).parse(RawSource("a.txt", content="Tea.")).pages[0].text == "Tea."


def test_a_cache_tells_both_readings_apart() -> None:
    assert HeuristicBackend(articles=True).identity != HeuristicBackend().identity


def test_without_the_extra_the_install_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalil.parsing.backend.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'dalil\[web\]'"):
        HeuristicBackend(articles=True)
