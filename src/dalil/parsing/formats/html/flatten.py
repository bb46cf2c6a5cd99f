"""Taking absurd nesting out of HTML before it is parsed."""

from __future__ import annotations

import re

from dalil.parsing.formats.html.visibility import hides

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)([^<>]*)>")
# Elements without content or with raw text, and those whose end tag may be left out.
_NOT_NESTING = frozenset(
    (
        "area base br col embed hr img input link meta param source track wbr script style textarea title noscript "
        "p li dt dd tr td th thead tbody tfoot option optgroup colgroup html head body"
    ).split()
)
_DEEPEST = 100
_DEEPEST_HIDDEN = 100
_LOOK_BACK = 200


def flatten(markup: str, deepest: int = _DEEPEST) -> str:
    """The markup without the tags of elements that are nested deeper than `deepest`; their text stays.

    HTML parsers take quadratic time on deep nesting: 50,000 nested elements cost seconds and say nothing.
    """
    if markup.count("<") <= deepest or not _is_deep(markup, deepest):
        return markup
    depth = 0
    deep: list[tuple[str, bool]] = []

    def keep(match: re.Match[str]) -> str:
        nonlocal depth
        closing, name = match[1], match[2].lower()
        if name in _NOT_NESTING or match[3].endswith("/"):
            return match[0]
        if not closing:
            if depth < deepest:
                depth += 1
                return match[0]
            # What is hidden down there stays hidden.
            kept = "hidden" in match[3] or hides(match[3])
            kept = kept and sum(hidden for _, hidden in deep[-_LOOK_BACK:]) < _DEEPEST_HIDDEN
            deep.append((name, kept))
            return match[0] if kept else " "
        if deep:
            for place in range(len(deep) - 1, max(-1, len(deep) - 1 - _LOOK_BACK), -1):
                if deep[place][0] == name:
                    kept = deep[place][1]
                    del deep[place:]
                    return match[0] if kept else " "
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
