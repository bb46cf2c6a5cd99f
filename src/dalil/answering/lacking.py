"""Whether a question stands on its own, by its grammar: pronouns without an antecedent, and what is left out.

English and Arabic; in other languages only very short questions count as incomplete.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise

from dalil.answering.pronouns import Antecedent, missing_antecedent
from dalil.answering.terms import Kind, Term, Word
from dalil.answering.wordlists import ARABIC_ASKING, ARABIC_PREPOSITIONS, ASKING, PREPOSITIONS, VERBS, word_set
from dalil.text import normalise
from dalil.text.stemming import is_arabic


class Lack(Enum):
    """What a question needs from the conversation."""

    NOTHING = "nothing"
    SUBJECT = "subject"
    """What its pronoun, or a noun such as "price", belongs to."""
    PERSON = "person"
    """A subject that is a person, or several."""
    PREDICATE = "predicate"
    """What is asked about the thing that it names: "and for managers?"."""
    ALL = "all"


_FILLERS = word_set("ok okay well then now great thanks thank hmm oh right please طيب حسنا تمام شكرا أوكي")
_AND = word_set("and or but so also plus")
_MODAL = word_set("يمكن يمكنني يمكنك يمكننا تستطيع أستطيع يستطيع يجب ينبغي")
_ELSE = word_set("else another instead other others same too آخر أخرى أيضا غيره غيرها كذلك")
_DEFINED_BY = word_set("ما من ماهو ماهي عرف اشرح define explain describe")


def lack_of(words: Sequence[Word], terms: Sequence[Term], *, marks_feminine: bool) -> Lack:
    """What the question of these words and terms lacks.

    `marks_feminine` tells that its writer spells ة with its dots, so that a last ه is a pronoun.
    """
    names = any(term.kind is Kind.NAME for term in terms)
    own = [word for word in words if word.is_content and not word.is_relational]
    relational = [word for word in words if word.is_relational]
    if not words:
        return Lack.NOTHING
    missing = missing_antecedent(words, terms, marks_feminine=marks_feminine)
    if missing is not None:
        return Lack.PERSON if missing is Antecedent.PERSON else Lack.SUBJECT
    start = _start(words)
    if _leaves_out(words[start:]) and len(own) <= 5:
        return Lack.PREDICATE if own or names else Lack.SUBJECT if relational else Lack.ALL
    if names:
        return Lack.NOTHING
    if not own:
        if any(_compound(left, right) for left, right in pairwise(words)):
            return Lack.NOTHING
        return Lack.SUBJECT if relational else Lack.ALL
    if len(own) <= 1 and any(word.folded in _ELSE for word in words):
        return Lack.ALL
    alone = len(own) == 1 and sum(bool(word.tokens) and word.folded not in _MODAL for word in words) == 1
    return Lack.ALL if alone and not _defines(words[start:]) else Lack.NOTHING


def _start(words: Sequence[Word]) -> int:
    """Where the question begins, after "ok", "طيب" and the like."""
    for position, word in enumerate(words):
        if word.folded not in _FILLERS:
            return position
    return 0


def _compound(left: Word, right: Word) -> bool:
    """Two such nouns in a row make a subject: "delivery time", سياسة الاسترجاع."""
    return left.is_relational and right.is_relational and right.gap == " " and not right.folded.startswith("و")


def _defines(words: Sequence[Word]) -> bool:
    """Whether the last word is what is asked about: "what is photosynthesis?", «ما الديمقراطية؟»."""
    before = [word.folded for word in words[:-1]]
    if not before or not words[-1].is_content:
        return False
    if len(before) > 1 and before[-1] in ("a", "an", "the"):
        before.pop()
    copular = len(before) > 1 and before[-1] in VERBS and before[-2] in (*ASKING, "much", "many")
    return copular or before[0] in _DEFINED_BY


def _leaves_out(words: Sequence[Word]) -> bool:
    """Whether the question has no predicate of its own: "what about ...", "and for ...", «وماذا عن»."""
    folded = [word.folded for word in words]
    first, second = folded[0], folded[1] if len(folded) > 1 else ""
    if first in _AND and second:
        rest = folded[1:]
        return _about(rest) or not _asks(rest)
    if _about(folded):
        return True
    bare = first[1:] if first[:1] in ("و", "ف") else ""
    if bare in ARABIC_PREPOSITIONS or bare.startswith(("ال", "لل", "بال")):
        return not _asks(folded[1:])
    leading = first in PREPOSITIONS or first in ARABIC_PREPOSITIONS - {"من"} or first.startswith("لل")
    if "من" in folded[1:3]:  # على يد من
        return False
    named = len(words) <= 4 and not is_arabic(first) and all(word.text[:1].isupper() for word in words if word.tokens)
    return (leading or named) and not _asks(folded) and len(words) <= 6


def _about(folded: Sequence[str]) -> bool:
    first, second = folded[0], folded[1] if len(folded) > 1 else ""
    if first in ("what", "how"):
        return second == "about" or folded[1:2] == ["if"]
    bare = first.removeprefix("و").removeprefix("ف")
    return (bare in ("ماذا", "شو", "ايش") and second in ("عن", "لو")) or bare == normalise("بالنسبة")


def _asks(folded: Sequence[str]) -> bool:
    asking = ASKING | VERBS | ARABIC_ASKING
    return any(word in asking for word in folded)
