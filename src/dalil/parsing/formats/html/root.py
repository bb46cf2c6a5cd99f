"""Finding the part of an HTML page that the page is about, and what of it can be seen."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

_CANDIDATES = ("main", "[role=main]", "article")
_MOST = 0.5
_INVISIBLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])",
    re.I,
)
SILENT = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "head",
        "title",
        "meta",
        "link",
        "svg",
        "canvas",
        "iframe",
        "object",
        "embed",
        "audio",
        "video",
        "select",
        "option",
        "datalist",
        "button",
        "input",
        "textarea",
        "map",
        "math-ml",
    ]
)
BOILERPLATE = frozenset({"nav", "footer", "aside"})


def is_hidden(node: LexborNode) -> bool:
    """Whether an element says of itself that it is not shown."""
    attributes = node.attributes
    if "hidden" in attributes:
        return True
    style = attributes.get("style")
    return bool(style and _INVISIBLE.search(style))


def main_content(parser: LexborHTMLParser) -> LexborNode | None:
    """The element that holds most of the page's text, if the page marks one as its content; else the body."""
    body = parser.body
    if body is None:
        return parser.root
    whole = _visible_length(body)
    for selector in _CANDIDATES:
        found = parser.css(selector)
        if len(found) == 1 and not is_hidden(found[0]) and _visible_length(found[0]) >= _MOST * whole:
            return found[0]
    return body


def _visible_length(root: LexborNode) -> int:
    """Characters of text under an element, without what is never read."""
    total = 0
    stack = [root.child]
    while stack:
        node = stack.pop()
        while node is not None:
            if node.is_text_node:
                total += len((node.text_content or "").strip())
            elif node.is_element_node and node.tag not in SILENT and node.tag not in BOILERPLATE:
                stack.append(node.child)
            node = node.next
    return total
