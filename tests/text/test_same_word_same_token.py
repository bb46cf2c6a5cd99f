"""Every way of writing a word finds every other."""

from __future__ import annotations

import pytest

from dalil.text import analyze, normalise


@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("آسفي", "اسفي"),
        ("\u0627\u0653سفي", "اسفي"),
        ("\u0627\u0653سفي", "آسفي"),
        ("أحمد", "احمد"),
        ("إسلام", "اسلام"),
        ("مُدَرِّسَة", "مدرسه"),
        ("ﻣﺪﺭﺳﺔ", "مدرسة"),
        ("مستشفى", "مستشفي"),
        ("كتـــاب", "كِتاب"),
        ("الكتاب", "كتاب"),
        ("والكتاب", "كتاب"),
        ("بالكتاب", "كتاب"),
        ("والكتاب", "بالكتاب"),
        ("وكتاب", "كتاب"),
        ("کتاب", "كتاب"),
        ("\u200fكتاب\u200e", "كتاب"),
        ("٢٠٢٦", "2026"),
        ("۲۰۲۶", "2026"),
        ("١٨٬٨٧٠", "18870"),
        ("18,870", "18870"),
        ("1,234,567.50", "1234567.50"),
        ("١٨٫٥", "18.5"),
        ("running", "runs"),
        ("Café", "cafe"),
        ("cafe\u0301", "CAFÉ"),
        ("STRASSE", "straße"),
        ("ﬁnance", "finance"),
        ("employee's", "employee"),
        ("employee’s", "employees"),
        ("multi-agent", "agent"),
    ],
)
def test_spellings_find_each_other(written: str, searched: str):
    assert set(analyze(written)) == set(analyze(searched)) or set(analyze(written)) > set(analyze(searched))
    assert analyze(searched)


@pytest.mark.parametrize("name", ["c++", "c#", "node.js", "1.0.21", "--flag", "18.5", "a.b_c", "--no-cache"])
def test_names_are_kept_whole(name: str):
    assert name in analyze(f"We use {name.upper()} here, daily.")
    assert name in analyze(f"نستخدم {name} هنا")


def test_the_words_inside_a_name_are_found_too():
    assert {"node", "js"} <= set(analyze("node.js"))
    assert "flag" in analyze("--flag")


def test_similar_names_stay_apart():
    assert not set(analyze("C++")) & set(analyze("C#"))
    assert not set(analyze("1.0.21")) & set(analyze("1.0.22"))
    assert not set(analyze("18,870")) & set(analyze("18,871"))


@pytest.mark.parametrize(
    ("document", "question"),
    [("今日は成語しりとりをした", "しりとり"), ("云工开物 学生券", "云工开物 优惠券"), ("한국어문서", "한국어")],
)
def test_scripts_without_spaces_match_by_pairs(document: str, question: str):
    assert set(analyze(document)) & set(analyze(question))


def test_a_script_without_spaces_beside_latin_letters():
    assert "python" in analyze("我用Python写")
    assert "我用" in analyze("我用Python写")


def test_stop_words_go_in_both_languages():
    assert analyze("what is the of and") == []
    assert analyze("ما هو في من على إلى أين") == []


def test_repeats_and_order_are_kept():
    assert analyze("mint tea, mint") == ["mint", "tea", "mint"]


def test_a_text_without_words_has_no_tokens():
    assert analyze("") == []
    assert analyze(" ... !? \n\t") == []
    assert analyze("\u064b\u064e\u0651") == []


def test_normalising_folds_what_only_looks_different():
    assert normalise("مُدَرِّسَة") == "مدرسه"
    assert normalise("الكتـــاب ﻣﺪﺭﺳﺔ ٢٠٢٦ ۲۰۲۶ Ａ") == "الكتاب مدرسه 2026 2026 a"


def test_marks_that_are_letters_stay():
    assert normalise("हिन्दी") == "हिन्दी"
    assert normalise("が") == "が"
