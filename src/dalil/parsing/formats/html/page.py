"""One HTML page: its text, its title, its language, and how much of it nobody sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dalil.parsing.characters import one_line
from dalil.parsing.formats.html.blocks import BlockWriter
from dalil.parsing.formats.html.flatten import flatten
from dalil.parsing.formats.html.root import Skip, main_content
from dalil.parsing.markup import join_blocks


@dataclass(frozen=True)
class HtmlPage:
    """`hidden` counts characters of text in elements that are not shown."""

    text: str
    title: str | None = None
    hidden: int = 0
    metadata: dict[str, str] = field(default_factory=dict)

    def warnings(self) -> list[str]:
        """One sentence about hidden text, or nothing."""
        return (
            [f"hidden text was left out: {self.hidden} characters that the page does not show"] if self.hidden else []
        )


def page_of(markup: str, *, keep_boilerplate: bool = False) -> HtmlPage:
    """The main content, or everything that is visible where that would leave nothing.

    `keep_boilerplate` keeps what looks like menus and footers: a letter or a chapter has none.
    """
    parser = LexborHTMLParser(flatten(markup))
    root, skip = (parser.body, None) if keep_boilerplate else main_content(parser)
    text, hidden = _written(root, skip)
    if not text and skip is not None:
        text, hidden = _written(parser.body, None)
    return HtmlPage(text, _title(parser), hidden, _metadata(parser))


def _written(root: LexborNode | None, skip: Skip | None) -> tuple[str, int]:
    """An element's blocks as text, and how many characters it hides."""
    if root is None:
        return "", 0
    writer = BlockWriter(skip)
    return join_blocks(writer.blocks(root)), writer.hidden


def _title(parser: LexborHTMLParser) -> str | None:
    return _first_text(parser, ("head title", "h1"))


def _first_text(parser: LexborHTMLParser, selectors: Sequence[str]) -> str | None:
    for selector in selectors:
        node = parser.css_first(selector)
        text = one_line(node.text()) if node is not None else ""
        if text:
            return text
    return None


def _metadata(parser: LexborHTMLParser) -> dict[str, str]:
    """The language and the direction of writing that the page declares."""
    found: dict[str, str] = {}
    for selector in ("body", "html"):
        node = parser.css_first(selector)
        if node is not None:
            for attribute, name in (("lang", "language"), ("dir", "direction")):
                value = (node.attributes.get(attribute) or "").strip().lower()
                if value and len(value) < 36:
                    found[name] = value
    return found
