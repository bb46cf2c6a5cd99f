"""Markers in a model's text: every one that is shown leads to a source, however the text was cut into fragments."""

from __future__ import annotations

import re
from collections.abc import Collection

_MARKER = re.compile(r"(?P<space>[ \t\u00a0]*)\[(?P<numbers>\s*[0-9٠-٩۰-۹]+(?:\s*[,،;\-–]\s*[0-9٠-٩۰-۹]+)*\s*)\]")
_NUMBER = re.compile(r"[0-9٠-٩۰-۹]+")
# What may still become a marker when more text arrives.
_OPEN = re.compile(r"[ \t\u00a0]*(?:\[[\s0-9٠-٩۰-۹,،;\-–]*)?$")


def marker_numbers(text: str) -> list[tuple[int, list[int]]]:
    """Each marker group of a cleaned text: where it begins, and its numbers."""
    return [
        (match.start(), [int(number) for number in _NUMBER.findall(match["numbers"])])
        for match in _MARKER.finditer(text)
    ]


class MarkerFilter:
    """Passes a stream of text on, with markers written as [n] and those that lead nowhere removed.

    `dropped` counts the numbers that were removed.
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
        if len(text) - cut > 64:  # no marker is that long
            cut = len(text)
        self._held = text[cut:]
        return _MARKER.sub(self._resolved, text[:cut])

    def finish(self) -> str:
        """What was held back at the end."""
        held, self._held = self._held, ""
        return _MARKER.sub(self._resolved, held)

    def _resolved(self, match: re.Match[str]) -> str:
        numbers = [int(number) for number in _NUMBER.findall(match["numbers"])]
        if len(numbers) == 2 and re.search(r"[-–]", match["numbers"]) and numbers[0] < numbers[1] <= numbers[0] + 20:
            numbers = list(range(numbers[0], numbers[1] + 1))
        kept = [number for number in dict.fromkeys(numbers) if number in self._known]
        self.dropped += len(set(numbers)) - len(kept)
        return match["space"] + "".join(f"[{number}]" for number in kept) if kept else ""
