"""XHTML, so that an HTML parser reads it as it is meant."""

from __future__ import annotations

import re

_EMPTY_ELEMENT = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*?)?)\s*/>")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


def to_html(markup: str) -> str:
    """The markup with empty elements written out: in HTML, `<title/>` opens a title that nothing closes."""
    return _EMPTY_ELEMENT.sub(_written_out, markup)


def _written_out(match: re.Match[str]) -> str:
    name, attributes = match[1], match[2]
    return match[0] if name.lower() in _VOID else f"<{name}{attributes}></{name}>"
