"""Footnotes and endnotes, by their ids."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from dalil.parsing.formats.office.xml import name, value

_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


class Notes:
    """Gives each note a label when it is first referred to, and its paragraphs when its page is closed."""

    def __init__(self, footnotes: etree._Element | None, endnotes: etree._Element | None) -> None:
        self._elements = {
            (name(note), value(note, "id")): note
            for root in (footnotes, endnotes)
            if root is not None
            for note in root
            if value(note, "type") not in _SEPARATORS
        }
        self._labels: dict[tuple[str, str], int] = {}
        self._waiting: list[tuple[str, str]] = []

    def refer(self, kind: str, note_id: str) -> str:
        """The mark of a note in the text, such as `[^1]`; an empty string for a note that is not there."""
        key = (kind, note_id)
        if key not in self._elements:
            return ""
        if key not in self._labels:
            self._labels[key] = len(self._labels) + 1
            self._waiting.append(key)
        return f"[^{self._labels[key]}]"

    def take(self) -> Iterator[tuple[str, etree._Element]]:
        """The notes referred to since the last call: mark and element."""
        waiting, self._waiting = self._waiting, []
        for key in waiting:
            yield f"[^{self._labels[key]}]", self._elements[key]
