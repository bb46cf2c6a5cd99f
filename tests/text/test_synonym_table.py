"""The synonym table: wide, in both languages, and safe to substitute from."""

from __future__ import annotations

import re
import time
from importlib.resources import files

import pytest

from dalil.text import normalise
from dalil.text.stopwords import ARABIC, ENGLISH
from dalil.text.synonyms import _table, find_synonyms, synonym_table

TABLE = synonym_table()
ARABIC_LETTER = re.compile("[\u0620-\u064a]")


def plain(keyword: str) -> tuple[str, ...]:
    """A keyword's words as they are compared: normalised, a phrase's without articles."""
    words = re.findall(r"\w+", keyword)
    return tuple(normalise(re.sub("^(و?)ال", r"\1", word) if len(words) > 1 else word) for word in words)


PLAIN = {keyword: plain(keyword) for keyword in TABLE}


def test_it_holds_at_least_1200_keywords_of_both_languages():
    arabic = [keyword for keyword in TABLE if ARABIC_LETTER.search(keyword)]
    assert len(TABLE) >= 1200
    assert len(arabic) >= 500
    assert len(TABLE) - len(arabic) >= 500


def test_every_keyword_has_two_to_eight_synonyms():
    assert [keyword for keyword, synonyms in TABLE.items() if not 2 <= len(synonyms) <= 8] == []


def test_no_synonym_is_empty_or_the_keyword_itself_or_there_twice():
    for keyword, synonyms in TABLE.items():
        spelled = [plain(synonym) for synonym in synonyms]
        assert all(spelled), keyword
        assert PLAIN[keyword] not in spelled, keyword
        assert len(set(spelled)) == len(spelled), keyword


def test_no_keyword_stands_in_two_groups():
    assert len(set(PLAIN.values())) == len(TABLE)


def test_synonyms_reach_across_both_languages_the_own_one_first():
    for keyword, synonyms in TABLE.items():
        foreign = [bool(ARABIC_LETTER.search(word)) != bool(ARABIC_LETTER.search(keyword)) for word in synonyms]
        assert any(foreign), keyword
        assert foreign == sorted(foreign), keyword


def test_what_can_be_replaced_by_another_can_also_replace_it():
    for keyword, synonyms in TABLE.items():
        assert all(keyword in TABLE[synonym] for synonym in synonyms if synonym in TABLE), keyword


def test_every_keyword_is_found_whole_when_it_is_all_that_is_asked():
    for keyword, synonyms in TABLE.items():
        first = find_synonyms(keyword)[0]
        assert (first.start, first.end) == (0, len(keyword)), keyword
        assert len(first.replacements) == len(synonyms), keyword


def test_a_phrase_stands_before_the_words_it_is_made_of():
    place = {words: number for number, words in enumerate(PLAIN.values())}
    for words, number in place.items():
        parts = {words[start:end] for start in range(len(words)) for end in range(start + 1, len(words) + 1)} - {words}
        assert all(place.get(part, number) >= number for part in parts), words


@pytest.mark.parametrize("word", sorted(ARABIC | ENGLISH))
def test_no_stop_word_is_ever_replaced(word: str):
    assert find_synonyms(word) == []


@pytest.mark.parametrize(
    ("standard", "others"),
    [
        ("هاتف", {"تليفون", "تلفون", "جوال", "موبايل", "خلوي", "phone", "mobile"}),
        ("سيارة", {"عربية", "مركبة", "car"}),
        ("حافلة", {"باص", "أتوبيس", "bus"}),
        ("كيف يمكنني", {"شلون أقدر", "ازاي أقدر", "كيف فيني", "كيفاش نقدر", "how can I"}),
        ("طماطم", {"بندورة", "قوطة", "tomato"}),
        ("مال", {"فلوس", "مصاري", "money"}),
        ("أريد", {"أبغى", "عايز", "بدي"}),
        ("راتب", {"مرتب", "أجر", "salary"}),
        ("الإجازة المرضية", {"sick leave"}),
        ("كلمة المرور", {"كلمة السر", "الرقم السري", "password"}),
    ],
)
def test_dialects_and_spellings(standard: str, others: set[str]):
    assert others <= set(TABLE[standard])


@pytest.mark.parametrize(
    ("group", "text"),
    [
        ("سيارة", "قواعد اللغة العربية"),
        ("invoice", "Where was Bill born?"),
        ("رغيف", "كيف كان عيش الناس"),
        ("والدة", "أم لا"),
    ],
)
def test_a_word_of_many_meanings_is_offered_but_not_replaced(group: str, text: str):
    assert group in TABLE
    assert not any(set(TABLE[group]) & set(found.replacements) for found in find_synonyms(text))


@pytest.mark.parametrize("word", ["بعيد", "كمية", "فارق", "بحرية", "للغاية", "بسبب", "بصورة"])
def test_a_word_that_only_looks_like_a_particle_and_a_word_is_left_alone(word: str):
    assert find_synonyms(word) == []


def test_the_table_cannot_be_changed():
    with pytest.raises(TypeError):
        TABLE["phone"] = ()  # type: ignore[index]


def test_the_lists_ship_with_the_package():
    assert {file.name for file in (files("dalil.text") / "synonyms").iterdir()} >= {"phrases.txt", "general.txt"}


def test_it_is_read_in_well_under_50_milliseconds():
    taken = []
    for _ in range(5):
        _table.cache_clear()
        started = time.process_time()
        _table()
        taken.append(time.process_time() - started)
    assert min(taken) < 0.05
