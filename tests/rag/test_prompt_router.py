"""A prompt is built in the question's language and for its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import ConfigurationError
from dalil.rag.routing import PromptRouter, QuestionType
from dalil.rag.routing_templates import TEMPLATES
from tests.text.strategies import TEXTS

LANGUAGES = ["ar", "en"]
KINDS = list(QuestionType)
CUES = {"ar": ("السؤال", "الإجابة"), "en": ("Question", "Answer")}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "ar"),
        (" \n\t", "ar"),
        ("What is the refund policy?", "en"),
        ("ما سياسة الاسترجاع؟", "ar"),
        ("abc ا", "en"),  # exactly a quarter
        ("abcdefgh ابج", "ar"),  # 3 of 11
        ("ab ا", "ar"),
        ("abcd ابج", "ar"),
        ("a b c d e f ا ا", "en"),  # white space does not count
        ("12345 !", "en"),
        ("\u0600\u06ff", "ar"),
        ("\u0750\u077f", "ar"),
        ("\ufb50\ufdff", "ar"),
        ("\ufe70\ufeff", "ar"),
        ("\u05ff\u0700\u074f\u0780", "en"),
        ("\ufb4f\ufe00\ufe6f\uff00", "en"),
        ("؟", "ar"),
    ],
)
def test_arabic_is_more_than_a_quarter_of_the_characters_shown(text: str, language: str):
    assert PromptRouter().detect_language(text) == language


def test_there_are_eight_kinds_of_question():
    assert {kind.name: kind.value for kind in QuestionType} == {
        "FACTUAL": "factual",
        "ANALYTICAL": "analytical",
        "COMPARATIVE": "comparative",
        "PROCEDURAL": "procedural",
        "DEFINITIONAL": "definitional",
        "EVALUATIVE": "evaluative",
        "CAUSAL": "causal",
        "GENERAL": "general",
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_prompt_holds_its_parts_in_order(language: str, kind: QuestionType):
    template, (question, answer) = TEMPLATES[language], CUES[language]
    prompt = PromptRouter().build("Q-U-E-S-T", "C-O-N-T-E-X-T", language=language, question_type=kind)
    parts = [
        template.role,
        template.instructions[kind],
        *template.rules,
        template.examples[kind].context,
        template.examples[kind].question,
        template.examples[kind].answer,
        "C-O-N-T-E-X-T",
        f"{question}: Q-U-E-S-T",
        f"{answer}:",
    ]
    places = [prompt.rindex(part) for part in parts]
    assert places == sorted(places)
    assert prompt.endswith(f"{answer}:")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words_of_its_own(language: str):
    template = TEMPLATES[language]
    assert set(template.instructions) == set(template.examples) == set(KINDS)
    assert (
        len(set(template.instructions.values())) == len({example.answer for example in template.examples.values()}) == 8
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_prompt_is_in_the_language(language: str):
    router = PromptRouter()
    question, context = {"ar": ("كم سعر التذكرة؟", "السعر عشرة"), "en": ("How much is it?", "It is ten")}[language]
    for kind in KINDS:
        prompt = router.build(question, context, question_type=kind)
        arabic = sum("\u0600" <= character <= "\u06ff" for character in prompt)
        latin = sum(character.isascii() and character.isalpha() for character in prompt)
        assert (latin, arabic > 0) == (0, True) if language == "ar" else (latin > 0, arabic) == (True, 0)


def test_the_rules():
    rules = {language: " ".join(TEMPLATES[language].rules) for language in LANGUAGES}
    assert all(words in rules["en"] for words in ["Use only the information", "not enough", "[1]", "Answer in English"])
    assert all(words in rules["ar"] for words in ["وحدها", "إذا لم تكفِ المعلومات", "[1]", "أجب باللغة العربية"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_is_left_out_when_it_is_not_wanted(language: str):
    template = TEMPLATES[language]
    for kind in KINDS:
        prompt = PromptRouter(include_few_shot=False).build("q", "c", language=language, question_type=kind)
        assert template.examples[kind].answer not in prompt
        assert template.example_label not in prompt
        assert template.example_end not in prompt


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stated_language_is_honoured_against_the_question(language: str):
    for question in ("كم سعر التذكرة؟", "How much is the ticket?"):
        assert PromptRouter().build(question, "c", language=language).startswith(TEMPLATES[language].role)


def test_the_language_is_the_questions_and_not_the_contexts():
    assert PromptRouter().build("How much is it?", "السعر عشرة").endswith("Answer:")
    assert PromptRouter().build("كم السعر؟", "It is ten").endswith("الإجابة:")


@pytest.mark.parametrize("kind", KINDS)
def test_a_stated_kind_is_honoured_by_member_or_value(kind: QuestionType):
    router = PromptRouter()
    prompt = router.build("Why?", "c", question_type=kind)
    assert prompt == router.build("Why?", "c", question_type=kind.value)
    assert TEMPLATES["en"].instructions[kind] in prompt


@pytest.mark.parametrize("question", ["Why is it closed?", "How do I renew it?", "لماذا أُغلق؟", "ما الفرق بينهما؟"])
def test_a_kind_that_is_not_stated_is_detected(question: str):
    router = PromptRouter()
    template = TEMPLATES[router.detect_language(question)]
    assert template.instructions[router.detect_question_type(question)] in router.build(question, "c")


def test_unknown_languages_and_kinds_are_refused():
    router = PromptRouter()
    with pytest.raises(ConfigurationError, match="language must be one of ar, en"):
        router.build("q", "c", language="fr")
    with pytest.raises(ConfigurationError, match="language must be one of ar, en"):
        router.detect_question_type("q", "fr")
    with pytest.raises(ConfigurationError, match="question_type must be one of factual"):
        router.build("q", "c", question_type="poetic")


@given(TEXTS, TEXTS, st.booleans())
def test_any_text_is_shown_as_it_is(question: str, context: str, example: bool):
    prompt = PromptRouter(include_few_shot=example).build(question, context)
    assert question in prompt
    assert context in prompt


@pytest.mark.parametrize(
    "braces", ["{", "}", "{}", "{0}", "{context}", "{question}", "{{x}}", "{a!r:>{b}}", "%s", "\\g<1>"]
)
def test_braces_mean_nothing_and_are_not_expanded_again(braces: str):
    prompt = PromptRouter().build(f"What is {braces}?", f"[1] About {braces} and {{question}}.")
    assert f": What is {braces}?\n" in prompt
    assert f"[1] About {braces} and {{question}}." in prompt
    assert prompt.count(f"What is {braces}?") == 1
