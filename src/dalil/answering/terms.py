"""What a question or an answer is about: its names, its numbers with their units, and its other content words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from dalil.answering.wordlists import GENERIC, RELATIONAL
from dalil.text import analyze, normalise
from dalil.text.stemming import is_arabic

_MARKS = re.compile(
    "[\u00ad\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u202a-\u202e]+"
)
_CITED = re.compile(r"\[[\s\d,،]*\]")
_WORD = re.compile(r"[^\W_]+(?:['’.\-/&][^\W_]+)*")
_QUOTED = re.compile(r"«([^«»]{2,60})»|“([^“”]{2,60})”|\"([^\"]{2,60})\"")
_SENTENCE_END = re.compile(r"[.!?؟:\n\r•*]")
_JOINERS = frozenset("of de del da di du van von bin ibn al el".split())
_CURRENCIES = ("$", "€", "£")
_PERCENT = ("%", "٪")
_LONGEST_PHRASE = 4
_LONGEST_TERM = 60


_ASKING_FOR_DOER = frozenset(("who", normalise("من"), normalise("ومن")))

_TITLES = frozenset(
    normalise(
        "شركة مؤسسة جامعة مدينة دولة مملكة جمهورية وزارة هيئة بنك مصرف مستشفى مطار مشروع منصة تطبيق برنامج جهاز طراز "
        "السيد السيدة الدكتور الدكتورة المهندس الأستاذ الملك الأمير الشيخ"
    ).split()
)


class Kind(Enum):
    """What a term is: something that bears a name, a number with its unit, or other content words."""

    NAME = "name"
    NUMBER = "number"
    WORDS = "words"


class Word(NamedTuple):
    """One word of a text without its marks: as written, folded up to an apostrophe, and its search tokens."""

    text: str
    folded: str
    tokens: tuple[str, ...]
    is_content: bool
    """Whether something can be found by it."""
    is_relational: bool
    is_number: bool
    gap: str
    """What stands between the word before and this one."""


@dataclass(frozen=True, slots=True)
class Term:
    """A piece of a text by which a passage can be found."""

    text: str
    kind: Kind
    tokens: frozenset[str]
    relational: bool = False
    before: str = ""
    """The folded word before it."""


def words_of(text: str) -> list[Word]:
    """The words of `text`, without harakat, tatweel, invisible controls and citation markers."""
    text = text if text.isascii() else _MARKS.sub("", text)
    text = _CITED.sub(" ", text)
    words, end = [], 0
    for match in _WORD.finditer(text):
        words.append(Word(*_form(match.group()), text[end : match.start()]))
        end = match.end()
    return words


@lru_cache(maxsize=1 << 14)
def _form(text: str) -> tuple[str, str, tuple[str, ...], bool, bool, bool]:
    folded, tokens = normalise(text).split("'")[0], tuple(analyze(text))
    number = folded[:1].isdigit() and not any(map(str.isalpha, folded))
    content = bool(tokens) and not GENERIC.issuperset(tokens)
    return text, folded, tokens, content, bool(tokens) and RELATIONAL.issuperset(tokens), number


def terms_of(text: str, words: Sequence[Word] | None = None) -> list[Term]:
    """The terms of a text, in its order; quoted names come first. Short ones only: nothing is cut."""
    words = words_of(text) if words is None else words
    named = _names(words)
    quoted = [words_of(next(filter(None, groups))) for groups in _QUOTED.findall(text)]
    terms = [_term(name, Kind.NAME) for name in quoted]
    position = 0
    while position < len(words):
        end = named.get(position) or _number_end(words, position)
        if end:
            kind = Kind.NAME if position in named else Kind.NUMBER
            before = words[position - 1].folded if position else ""
            signs = _signs(words, position, end) if kind is Kind.NUMBER else ("", "")
            terms.append(_term(words[position:end], kind, *signs, before=before))
        elif words[position].is_content:
            end = _phrase_end(words, position, named)
            terms.append(_term(words[position:end], Kind.WORDS, relational=_belongs(words, position)))
        position = end or position + 1
    return [term for term in terms if term.tokens and len(term.text) <= _LONGEST_TERM]


def _term(
    words: Sequence[Word], kind: Kind, sign: str = "", unit: str = "", *, relational: bool = False, before: str = ""
) -> Term:
    tokens = frozenset(token for word in words for token in word.tokens)
    return Term(f"{sign}{' '.join(word.text for word in words)}{unit}", kind, tokens, relational, before)


def _signs(words: Sequence[Word], position: int, end: int) -> tuple[str, str]:
    """The currency before a number and the percent sign after it."""
    before, after = words[position].gap[-1:], words[end].gap[:1] if end < len(words) else ""
    return before if before in _CURRENCIES else "", after if after in _PERCENT else ""


def _belongs(words: Sequence[Word], position: int) -> bool:
    """Whether a word says nothing without what it belongs to: "price", or the verb of "who founded ...?"."""
    return words[position].is_relational or (position > 0 and words[position - 1].folded in _ASKING_FOR_DOER)


def _adjacent(word: Word) -> bool:
    return word.gap in (" ", "\u00a0")


def _number_end(words: Sequence[Word], position: int) -> int:
    """After a number and its unit; 0 where no number stands."""
    if not words[position].is_number:
        return 0
    unit = position + 1
    if words[position].gap[-1:] in _CURRENCIES:
        return unit
    return unit + (unit < len(words) and _adjacent(words[unit]) and words[unit].is_content)


def _phrase_end(words: Sequence[Word], position: int, named: dict[int, int]) -> int:
    end = position + 1
    while (
        end < len(words)
        and end - position < _LONGEST_PHRASE
        and end not in named
        and _adjacent(words[end])
        and words[end].is_content
        and not words[end].is_number
        and _belongs(words, end) == _belongs(words, position)
    ):
        end += 1
    return end


def _names(words: Sequence[Word]) -> dict[int, int]:
    """Where each name begins and ends."""
    bears = _bearer(words)
    found: dict[int, int] = {}
    position = 0
    while position < len(words):
        end = position
        if bears(position):
            end = _name_end(words, position, bears)
        elif _is_title(words, position):
            end = position + 2
        if end > position:
            found[position] = end
        position = max(end, position + 1)
    return found


def _name_end(words: Sequence[Word], position: int, bears: Callable[[int], bool]) -> int:
    end = position + 1
    while end < len(words) and _adjacent(words[end]):
        joined = words[end].folded in _JOINERS and end + 1 < len(words) and bears(end + 1) and _adjacent(words[end + 1])
        if not (joined or bears(end) or words[end].is_number):
            break
        end += 1 + joined
    return end


def _is_title(words: Sequence[Word], position: int) -> bool:
    """Whether an Arabic title stands here and a name may follow: شركة قطرة."""
    after = position + 1
    return (
        words[position].folded in _TITLES
        and after < len(words)
        and _adjacent(words[after])
        and words[after].is_content
        and not words[after].is_relational
    )


def _bearer(words: Sequence[Word]) -> Callable[[int], bool]:
    """Tells by its letters whether a word belongs to a name: a capital inside a sentence, letters with digits, Latin
    letters in an Arabic text. Capitals say nothing where small words have them too ("Where To Buy")."""
    arabic = sum(is_arabic(word.folded) for word in words) * 2 >= len(words)
    small = [word.text for word in words[1:] if not word.tokens and word.folded != "i"]
    shouted = sum(map(_begins_high, small)) * 2 > len(small) or all(word.text.isupper() for word in words)

    def inner(position: int) -> bool:
        word = words[position]
        if not word.tokens or is_arabic(word.folded) or word.is_number:
            return False
        mixed = any(map(str.isdigit, word.text)) and any(map(str.isalpha, word.text))
        if mixed or arabic:
            return True
        return not shouted and any(map(str.isupper, word.text[1:]))

    def bears(position: int) -> bool:
        if inner(position):
            return True
        word = words[position]
        if shouted or not word.is_content or not word.text[:1].isupper():
            return False
        if position and not _SENTENCE_END.search(word.gap):
            return True
        after = position + 1
        return after < len(words) and _adjacent(words[after]) and (inner(after) or _capital(words[after]))

    return bears


def _begins_high(text: str) -> bool:
    return text[:1].isupper()


def _capital(word: Word) -> bool:
    return word.text[:1].isupper() and word.is_content


def names_of(text: str) -> Iterator[Term]:
    """Only the names; a whole short text that begins with a capital is one."""
    words = words_of(text)
    if 0 < len(words) <= 3 and all(map(_capital, words)):
        yield _term(words, Kind.NAME)
        return
    yield from (term for term in terms_of(text, words) if term.kind is Kind.NAME)
