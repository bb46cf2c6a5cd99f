"""Reviewers' comments, kept out of the flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lxml import etree

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.xml import children, value


def comment_text(author: str, text: str) -> str:
    """A comment with its author, as `Comment by X: text`."""
    author = one_line(author)
    return f"Comment by {author}: {one_line(text)}" if author else f"Comment: {one_line(text)}"


def comment_blocks(root: etree._Element | None, text_of: Callable[[etree._Element], str]) -> Iterator[str]:
    """The comments of a `w:comments` part in their order."""
    for comment in children(root, "comment"):
        text = text_of(comment)
        if text.strip():
            yield comment_text(value(comment, "author"), text)
