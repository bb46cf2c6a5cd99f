"""What single HTML elements say of themselves."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from dalil.parsing.characters import one_line
from dalil.parsing.formats.html.visibility import SILENT

INLINE = frozenset(
    (
        "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math mi mn mo mrow ms "
        "mtext msup msub msubsup mfrac msqrt mroot mover munder semantics q rt ruby rb s samp small span strike strong "
        "sub sup time tt u var wbr nobr"
    ).split()
)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-([A-Za-z0-9+#]{1,20})(?:\s|$)")
_FILE_NAME = re.compile(r"\S+\.(?:jpe?g|png|gif|svg|webp|bmp)|https?://\S+", re.I)


def is_line(node: LexborNode) -> bool:
    """Whether an element holds nothing but running text."""
    child = node.child
    while child is not None:
        if child.is_element_node and child.tag != "br" and child.tag not in INLINE and child.tag not in SILENT:
            return False
        child = child.next
    return True


def alternative_text(image: LexborNode) -> str:
    """What stands for a picture, in brackets; nothing where it is only a file name."""
    text = one_line(image.attributes.get("alt") or "")
    return f" [{text}] " if len(text) > 1 and not _FILE_NAME.fullmatch(text) else ""


def language_of(pre: LexborNode) -> str:
    """The programming language of a code block, as highlighters write it: class="language-python"."""
    for node in (pre, pre.css_first("code")):
        found = _LANGUAGE.search(node.attributes.get("class") or "") if node is not None else None
        if found:
            return found[1].lower()
    return ""


def nearest_list(item: LexborNode) -> LexborNode | None:
    """The definition list that a term belongs to; groups of terms may stand in a `div`."""
    parent = item.parent
    while parent is not None and parent.tag == "div":
        parent = parent.parent
    return parent


def first_number(node: LexborNode) -> int:
    """The number that a list begins with."""
    value = node.attributes.get("start") or ""
    return int(value) if value.isdecimal() and len(value) < 7 else 1
