"""What of an HTML page can be seen."""

from __future__ import annotations

import re
from collections.abc import Callable

from selectolax.lexbor import LexborNode

_NONE = r"\s*:\s*0*\.?0+(?:px|em|rem|pt|%)?\s*(?:!important\s*)?(?:;|$)"
_FAR = r"\s*:\s*-\s*\d{3,}(?:\.\d+)?(?:px|em|rem|pt|%|vw|vh)"
_INVISIBLE = re.compile(
    rf"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden"
    rf"|font-size{_NONE}|opacity{_NONE}|color\s*:\s*transparent"
    rf"|(?:text-indent|(?<![\w-])(?:left|top|right|bottom)|margin-(?:left|top)){_FAR}"
    rf"|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*(?:inset\((?:50|100)%|circle\(0)"
    rf"|(?:max-)?(?:height|width){_NONE}(?=.*overflow\s*:\s*hidden)",
    re.I | re.DOTALL,
)
SILENT = frozenset(
    (
        "script style noscript template head title meta link svg canvas iframe object embed audio video select option "
        "datalist button input textarea map annotation annotation-xml rp noframes"
    ).split()
)
_LONGEST_ARIA_HIDDEN = 500
_LONGEST_STYLE = 1000


def is_hidden(node: LexborNode) -> bool:
    """Whether an element says of itself that it is not shown.

    `aria-hidden` means only that a screen reader skips it: formulas and icons that stand elsewhere as text. Pages
    also set it on everything behind an open dialog, so it counts only for short elements.
    """
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    style = attributes.get("style")
    if style and hides(style):
        return True
    return attributes.get("aria-hidden") == "true" and len(node.text(deep=True)) <= _LONGEST_ARIA_HIDDEN


def hides(style: str) -> bool:
    """Whether a style makes an element invisible. Of absurdly long styles only the beginning counts."""
    return bool(_INVISIBLE.search(style[:_LONGEST_STYLE]))


def text_length(root: LexborNode, skip: Callable[[LexborNode], bool]) -> int:
    """Characters of text under an element, without silent elements and those that `skip` names."""
    total = 0
    stack = [root.child]
    while stack:
        node = stack.pop()
        while node is not None:
            if node.is_text_node:
                total += len((node.text_content or "").strip())
            elif node.is_element_node and node.tag not in SILENT and not skip(node):
                stack.append(node.child)
            node = node.next
    return total
