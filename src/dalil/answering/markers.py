"""Markers in a model's text: every one that is shown leads to a source, however the text was cut into fragments."""

from __future__ import annotations

import re
from collections.abc import Collection

_DIGITS = "0-9٠-٩۰-۹"
# A run of brackets that hold nothing but numbers: "[1]", "[1, 3]", "[2-4]", "[7] [2]", "[[9]7]".
_INSIDE = rf"[\s{_DIGITS},،;\-–\[\]]*"
_RUN = re.compile(rf"(?P<space>[ \t\u00a0]*)(?P<run>\[{_INSIDE}\])")
_NUMBERS = re.compile(rf"(?P<first>[{_DIGITS}]+)(?:\s*[\-–]\s*(?P<last>[{_DIGITS}]+))?")
# What may still become a run, or may stand before one, when more text arrives.
_OPEN = re.compile(rf"[ \t\u00a0]*(?:\[{_INSIDE})?$")
_WIDEST_RANGE = 20


class MarkerFilter:
    """Passes a stream of text on, with markers written as [n] and those that lead nowhere removed.

    `dropped` counts the numbers that were removed. The result does not depend on how the text is cut.
    """

    def __init__(self, known: Collection[int]):
        self._known = frozenset(known)
        self._held = ""
        self.dropped = 0

    def feed(self, fragment: str) -> str:
        """The text that is certain after `fragment`."""
        text = self._held + fragment
        opening = _OPEN.search(text)
        cut = opening.start() if opening else len(text)
        self._held = text[cut:]
        return _RUN.sub(self._resolved, text[:cut])

    def finish(self) -> str:
        """What was held back at the end."""
        held, self._held = self._held, ""
        return _RUN.sub(self._resolved, held)

    def _resolved(self, match: re.Match[str]) -> str:
        numbers = dict.fromkeys(_numbers(match["run"]))
        if not numbers:
            return match.group()  # "[ ]" is no marker
        kept = [number for number in numbers if number in self._known]
        self.dropped += len(numbers) - len(kept)
        return match["space"] + "".join(f"[{number}]" for number in kept) if kept else ""


def _numbers(run: str) -> list[int]:
    numbers: list[int] = []
    for match in _NUMBERS.finditer(run):
        first, last = int(match["first"]), int(match["last"] or match["first"])
        numbers += range(first, last + 1) if first <= last <= first + _WIDEST_RANGE else (first, last)
    return numbers
