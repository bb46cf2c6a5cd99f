"""Which word the table replaces, where, and how the new word is written."""

from __future__ import annotations

import pytest

from dalil.rag.expansion import QueryExpander
from dalil.text.synonyms import synonym_table


def first(query: str) -> str:
    """The first variant by table."""
    return QueryExpander(max_variants=1).expand(query)[1]


def all_of(query: str, *, multi_keyword: bool = False) -> list[str]:
    return QueryExpander(max_variants=99, multi_keyword=multi_keyword).expand(query)[1:]


def test_the_documented_example():
    assert QueryExpander().expand("رقم التليفون")[:3] == ["رقم التليفون", "رقم الهاتف", "رقم الجوال"]


def test_the_class_gives_three_variants_unless_told_otherwise():
    assert len(QueryExpander().expand("phone number")) == 4


@pytest.mark.parametrize("query", ["PHONE here", "Phone here", "pHoNe here", "(phone) here", "phone: here"])
def test_case_and_punctuation_do_not_matter(query: str):
    assert "telephone" in first(query)


@pytest.mark.parametrize("query", ["phonetics", "microphone", "phone_x", "iphone", "هاتفي", "مهاتف", "phone2"])
def test_only_whole_words_count(query: str):
    assert all_of(query) == []


def test_only_the_first_place_is_changed():
    assert first("phone to phone") == "telephone to phone"
    assert first("هاتف وهاتف") == "تليفون وهاتف"


def test_the_first_in_the_table_wins_not_the_first_in_the_question():
    keywords = list(synonym_table())
    assert keywords.index("car") < keywords.index("phone")
    assert first("phone and car") == "phone and automobile"
    assert first("car and phone") == "automobile and phone"


def test_a_phrase_wins_over_its_words():
    assert first("my phone number") == "my telephone number"
    assert first("بطاقة الائتمان") == "البطاقة الائتمانية"


@pytest.mark.parametrize("query", ["e-mail", "e mail", "E-Mail", "e‑mail", "e\u00a0mail"])
def test_the_words_of_a_phrase_may_be_joined_by_a_hyphen(query: str):
    assert first(query) == "email"


def test_the_words_of_a_phrase_must_be_neighbours():
    assert all("telephone number" not in variant for variant in all_of("phone, number"))
    assert all("telephone number" not in variant for variant in all_of("phone my number"))


@pytest.mark.parametrize(
    ("query", "variant"),
    [
        ("الهاتف", "التليفون"),
        ("وهاتف", "وتليفون"),
        ("فهاتف", "فتليفون"),
        ("بهاتف", "بتليفون"),
        ("كهاتف", "كتليفون"),
        ("لهاتف", "لتليفون"),
        ("والهاتف", "والتليفون"),
        ("فالهاتف", "فالتليفون"),
        ("بالهاتف", "بالتليفون"),
        ("كالهاتف", "كالتليفون"),
        ("للهاتف", "للتليفون"),
        ("ولهاتف", "ولتليفون"),
        ("وبالهاتف", "وبالتليفون"),
        ("وللهاتف", "وللتليفون"),
    ],
)
def test_particles_stay_in_front_of_the_new_word(query: str, variant: str):
    assert first(f"ما {query}؟") == f"ما {variant}؟"


def test_lam_and_the_article_melt_before_the_new_word():
    assert "للجوال" in all_of("للهاتف")
    assert "للابتوب" in all_of("للحاسوب المحمول")
    assert "للحاسوب المحمول" in all_of("للابتوب")


def test_particles_go_where_the_new_word_is_english():
    assert {"phone", "telephone", "mobile"} <= set(all_of("للهاتف"))


def test_an_english_word_in_arabic_text_may_carry_particles_too():
    assert "والسيرة الذاتية" in all_of("والresume")


@pytest.mark.parametrize(
    ("query", "variant"),
    [
        ("الإجازة السنوية", "الإجازة المدفوعة"),
        ("إجازة سنوية", "إجازة مدفوعة"),
        ("بالإجازة السنوية", "بالإجازة المدفوعة"),
        ("للإجازة السنوية", "للإجازة المدفوعة"),
        ("وإجازة سنوية", "وإجازة مدفوعة"),
        ("رقم الهاتف", "رقم التليفون"),
        ("رقم هاتف المدير", "رقم تليفون المدير"),
        ("لرقم الهاتف", "لرقم التليفون"),
        ("الشروط والأحكام", "شروط الاستخدام"),
        ("شروط وأحكام", "شروط استخدام"),
    ],
)
def test_a_phrase_keeps_or_drops_its_article(query: str, variant: str):
    assert first(query) == variant


@pytest.mark.parametrize(
    "query", ["إجازة", "اجازة", "أجازه", "اجازه", "إجـــازة", "إِجَازَةٌ", "ﺇﺟﺎﺯﺓ", "\u200fإجازة\u200e", "الاجازه"]
)
def test_spellings_do_not_matter(query: str):
    assert first(query).removeprefix("ال") == "عطلة"


@pytest.mark.parametrize("query", ["فكرة", "بطاقة", "وظيفة", "والدة", "للغاية", "كمية"])
def test_a_word_that_the_table_knows_is_not_taken_apart(query: str):
    variants = all_of(query)
    assert not any(variant.startswith(query[0]) and variant[1:] in synonym_table() for variant in variants)


def test_several_keywords_take_turns():
    variants = all_of("phone or car", multi_keyword=True)
    assert variants[:4] == ["phone or automobile", "telephone or car", "phone or motorcar", "mobile or car"]
    assert set(all_of("phone or car")) < set(variants)


def test_each_keyword_gets_its_turn_before_any_gets_a_second():
    query = "phone, car, hospital, salary"
    variants = QueryExpander(max_variants=4, multi_keyword=True).expand(query)[1:]
    changed = [
        [old != new for old, new in zip(query.split(", "), variant.split(", "), strict=True)] for variant in variants
    ]
    assert sorted(map(tuple, changed)) == sorted(tuple(place == turn for place in range(4)) for turn in range(4))


def test_the_first_keyword_is_the_same_with_and_without_the_others():
    assert all_of("phone number of the hospital", multi_keyword=True)[0] == first("phone number of the hospital")


def test_a_word_inside_a_replaced_phrase_gets_no_turn_of_its_own():
    assert all_of("phone number", multi_keyword=True) == all_of("phone number")
    assert any(variant.endswith("telephone") for variant in all_of("phone number, phone", multi_keyword=True))


def test_a_single_keyword_gives_the_same_either_way():
    assert all_of("my car", multi_keyword=True) == all_of("my car")
