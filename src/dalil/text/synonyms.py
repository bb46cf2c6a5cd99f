"""Words that can stand for each other in a question, and where a text holds one of them.

The table is the folder `synonyms` beside this file: lists to be read and mended by people. Words are
compared as `normalise` spells them, and Arabic ones with the particles that are written onto them: for «وللهاتف»
the word is «هاتف», and what replaces it gets the particle back («وللجوال»).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from dalil.text.normalizing import normalise
from dalil.text.stemming import is_arabic

SHORTEST_STEM = 3
"""A bare particle is only taken off where at least this many letters stay; one with the article, where one less."""

_WORD = re.compile(r"[\w\u00ad\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200c-\u200f]+")
_BETWEEN_WORDS = re.compile(r"\s+|[-‐‑–'’]")
_ARTICLE = "ال"
_ARTICLE_OF_PHRASE = re.compile("^(و?)ال")
_LAST_LIST = "general.txt"


def _particles() -> dict[str, tuple[str, bool]]:
    """What may stand before an Arabic word, longest first: conjunction and preposition, and whether ال follows."""
    spelled = {}
    for before in [conjunction + preposition for conjunction in ("", "و", "ف") for preposition in ("", "ب", "ك", "ل")]:
        spelled[before] = (before, False)
        spelled[_attached(before, True, "")] = (before, True)
    return dict(sorted(spelled.items(), key=lambda item: -len(item[0])))


def _attached(before: str, definite: bool, word: str) -> str:
    """`word` with its particles; ل and ال melt into لل, and never into a third lam."""
    if not definite:
        return before + word
    if before.endswith("ل"):
        return before + word if word.startswith("ل") else f"{before}ل{word}"
    return f"{before}{_ARTICLE}{word}"


_PARTICLES = _particles()
_FIRST_OF_PARTICLES = frozenset(particle[:1] for particle in _PARTICLES if particle)


class _Member(NamedTuple):
    """One word or phrase of a group. `words` are normalised, those of an Arabic phrase without article."""

    written: str
    words: tuple[str, ...]
    arabic: bool
    replaceable: bool

    def inflected(self, before: str, definite: bool) -> str:
        """This Arabic word or phrase after the particles `before`, with or without its article."""
        if len(self.words) == 1:
            return _attached(before, definite, self.written)
        first, *others = self.written.split(" ") if definite else map(_without_article, self.written.split(" "))
        takes_article = definite and first.startswith(_ARTICLE)
        return " ".join(
            [_attached(before, takes_article, _without_article(first) if takes_article else first), *others]
        )


_Group = tuple[_Member, ...]


class _Keyword(NamedTuple):
    """A replaceable member, where it stands in the table, and its group."""

    rank: int
    member: _Member
    group: _Group

    def synonyms(self) -> list[_Member]:
        """The others of the group: those of the same language first."""
        others = [member for member in self.group if member is not self.member]
        return sorted(others, key=lambda member: member.arabic != self.member.arabic)


class _Table(NamedTuple):
    keywords: tuple[_Keyword, ...]
    by_first_word: Mapping[str, Sequence[_Keyword]]
    whole: frozenset[str]
    """Normalised words that are never taken apart into particles and a word."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """`text[start:end]` is a word of the table with its particles; each replacement can take its place."""

    start: int
    end: int
    replacements: tuple[str, ...]

    def variants(self, text: str) -> list[str]:
        """`text` with each replacement in turn."""
        return [f"{text[: self.start]}{replacement}{text[self.end :]}" for replacement in self.replacements]


def synonym_table() -> Mapping[str, tuple[str, ...]]:
    """Every keyword of the table, in its order, with its synonyms, as they are written there."""
    return MappingProxyType(
        {
            keyword.member.written: tuple(synonym.written for synonym in keyword.synonyms())
            for keyword in _table().keywords
        }
    )


def find_synonyms(text: str) -> list[Occurrence]:
    """The words of the table in `text`: in the table's order, each once, none overlapping an earlier one.

    So the first is the first keyword in the table's order that the text holds as a whole word, at its first place.
    """
    table = _table()
    matches = list(_WORD.finditer(text))
    spelled = [match.group().lower() if match.group().isascii() else normalise(match.group()) for match in matches]
    hits = []
    for position, word in enumerate(spelled):
        for stem, before, definite in _readings(word, table):
            for keyword in table.by_first_word.get(stem, ()):
                last = position + len(keyword.member.words) - 1
                articles = _articles_after(text, matches, spelled, position, keyword.member)
                if articles is not None:
                    start, end = matches[position].start(), matches[last].end()
                    hits.append((keyword.rank, start, end, before, definite or articles > 0, keyword))
    hits.sort(key=lambda hit: hit[:2])
    return list(_occurrences(hits))


def _occurrences(hits: Iterable[tuple[int, int, int, str, bool, _Keyword]]) -> Iterator[Occurrence]:
    used: set[int] = set()
    taken: list[tuple[int, int]] = []
    for rank, start, end, before, definite, keyword in hits:
        if rank in used or any(start < other_end and other_start < end for other_start, other_end in taken):
            continue
        used.add(rank)
        taken.append((start, end))
        inflect = keyword.member.arabic or bool(before) or definite
        yield Occurrence(
            start,
            end,
            tuple(
                synonym.inflected(before, definite) if inflect and synonym.arabic else synonym.written
                for synonym in keyword.synonyms()
            ),
        )


def _readings(word: str, table: _Table) -> Iterator[tuple[str, str, bool]]:
    """What a normalised word may be: a stem, the particles before it, whether it carries the article."""
    if word[:1] not in _FIRST_OF_PARTICLES or word in table.whole:
        yield word, "", False
        return
    for particle, (before, definite) in _PARTICLES.items():
        left = len(word) - len(particle)
        if word.startswith(particle) and (not particle or left >= SHORTEST_STEM - definite):
            yield word[len(particle) :], before, definite
            if definite and before.endswith("ل"):  # a word that itself begins with lam: للغة is ل + ال + لغة
                yield word[len(particle) - 1 :], before, definite


def _articles_after(
    text: str, matches: list[re.Match[str]], spelled: list[str], position: int, member: _Member
) -> int | None:
    """How many words of a phrase after its first carry the article in the text; None where it goes on otherwise."""
    if position + len(member.words) > len(spelled):
        return None
    articles = 0
    for offset, wanted in enumerate(member.words[1:], position + 1):
        if not _BETWEEN_WORDS.fullmatch(text, matches[offset - 1].end(), matches[offset].start()):
            return None
        if spelled[offset] != wanted:
            if not member.arabic or _without_article(spelled[offset]) != wanted:
                return None
            articles += 1
    return articles


def _without_article(word: str) -> str:
    """A word of a phrase without ال, also behind و (الشروط والأحكام)."""
    return _ARTICLE_OF_PHRASE.sub(r"\1", word)


@cache
def _table() -> _Table:
    """The lists in the order in which their words win: phrases before single words, general words after all others."""
    found: list[tuple[bool, int, _Member, _Group]] = []
    whole: set[str] = set()
    for file in sorted((files("dalil.text") / "synonyms").iterdir(), key=lambda file: file.name):
        for line in file.read_text("utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            if line.startswith("!"):
                whole.update(normalise(word.strip()) for word in line[1:].split("،"))
                continue
            group = tuple(map(_member, re.split("[,،=]", line), re.split("[,=]", normalise(line))))
            whole.update(member.words[0] for member in group if len(member.words) == 1)
            found += [
                (file.name == _LAST_LIST, -len(member.words), member, group) for member in group if member.replaceable
            ]
    found.sort(key=lambda entry: entry[:2])
    keywords = tuple(_Keyword(rank, member, group) for rank, (_, _, member, group) in enumerate(found))
    by_first_word: dict[str, list[_Keyword]] = defaultdict(list)
    for keyword in keywords:
        by_first_word[keyword.member.words[0]].append(keyword)
    return _Table(keywords, dict(by_first_word), frozenset(whole))


def _member(entry: str, normalised: str) -> _Member:
    """One entry of a line, as written and as normalised; in parentheses where it is not to be replaced."""
    written = entry.strip()
    replaceable = not written.startswith("(")
    written = written.strip("()")
    words = _WORD.findall(normalised)
    arabic = is_arabic(words[0])
    if arabic and len(words) > 1:  # before the hamza is gone: ألم is no article and a letter
        words = [normalise(_without_article(word)) for word in written.split(" ")]
    return _Member(written, tuple(words), arabic, replaceable)
