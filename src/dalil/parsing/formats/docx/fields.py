"""Fields: what they show counts, not the code that makes it."""

from __future__ import annotations

from lxml import etree

from dalil.parsing.formats.office.xml import child, children, is_on, number, value

_CHECKED, _UNCHECKED = "☒", "☐"


class FieldState:
    """Collects the text of one paragraph, and leaves out what stands between a field's begin and its separator.

    A code that does not end in its paragraph is taken for text, so that a damaged field swallows nothing.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._codes: list[list[str] | None] = []

    def add(self, text: str) -> None:
        """Text in its place."""
        code = next((code for code in reversed(self._codes) if code is not None), None)
        (self._parts if code is None else code).append(text)

    def mark(self, mark: etree._Element) -> None:
        """A `w:fldChar`: begin, separate or end."""
        kind = value(mark, "fldCharType")
        if kind == "begin":
            self.add(_form_field(child(mark, "ffData")))
            self._codes.append([])
        elif kind == "separate" and self._codes:
            self._codes[-1] = None
        elif kind == "end" and self._codes:
            self._codes.pop()

    def text(self) -> str:
        """The paragraph's text."""
        unfinished = [text for code in self._codes if code for text in code]
        return "".join([*self._parts, *unfinished])


def _form_field(data: etree._Element | None) -> str:
    """What a form field shows that has no result of its own: a check box, or the entry chosen of a list."""
    box = child(data, "checkBox")
    if box is not None:
        state = child(box, "checked")
        return _CHECKED if is_on(state if state is not None else child(box, "default")) else _UNCHECKED
    choices = child(data, "ddList")
    entries = [value(entry) for entry in children(choices, "listEntry")]
    chosen = number(child(choices, "result"))
    return entries[chosen] if 0 <= chosen < len(entries) else ""
