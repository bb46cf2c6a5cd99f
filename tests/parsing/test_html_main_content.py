"""Of a web page, the content is read and what surrounds it is not."""

from __future__ import annotations

import pytest

STORY = "<p>The long story of a town and of the people who live in it, told at length.</p>" * 3
MENU = "<a href=1>Home</a> <a href=2>News</a> <a href=3>Sport</a> <a href=4>Weather</a>"


def text_of(parse, body: str) -> str:
    return parse(f"<!DOCTYPE html><html><body>{body}</body></html>", "a.html").pages[0].text


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>{}</nav>",
        "<footer>{}</footer>",
        "<aside>{}</aside>",
        "<div role=navigation>{}</div>",
        "<div class='site-menu'>{}</div>",
        "<div id=cookie-consent><p>We use cookies.</p></div>",
        "<ul class=x><li><a href=1>Home</a><li><a href=2>News</a><li><a href=3>Sport</a><li><a href=4>Art</a></ul>",
        "<div>{}</div>",
    ],
)
def test_menus_and_footers_are_left_out(parse, furniture):
    text = text_of(parse, furniture.format(MENU) + STORY)
    assert text.startswith("The long story")
    assert "Home" not in text


def test_a_list_of_links_inside_the_content_is_content(parse):
    links = "".join(f"<li><a href=x>Law {number}</a>" for number in range(6))
    assert "- Law 3" in text_of(parse, f"<main>{STORY}<ul>{links}</ul></main>")


def test_short_facts_beside_the_prose_are_kept(parse):
    assert "Price: $45" in text_of(parse, f"<div>{STORY}</div><div>Price: $45</div>")


def test_a_box_around_everything_may_be_called_anything(parse):
    text = text_of(parse, f"<div class='page-with-menu sidebar'><h1>Title</h1>{STORY}</div>")
    assert text.startswith("# Title")


def test_the_language_and_direction_are_kept(parse):
    metadata = parse("<html lang=ar dir=rtl><body><p>نص</p></body></html>", "a.html").document.metadata
    assert metadata["language"] == "ar"
    assert metadata["direction"] == "rtl"
