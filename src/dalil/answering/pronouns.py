"""Pronouns and demonstratives whose antecedent is not in the question, in English and Arabic.

A personal pronoun finds its antecedent only in an earlier clause ("I lost my card; how do I replace it?"), a
possessive one in its own clause too ("how do companies protect their data?").
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from dalil.answering.terms import Kind, Term, Word
from dalil.answering.wordlists import ARABIC_PREPOSITIONS, PREPOSITIONS, VERBS, word_set
from dalil.text.stemming import is_arabic


class Antecedent(Enum):
    """What a pronoun can stand for."""

    THING = "thing"
    PERSON = "person"
    """Or several persons or things."""


_CLAUSES = word_set(
    "and or but if when because so that which who before after while until unless once since where whether "
    "إذا عندما لأن لكن ثم حين بعدما قبل أن"
)
_BREAKS = frozenset(".,;:?!()—–،؛؟\n")
_PERSONS = word_set("he him she they them")
_PERSONS_OWN = word_set("his her hers their theirs")
_THINGS = word_set("it these those")
_POINTING = word_set("is was are were does did do has can could would will should")
_AFTER_OF = PREPOSITIONS | {"like", "than", "does"}
_TIMES = word_set(
    "year month week day morning afternoon evening time quarter century weekend summer winter "
    "years months weeks days mornings evenings times quarters"
)
_FOLLOWING = word_set("who which that with of in")
_STANDING_IN = word_set("one ones")
_CHOOSING = word_set(
    "second third first fourth last other next previous new old best cheapest cheaper better which that"
)
_EXPLETIVE = word_set(
    "possible impossible legal illegal allowed permitted ok okay safe necessary required mandatory compulsory "
    "important essential true false common normal likely unlikely better best good bad hard difficult easy easier "
    "worth wise smart useful enough fair advisable recommended right wrong clear known take takes "
    "cost costs mean matter make makes"
)
_COMPLEMENTS = word_set("to that if whether when for worth")
_ATTACHED = ("هما", "هم", "هن", "ها", "ه")
_CARRIERS = word_set("ل ب في من عن علي الي مع بين عند لدي قبل بعد حول نحو دون ضد تجاه خلال فوق تحت")
_PRONOUNS = word_set("هو هي هم هن هما")
_DEMONSTRATIVES = word_set("هذا هذه هؤلاء ذلك تلك أولئك هذان هاتان ده هاد هيدا هيدي")
_ARABIC_TIMES = word_set("العام السنة الشهر الأسبوع اليوم المرة الصيف الشتاء القرن الصباح المساء")
_RELATIVE = word_set("الذي التي الذين اللذين اللتين اللاتي اللواتي اللذان اللتان اللي مالذي ماالذي حيث ممن مما")
_HONOURING = word_set("السلام وسلم الصلاة الله")
_COPULAR = word_set("ما من كم أي ماذا كيف")
_CHOSEN = word_set("أي أية بأي لأي أول آخر كم")
_NO_PRONOUN = word_set(
    "مهم أهم درهم فهم وهم سهم متهم تفاهم ملهم مبهم مساهم رهن ذهن دهن لهن مها إنها أنها لأنها كلها الله إله "
    "وجه اتجاه مياه انتباه تنبيه توجيه ترفيه تشبيه شبيه شبه فقه فقيه نزيه مشبوه منتزه متنزه مكروه كره طه فواكه "
    "نبيه سفيه شفاه جباه تافه مرفه رفاه كنه فوه منبه موجه مشابه متشابه تشابه اشتباه إكراه أفواه أوجه مواجه"
)


def missing_antecedent(words: Sequence[Word], terms: Sequence[Term], *, marks_feminine: bool) -> Antecedent | None:
    """What the first pronoun stands for whose antecedent is not in the question; None where there is none.

    `marks_feminine` tells that the writer spells ة with its dots, so that a last ه is a pronoun.
    """
    named = {token for term in terms if term.kind is Kind.NAME for token in term.tokens}
    for position in range(len(words)):
        if is_arabic(words[position].folded):
            if _arabic_pronoun(words, position, named, marks_feminine):
                return Antecedent.THING
        else:
            missing = _english_pronoun(words, position, named)
            if missing is not None:
                return missing
    return None


def _english_pronoun(words: Sequence[Word], position: int, named: set[str]) -> Antecedent | None:
    word = words[position].folded
    if _is_abbreviation(words, position):
        return None
    before = words[position - 1].folded if position else ""
    after = words[position + 1].folded if position + 1 < len(words) else ""
    missing: Antecedent | None
    if word == "its" or word in _PERSONS_OWN:
        missing = Antecedent.THING if word == "its" else Antecedent.PERSON
        content = _content_before(words, position, named)
        bound = content > 3 or (content > 1 and before not in PREPOSITIONS) or _named_before(words, position, named)
        return None if bound or _antecedent(words, position, named) else missing
    if word in _PERSONS:
        missing = Antecedent.PERSON
    elif word == "it":
        missing = None if _expletive(words, position) else Antecedent.THING
    elif _demonstrative(word, before, after, position):
        missing = Antecedent.THING
    else:
        return None
    return None if before != "than" and _antecedent(words, position, named) else missing


def _is_abbreviation(words: Sequence[Word], position: int) -> bool:
    """Whether this is the IT of "the IT department": capitals where other words have none."""
    return words[position].text.isupper() and not all(word.text.isupper() for word in words)


def _demonstrative(word: str, before: str, after: str, position: int) -> bool:
    if word in _THINGS:
        return after not in _FOLLOWING and after not in _TIMES
    if word == "this":
        return after not in _TIMES
    if word == "that":
        return before in _AFTER_OF or before in _POINTING or (not position and after not in _TIMES)
    if word == "there":
        return not after and before not in VERBS
    if word in _STANDING_IN:
        return before in _CHOOSING
    return word in ("former", "latter") and before == "the" and (not after or after in VERBS)


def _expletive(words: Sequence[Word], position: int) -> bool:
    """Whether an "it" stands for nothing: "is it legal to ...", "how long does it take to ..."."""
    following = words[position + 1 : position + 6]
    for offset, word in enumerate(following):
        if word.folded in _COMPLEMENTS:
            told = any(earlier.folded in _EXPLETIVE for earlier in following[: offset + 1])
            return told and sum(later.is_content for later in words[position + 2 + offset :]) > 1
    return False


def _arabic_pronoun(words: Sequence[Word], position: int, named: set[str], marks_feminine: bool) -> bool:
    word = words[position].folded
    bare = word[1:] if word[:1] in ("و", "ف") else word
    before = words[position - 1].folded if position else ""
    after = words[position + 1].folded if position + 1 < len(words) else ""
    if bare in _PRONOUNS:
        return _stands_for_something(words, position) and not _antecedent(words, position, named)
    for prefix in ("", "ل", "ب", "ك"):
        if bare.startswith(prefix) and bare[len(prefix) :] in _DEMONSTRATIVES and bare != "كذلك":
            return after not in _ARABIC_TIMES and not _antecedent(words, position, named)
    if bare == "هناك":
        return not after and position > 0
    if before == "الله" or after in _HONOURING or any(earlier.folded in _RELATIVE for earlier in words[:position]):
        return False
    attached = _attached(words[position], bare, marks_feminine)
    if attached is _Attached.PREPOSITION:
        passive = bare[:1] in ("ب", "ا", "ع") and before.startswith("ال")  # المسموح به, المشار إليها
        return not passive and not _resumes(words, position, named) and not _antecedent(words, position, named)
    if attached is _Attached.NOUN:
        bound = _possessor_before(words, position, named) or _resumes(words, position, named)
        return not bound and not _antecedent(words, position, named)
    return False


def _stands_for_something(words: Sequence[Word], position: int) -> bool:
    """Whether هو is more than a copula, as it is in ما هو السعر or أي دولة هي الأكبر."""
    if position + 1 == len(words) or not position:
        return True
    before = words[position - 1]
    asking = before.folded.removeprefix("و").removeprefix("ف")
    if asking == "هل":
        return True
    if before.is_content or asking in _COPULAR or words[position].folded[0] in ("و", "ف"):
        return False
    return not words[position + 1].folded.startswith("ال")


def _resumes(words: Sequence[Word], position: int, named: set[str]) -> bool:
    """Whether the pronoun takes up a noun before it, as its own subject follows: أي مدرسة ارتادها أحمد."""
    follows = any(later.is_content for later in words[position + 1 :])
    content = _content_before(words, position, named)
    choosing = any(earlier.folded in _CHOSEN for earlier in words[:position])
    return content > 3 or (follows and content > (0 if choosing else 1))


def _possessor_before(words: Sequence[Word], position: int, named: set[str]) -> bool:
    """Whether the same clause can say whose it is: هل يأخذ الموظف إجازته, سعر الهاتف وضمانه; no preposition before."""
    word, before = words[position].folded, words[position - 1].folded if position else ""
    if word.startswith("و"):
        return _content_before(words, position, named) > 1
    content = sum(earlier.is_content and not earlier.is_relational for earlier in words[:position])
    definite = any(earlier.folded.startswith(("ال", "لل", "وال", "بال")) for earlier in words[:position])
    free = before not in ARABIC_PREPOSITIONS or definite
    return content > 2 or (content > 1 and free and not word.startswith(("ل", "ب")))


class _Attached(Enum):
    NOTHING = "nothing"
    PREPOSITION = "preposition"
    NOUN = "noun"
    """Or a verb."""


def _attached(word: Word, bare: str, marks_feminine: bool) -> _Attached:
    """To what kind of word a pronoun is attached here."""
    if word.text.endswith("ة") or _NO_PRONOUN.intersection((word.folded, bare, word.folded[1:], bare[1:])):
        return _Attached.NOTHING
    for ending in _ATTACHED:
        if not bare.endswith(ending):
            continue
        stem = word.folded[: -len(ending)]
        if stem in _CARRIERS or bare[: -len(ending)] in _CARRIERS:
            return _Attached.PREPOSITION
        if len(stem) < 3 or stem.startswith(("ال", "لل", "وال", "بال")):
            return _Attached.NOTHING
        if ending != "ه" or marks_feminine or word.is_relational or stem.endswith("ت"):
            return _Attached.NOUN
        return _Attached.NOTHING
    return _Attached.NOTHING


def _content_before(words: Sequence[Word], position: int, named: set[str]) -> int:
    """How many words before could be what a pronoun stands for; a name is enough for two."""
    return sum(2 if named.intersection(word.tokens) else 1 for word in words[:position] if word.is_content)


def _named_before(words: Sequence[Word], position: int, named: set[str]) -> bool:
    return any(named.intersection(word.tokens) for word in words[:position])


def _antecedent(words: Sequence[Word], position: int, named: set[str]) -> bool:
    """Whether an earlier clause of the same question says what the pronoun stands for."""
    for boundary in range(position, 0, -1):
        word = words[boundary]
        parted = word.folded in _CLAUSES or _BREAKS.intersection(word.gap)
        if parted and _content_before(words, boundary, named) > 1:
            return True
    return False
