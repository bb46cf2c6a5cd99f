"""Where sentences begin and end, in Arabic, English and beyond."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dalil.models import Chunk

_CLOSERS = "\"'»”’)\\]}*_"
_BOUNDARY = re.compile(
    rf"(?P<stop>(?<![.!?؟۔…؛])[.!?؟۔…؛]++[{_CLOSERS}]*+(?=\s|$))"  # an end mark, closing quotes, then a gap
    r"|(?P<full>[。！？]+[」』）”]*)"  # scripts without spaces need no gap
    r"|(?P<gap>\n[ \t\r\f]*\n\s*|\f)"  # a blank line, a new page
    r"|(?P<line>\n(?=[ \t]*(?:[-*•‣◦▪–—][ \t]|\(?[0-9٠-٩۰-۹]{1,3}[.)\-][ \t]|\#{1,6}[ \t]|\|)))"  # an item
)
_FINISHED = re.compile(rf"[.!?؟۔…؛:。！？|][{_CLOSERS}]*$")
_ITEM = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[-*•‣◦▪–—][ \t]|\||\(?[0-9٠-٩۰-۹]{1,3}[.)][ \t])")
SHORTEST_OPEN_SENTENCE = 30
"""A shorter line at the foot of a page is a heading or a page number, not the beginning of a sentence."""

_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_LIST_NUMBER = re.compile(r"[ \t]*\(?(?:[0-9٠-٩۰-۹]{1,3}|[A-Za-z])[.)]$")
_DOTTED = re.compile(r"(?=.{2,7}$)[^\W\d]{0,2}(?:\.[^\W\d]{0,2})+")  # "U.S", "e.g", "ق.م"
_LAST_WORD = re.compile(r"[\w.ـ'’-]*$")
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms mx dr prof sr jr st mt gen col lt sgt capt rev hon gov sen rep pres vs etc al eg ie cf approx ca no nos
    vol vols fig figs eq eqs ch sec pp pg ed eds inc ltd co corp dept est tel ext jan feb mar apr jun jul aug sep sept
    oct nov dec mon tue wed thu fri sat sun
    د أ م ق ص ج ط هـ ت ر ع ش
    """.split()
)
_ABBREVIATIONS_OF_NUMBERS = frozenset({"no", "sat", "sun", "wed"})
"""Also words of their own, which may end a sentence: abbreviations only before a number."""


def split_sentences(text: str, joins: Sequence[int] = ()) -> list[tuple[int, int]]:
    """The sentences of `text` as half-open spans in code points, in order, without the white space around them.

    A single line break does not end a sentence (lines of a page are wrapped); a blank line, a heading, a list
    item and a table row do. Abbreviations, initials, decimals and numbered items are left whole. `joins` are
    the offsets at which another page begins: a sentence ends there unless it visibly runs on.
    """
    if not joins:
        return list(_sentences(text))
    sentences: list[tuple[int, int]] = []
    start = 0
    for end in (*joins, len(text)):
        found = [(start + first, start + last) for first, last in _sentences(text[start:end])]
        if sentences and found and runs_on(text[slice(*sentences[-1])], text[slice(*found[0])]):
            sentences[-1] = (sentences[-1][0], found.pop(0)[1])
        sentences += found
        start = end
    return sentences


def sentences_of(chunk: Chunk) -> list[tuple[int, int]]:
    """The sentences of a chunk as [start, end) of its text; a sentence ends with its page unless it runs on."""
    joins = []
    position = 0
    for span in chunk.spans[:-1]:
        position += span.end - span.start + 1
        joins.append(position)
    return split_sentences(chunk.text, joins)


def runs_on(before: str, after: str) -> bool:
    """Whether a page's last sentence continues in the first one of the next page."""
    if len(before) < SHORTEST_OPEN_SENTENCE or _FINISHED.search(before) or _ITEM.match(before):
        return False
    return not _ITEM.match(after) and not after[0].isupper() and not after[0].isdigit()


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    position = 0
    while (match := _BOUNDARY.search(text, position)) is not None:
        position = max(match.end(), match.start() + 1)
        if match.lastgroup == "stop" and not _ends_sentence(text, start, match):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    if _HEADING.match(text, start, end):
        line_end = text.find("\n", start, end)
        if line_end != -1:  # a heading ends with its line, whatever follows
            yield from _trimmed(text, start, line_end)
            yield from _trimmed(text, line_end, end)
            return
    yield start, end


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match.group()
    line_start = max(start, text.rfind("\n", start, match.start()) + 1)
    if _HEADING.match(text, line_start):
        return False  # a heading is one piece: "# 2. Scope"
    if mark[0] not in ".…":
        return True
    following = text[match.end() : match.end() + 40].lstrip()[:1]
    if following.islower():
        return False
    if mark[0] == "…" or mark.startswith(".."):
        return True
    if len(mark) > 1:
        return True
    if _LIST_NUMBER.fullmatch(text, line_start, match.end()):
        return False
    word = _LAST_WORD.search(text, max(start, match.start() - 24), match.start())
    last = word.group() if word else ""
    if len(last) == 1 and last.isupper():
        return False  # an initial: "J. Smith"
    if _DOTTED.fullmatch(last):
        return not (following.isupper() or following.isdigit()) or _is_time(last)
    last = last.casefold().replace(".", "")
    if last in _ABBREVIATIONS_OF_NUMBERS:
        return not following.isdigit()
    return last not in _ABBREVIATIONS


def _is_time(word: str) -> bool:
    return word.casefold() in ("a.m", "p.m", "ق.م", "ب.م")
