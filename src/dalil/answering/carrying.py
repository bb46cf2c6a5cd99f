"""Follow-up questions made findable without a model: what they leave out is carried over from the last turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dalil.answering.lacking import Lack, lack_of
from dalil.answering.smalltalk import is_small_talk
from dalil.answering.terms import Kind, Term, Word, names_of, terms_of, words_of
from dalil.models import Turn
from dalil.text import detect_language, normalise
from dalil.text.messages import is_not_found

_LONGEST_QUESTION = 400
_READ = 240  # of each earlier question and answer: what it is about stands at the beginning
_ANSWER_NAMES = 2
_LEADS = {"en": ("",), "ar": ("", "وهو هنا ")}
"""The second keeps a short Arabic question Arabic before a long Latin name; it is made of stop words."""
_COMMAS = {"en": ", ", "ar": "، "}
_SIDES = frozenset(normalise("in at from to on with by near under في من إلى على مع").split())
_ENTITY_ASKED = frozenset(normalise("who whom which where name من أي أية أين اسم وين فين مين").split())


@dataclass(frozen=True)
class _Asked:
    """An earlier question or the new one, read."""

    words: list[Word]
    terms: list[Term]
    lack: Lack

    @property
    def tokens(self) -> set[str]:
        return {token for word in self.words for token in word.tokens}

    @property
    def has_name(self) -> bool:
        return any(term.kind is Kind.NAME for term in self.terms)


class CarryingRewriter:
    """A QueryRewriter without a model: a question that lacks its subject gets search words from the last turns.

    They follow the question in parentheses: `What about its price? (Model X200)`. Names come first, then the content
    words of the last question that stood alone, newest first; from the last answer only names. A question that stands
    alone stays as it is, so a change of topic leaves the old one behind. The same input gives the same words.

    At most `max_terms` pieces and `max_characters` characters are added; `max_turns` turns are read.

    Raises:
        ValueError: if a number is not positive.
    """

    def __init__(self, *, max_turns: int = 4, max_terms: int = 6, max_characters: int = 160):
        if min(max_turns, max_terms, max_characters) <= 0:
            raise ValueError("max_turns, max_terms and max_characters must be positive")
        self._max_turns = max_turns
        self._max_terms = max_terms
        self._max_characters = max_characters

    async def rewrite(self, question: str, history: Sequence[Turn]) -> str:
        """The question with what it lacks in parentheses; unchanged where it lacks or finds nothing."""
        if not history or len(question) > _LONGEST_QUESTION or is_small_talk(question):
            return question
        turns = history[-self._max_turns :]
        marks_feminine = "ة" in question or any("ة" in turn.question[:_READ] for turn in turns)
        asked = _read(question, marks_feminine)
        if asked.lack is Lack.NOTHING:
            return question
        topic = self._topic(turns, marks_feminine)
        return self._with(question, self._distinct(_carried(topic, turns[-1], asked), asked.tokens))

    def _topic(self, turns: Sequence[Turn], marks_feminine: bool) -> list[Term]:
        """What the turns are about, read back to the one that began it."""
        read: list[tuple[Turn | None, _Asked]] = []
        for position in range(len(turns) - 1, -1, -1):
            if is_small_talk(turns[position].question):
                continue
            asked = _read(turns[position].question[:_READ], marks_feminine)
            read.append((turns[position - 1] if position else None, asked))
            if asked.lack is Lack.NOTHING and asked.has_name:
                break
        topic: list[Term] = []
        for before, asked in reversed(read):
            topic = self._next_topic(topic, before, asked)
        return topic

    def _next_topic(self, topic: list[Term], before: Turn | None, asked: _Asked) -> list[Term]:
        """What the conversation is about after one more question."""
        own = self._distinct(asked.terms, set())
        if asked.lack is not Lack.NOTHING:
            return [*own, *self._distinct(_carried(topic, before, asked), asked.tokens)][: 2 * self._max_terms]
        goes_on = not asked.has_name and any(asked.tokens & term.tokens for term in topic)
        return own + [term for term in topic if goes_on and term.kind is Kind.NAME]

    def _distinct(self, terms: Iterable[Term], known: set[str]) -> list[Term]:
        """The first so many terms that say something new."""
        kept: list[Term] = []
        known = set(known)
        for term in terms:
            if len(kept) < self._max_terms and not term.tokens <= known:
                known |= term.tokens
                kept.append(term)
        return kept

    def _with(self, question: str, terms: Iterable[Term]) -> str:
        """The question with as many of the terms as there is room for, still in its language."""
        language = detect_language(question)
        result, kept = question, list[str]()
        for term in terms:
            for lead in _LEADS[language]:
                longer = f"{question} ({lead}{_COMMAS[language].join([*kept, term.text])})"
                if len(longer) - len(question) <= self._max_characters and detect_language(longer) == language:
                    result = longer
                    kept.append(term.text)
                    break
        return result


def _read(question: str, marks_feminine: bool) -> _Asked:
    words = words_of(question)
    terms = terms_of(question, words)
    return _Asked(words, terms, lack_of(words, terms, marks_feminine=marks_feminine))


def _carried(topic: Sequence[Term], before: Turn | None, asked: _Asked) -> list[Term]:
    """What a question takes from the topic and from the answer before it, best first."""
    names = [term for term in topic if term.kind is Kind.NAME]
    others = [term for term in topic if term.kind is not Kind.NAME]
    if asked.lack is Lack.PREDICATE:
        names = _replaced(names, [term for term in asked.terms if term.kind is Kind.NAME])
        if any(term.kind is Kind.NUMBER for term in asked.terms):
            others = [term for term in others if term.kind is not Kind.NUMBER]
        return names + others
    if before is not None and asked.lack is Lack.PERSON:
        names = _answered(before) + names
    elif before is not None and (not names or _asks_for_entity(before.question)):
        names = names + _answered(before)
    if asked.lack is Lack.ALL:
        return names + others
    subjects = [term for term in others if term.kind is Kind.WORDS and not term.relational]
    return names + subjects or others


def _replaced(names: list[Term], new: Sequence[Term]) -> list[Term]:
    """The names without those whose place the new ones take: "in Jordan" that of "in Egypt"; others an only name's."""
    for term in new:
        if term.before in _SIDES:
            names = [name for name in names if name.before != term.before]
        elif len(names) == 1:
            names = []
    return names


def _answered(turn: Turn) -> list[Term]:
    """The first names of an answer."""
    if is_not_found(turn.answer[:_READ]):
        return []
    return list(names_of(turn.answer[:_READ]))[:_ANSWER_NAMES]


def _asks_for_entity(question: str) -> bool:
    return any(word.folded in _ENTITY_ASKED for word in words_of(question[:_READ]))
