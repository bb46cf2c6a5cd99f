"""Finding the part of an HTML page that the page is about."""

from __future__ import annotations

import re
from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dalil.parsing.characters import one_line
from dalil.parsing.formats.html.visibility import is_hidden, text_length

_CANDIDATES = ("main", "[role=main]", "article")
_MOST = 0.5
_ROLES = frozenset("navigation banner contentinfo complementary search menu menubar dialog alertdialog".split())
_NAMED_FURNITURE = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|footer|sidebar|breadcrumbs?|cookies?|consent|share|sharing|social|"
    r"newsletter|subscribe|advert|advertisement|ads|promo|related|recommended|pagination|skip-link)(?:$|[\s_-])",
    re.I,
)
_TAGS = frozenset({"nav", "footer", "aside"})
_BOXES = frozenset("div section ul ol header table form p".split())
_LINK_BOXES = frozenset("div section ul ol".split())
_LEAST_LINKS = 4
_LINK_SHARE = 0.75
_LONGEST_LINK = 60
_LONGEST_NAMED = 600


Skip = Callable[[LexborNode], bool]


def main_content(parser: LexborHTMLParser) -> tuple[LexborNode | None, Skip]:
    """The element that holds most of the page's text, if the page marks one as its content; else the body.

    And what to skip in it: a body also holds menus, lists of links in the content are content.
    """
    body = parser.body
    if body is None:
        return parser.root, is_furniture
    whole: int | None = None
    for selector in _CANDIDATES:
        found = parser.css(selector)
        if len(found) == 1 and not is_hidden(found[0]):
            whole = text_length(body, is_boilerplate) if whole is None else whole
            if text_length(found[0], is_boilerplate) >= _MOST * whole:
                return found[0], is_furniture
    return body, is_boilerplate


def is_boilerplate(node: LexborNode) -> bool:
    """Whether an element surrounds the content, or only leads elsewhere."""
    return is_furniture(node) or (node.tag in _LINK_BOXES and _is_menu(node))


def is_furniture(node: LexborNode) -> bool:
    """Whether an element surrounds the content: by its tag, role or name.

    A box that is named like furniture counts as such only while it is short: some pages name the box around
    everything "sidebar-layout" or "page-with-menu".
    """
    tag = node.tag or ""
    if tag in _TAGS:
        return True
    if tag not in _BOXES:
        return False
    attributes = node.attributes
    if attributes.get("role") in _ROLES:
        return True
    name = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    if name != " " and _NAMED_FURNITURE.search(name) and len(node.text(deep=True)) <= _LONGEST_NAMED:
        return node.css_first("h1, main, article") is None
    return False


def _is_menu(node: LexborNode) -> bool:
    """Whether a box consists of short links and hardly anything else."""
    links = node.css("a")
    if len(links) < _LEAST_LINKS:
        return False
    lengths = [len(link.text(deep=True).strip()) for link in links]
    return sum(lengths) >= _LINK_SHARE * len(one_line(node.text(deep=True))) and max(lengths) <= _LONGEST_LINK
