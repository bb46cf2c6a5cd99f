"""Taking absurd nesting out of HTML before it is parsed."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)([^<>]*)>")
_NOT_NESTING = frozenset(
    # void elements, and those whose end tag may be left out
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "p",
        "li",
        "dt",
        "dd",
        "tr",
        "td",
        "th",
        "thead",
        "tbody",
        "tfoot",
        "option",
        "optgroup",
        "colgroup",
        "html",
        "head",
        "body",
    ]
)
_DEEPEST = 100


def flatten(markup: str, deepest: int = _DEEPEST) -> str:
    """The markup without the tags of elements that are nested deeper than `deepest`; their text stays.

    HTML parsers take quadratic time on deep nesting: 50,000 nested elements cost seconds and say nothing.
    """
    if markup.count("<") <= deepest or not _is_deep(markup, deepest):
        return markup
    depth = 0
    dropped: dict[str, int] = {}

    def keep(match: re.Match[str]) -> str:
        nonlocal depth
        closing, name = match[1], match[2].lower()
        if name in _NOT_NESTING or match[3].endswith("/"):
            return match[0]
        if not closing:
            if depth >= deepest:
                dropped[name] = dropped.get(name, 0) + 1
                return " "
            depth += 1
            return match[0]
        if dropped.get(name):
            dropped[name] -= 1
            return " "
        depth = max(0, depth - 1)
        return match[0]

    return _TAG.sub(keep, markup)


def _is_deep(markup: str, deepest: int) -> bool:
    depth = 0
    for match in _TAG.finditer(markup):
        if match[2].lower() in _NOT_NESTING or match[3].endswith("/"):
            continue
        depth = max(0, depth - 1) if match[1] else depth + 1
        if depth > deepest:
            return True
    return False
