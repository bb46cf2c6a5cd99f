"""The words of a line as PDFium gives them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from dalil.parsing.formats.pdf.characters import Characters
from dalil.parsing.formats.pdf.folding import folded, needs_folding
from dalil.parsing.formats.pdf.glued import apart, is_spread
from dalil.parsing.formats.pdf.space import Edges
from dalil.parsing.formats.pdf.unspaced import is_unspaced, pieces
from dalil.parsing.formats.pdf.words import Word

_WORD = re.compile(r"[^\s\x00]+")

Place = Callable[[float, float, float, float], Edges]


def read_words(characters: Characters, start: int, end: int, place: Place) -> tuple[str, list[Word]]:
    """The text of the characters [start, end), and its words at the places that `place` gives to their boxes.

    Long words of scripts without spaces are cut into pieces.
    """
    texts: list[str] = []
    words: list[Word] = []
    for first, stop, edges in _spans(characters, start, end):
        word = characters.text[first:stop]
        if texts:
            texts.append(" ")
        if is_unspaced(word):
            for piece in pieces(word):
                _add(piece, place(*_union(characters, first, first + len(piece))), texts, words)
                first += len(piece)
        else:
            _add(word, place(*edges), texts, words)
    return "".join(texts).strip(), words


def _add(text: str, edges: Edges, texts: list[str], words: list[Word]) -> None:
    if needs_folding(text):
        text = folded(text)
    if text:
        texts.append(text)
        words.append(Word(text, *edges))


def _spans(characters: Characters, start: int, end: int) -> Iterator[tuple[int, int, Edges]]:
    """Where each word begins and ends, and its box in the page's own coordinates."""
    box = characters.box
    for match in _WORD.finditer(characters.text, start, end):
        first, stop = match.span()
        edges = box(first)
        if stop - first > 1:
            last = box(stop - 1)
            if is_spread(edges, last, stop - first):
                for begin, finish in apart(characters, first, stop):
                    yield begin, finish, _union(characters, begin, finish)
                continue
            edges = _around(edges, last)
        yield first, stop, edges


def _union(characters: Characters, start: int, end: int) -> Edges:
    """The box around the first and the last of the characters [start, end)."""
    return _around(characters.box(start), characters.box(end - 1))


def _around(one: Edges, other: Edges) -> Edges:
    return (
        one[0] if one[0] < other[0] else other[0],
        one[1] if one[1] < other[1] else other[1],
        one[2] if one[2] > other[2] else other[2],
        one[3] if one[3] > other[3] else other[3],
    )
