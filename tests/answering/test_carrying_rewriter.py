"""Follow-ups without a model: which questions lack something, what they get, and that others stay word for word."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.answering.carrying import CarryingRewriter
from dalil.answering.terms import Kind, names_of, terms_of
from dalil.models import Turn
from dalil.ports import QueryRewriter
from dalil.text import detect_language
from dalil.text.messages import NOT_FOUND_MESSAGE

PHONE = [Turn("What is the warranty of the Model X200?", "Two years [1].")]
LEAVE = [Turn("How many days of annual leave do employees get?", "Employees get 21 days [1].")]
APPLE = [Turn("Who founded Apple?", "Apple was founded by Steve Jobs and Steve Wozniak in 1976 [1].")]
SENSOR = [Turn("What is the Qatra S2?", "A water-quality sensor [1]."), Turn("Who makes it?", "Wadira [1].")]
TAX = [Turn("What is the VAT rate in Egypt?", "14% [1]."), Turn("And in Jordan?", "16% [1].")]
PLANTS = [Turn("What is photosynthesis?", "It is how plants make food.")]
ARABIC_PHONE = [Turn("ما ضمان هاتف X200؟", "سنتان [1].")]
ARABIC_LEAVE = [Turn("كم عدد أيام الإجازة السنوية للموظفين؟", "21 يوما [1].")]
COMPANY = [Turn("ما هي شركة قطرة؟", "شركة تصنع الحساسات [1].")]


def rewritten(question: str, history: list[Turn], **options: int) -> str:
    return asyncio.run(CarryingRewriter(**options).rewrite(question, history))


@pytest.mark.parametrize(
    ("history", "question", "carried"),
    [
        (PHONE, "What about its price?", "Model X200"),
        (PHONE, "How much does it cost?", "Model X200"),
        (PHONE, "What is the price?", "Model X200"),
        (PHONE, "And is it waterproof?", "Model X200"),
        (PHONE, "How does it compare to that?", "Model X200"),
        (PHONE, "WHAT ABOUT ITS PRICE?", "Model X200"),
        (PHONE, "And the Model X300?", "warranty"),
        (PHONE, "Why?", "Model X200, warranty"),
        (PHONE, "كم سعره؟", "Model X200"),
        (PHONE, "the price?", "Model X200"),
        (PHONE, "the cat?", "Model X200, warranty"),
        (LEAVE, "And for managers?", "days, annual leave, employees"),
        (LEAVE, "what about part-time employees?", "days, annual leave"),
        (LEAVE, "Can they carry it over?", "days, annual leave, employees"),
        (LEAVE, "Is it different in 2024?", "days, annual leave, employees"),
        (APPLE, "When was he born?", "Steve Jobs, Steve Wozniak, Apple"),
        (APPLE, "Where is its headquarters?", "Apple, Steve Jobs, Steve Wozniak"),
        (APPLE, "What about Microsoft?", "founded"),
        (SENSOR, "And its price?", "Qatra S2, Wadira"),
        (TAX, "And for services?", "Jordan, VAT, rate"),
        (PLANTS, "Where does it happen?", "photosynthesis"),
        (PLANTS, "Can you explain?", "photosynthesis"),
        (ARABIC_PHONE, "وكم سعره؟", "X200"),
        (ARABIC_PHONE, "ما وزنه ولونه؟", "X200"),
        (ARABIC_PHONE, "ما السعر؟", "X200"),
        (ARABIC_PHONE, "وماذا عن X300؟", "ضمان هاتف"),
        (ARABIC_PHONE, "كيف أستخدمه؟", "X200، ضمان هاتف"),
        (ARABIC_LEAVE, "وللمدراء؟", "أيام الإجازة السنوية للموظفين"),
        (ARABIC_LEAVE, "وماذا عن المتدربين؟", "أيام الإجازة السنوية للموظفين"),
        (ARABIC_LEAVE, "هل يمكن ترحيلها؟", "أيام الإجازة السنوية للموظفين"),
        (ARABIC_LEAVE, "ومن يوافق عليها؟", "أيام الإجازة السنوية للموظفين"),
        (ARABIC_LEAVE, "هل هذا يشمل العطل؟", "أيام الإجازة السنوية للموظفين"),
        (COMPANY, "متى تأسست؟", "شركة قطرة"),
        (COMPANY, "كم موظفا يعمل فيها؟", "شركة قطرة"),
        (COMPANY, "وهل لها فروع في مصر؟", "شركة قطرة"),
        (COMPANY, "أَيْنَ مَقَرُّهَا؟", "شركة قطرة"),
    ],
)
def test_what_a_follow_up_lacks_is_carried_over(history: list[Turn], question: str, carried: str) -> None:
    assert rewritten(question, history) == f"{question} ({carried})"


@pytest.mark.parametrize(
    ("history", "question"),
    [
        (PHONE, "Who founded Microsoft?"),
        (PHONE, "What is photosynthesis?"),
        (PHONE, "How do plants grow in the desert?"),
        (PHONE, "What is the refund policy?"),
        (PHONE, "Is it possible to pay by bank transfer in installments?"),
        (PHONE, "How long does it take to open a bank account?"),
        (PHONE, "How do companies protect their data?"),
        (PHONE, "I lost my card; how do I replace it?"),
        (PHONE, "Are there any parks in Amman?"),
        (PHONE, "Which films came out this year in Egypt?"),
        (PHONE, "thanks"),
        (PHONE, "  "),
        (APPLE, "And who founded Microsoft?"),
        (ARABIC_PHONE, "ما هي عاصمة الأردن؟"),
        (ARABIC_PHONE, "من هو مخترع الطائرة؟"),
        (ARABIC_PHONE, "متى تأسست جامعة القاهرة؟"),
        (ARABIC_PHONE, "ما هي مدة التوصيل إلى عمان؟"),
        (ARABIC_LEAVE, "هل يمكن للموظف أن يأخذ إجازته كاملة؟"),
        (ARABIC_LEAVE, "ما المدينة التي ولد فيها أينشتاين؟"),
        (ARABIC_LEAVE, "كم مبيعات الشركة هذا العام؟"),
        (PHONE, "Who leads the IT department?"),
        (ARABIC_LEAVE, "كم مرة ذكر اسم عيسى عليه السلام في القرآن؟"),
        (ARABIC_LEAVE, "أي دولة هي أكبر دولة في الشرق الأوسط؟"),
        (ARABIC_LEAVE, "متى بدأت شيرين مشوارها الغنائي؟"),
        (ARABIC_LEAVE, "أي مدرسة ارتادها ريك سافاج؟"),
        (ARABIC_LEAVE, "كم عدد الوحدات الموصى بها للسيدات؟"),
        (ARABIC_LEAVE, "على يد من تأسست الدولة السلجوقية؟"),
        (ARABIC_LEAVE, "ما هي دول الخليج العربي؟"),
        (COMPANY, "ما الديمقراطية؟"),
        (COMPANY, "كيف يعمل الليزر؟"),
        (COMPANY, "شكرا جزيلا"),
    ],
)
def test_a_question_that_stands_alone_stays_as_it_is(history: list[Turn], question: str) -> None:
    assert rewritten(question, history) == question


def test_a_new_topic_leaves_the_old_one_behind() -> None:
    history = [*PHONE, Turn("Who founded Apple?", "Steve Jobs [1].")]
    assert "X200" not in rewritten("When was he born?", history)


def test_a_topic_that_goes_on_keeps_its_name() -> None:
    history = [*PHONE, Turn("How do customers file a warranty claim?", "By e-mail [1].")]
    assert rewritten("How long does it take?", history) == "How long does it take? (Model X200, customers file, claim)"


def test_small_talk_and_refusals_carry_nothing() -> None:
    history = [*PHONE, Turn("thanks", "You're welcome. Ask Dalil anything.")]
    assert rewritten("And its price?", history) == "And its price? (Model X200)"
    assert rewritten("And its price?", [Turn("thanks", "You're welcome.")]) == "And its price?"
    refused = [Turn("Who sells sensors?", NOT_FOUND_MESSAGE)]
    assert rewritten("When was he born?", refused) == "When was he born? (sensors)"


def test_a_question_keeps_its_language() -> None:
    galaxy = [Turn("What is the Samsung Galaxy S24 Ultra Edition?", "A telephone [1].")]
    assert rewritten("كم سعره؟", galaxy) == "كم سعره؟ (وهو هنا Samsung Galaxy S24 Ultra Edition)"
    assert rewritten("Its price?", COMPANY) == "Its price?"


def test_it_is_a_rewriter_of_positive_numbers() -> None:
    assert isinstance(CarryingRewriter(), QueryRewriter)
    for options in ({"max_turns": 0}, {"max_terms": 0}, {"max_characters": 0}):
        with pytest.raises(ValueError, match="positive"):
            CarryingRewriter(**options)


def test_bounds() -> None:
    assert rewritten("Where do they live?", APPLE, max_terms=1) == "Where do they live? (Steve Jobs)"
    assert rewritten("Where do they live?", APPLE, max_characters=13) == "Where do they live? (Steve Jobs)"
    assert rewritten("Where do they live?", APPLE, max_characters=3) == "Where do they live?"
    assert rewritten("And its price?", [*PHONE, *SENSOR], max_turns=1) == "And its price? (Wadira)"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Does Windows 11 run on an iPhone from the Bank of America?", ["Windows 11", "iPhone", "Bank of America"]),
        ("What did «قصر العبد» cost?", ["قصر العبد"]),
        ("هل يدعم Galaxy S24 شبكة 5G؟", ["Galaxy S24", "5G"]),
        ("Where To Buy Old Books In Amman", []),
        ("Compare Samsung Galaxy S24 Ultra", ["Samsung Galaxy S24 Ultra"]),
        ("WHO FOUNDED THE BANK OF JORDAN", []),
        ("Wadira [1].", ["Wadira"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [term.text for term in names_of(text)] == names


def test_numbers_keep_their_units() -> None:
    numbers = [term.text for term in terms_of("Can I get 20% or $500 back within 30 days?") if term.kind is Kind.NUMBER]
    assert numbers == ["20%", "$500", "30 days"]


SAID = """
    what about its it they this that one and for in the is how 2024 20% X200 Jordan price managers ? . , ؟ ( ) « » " '
    وماذا عن سعره لها فيه هذا هناك ما هي هو كم والضمان للمدراء شركة قطرة الإجازة الأُسْرَة
"""
PIECES = st.sampled_from([*SAID.split(), " ", "\n", "\x00", "\ud800", "ـ"])
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES).map("".join))
TURNS = st.lists(st.builds(Turn, TEXTS, TEXTS), max_size=6)


@given(TEXTS, TURNS)
def test_whatever_was_said_the_question_comes_first_and_little_is_added(question: str, history: list[Turn]) -> None:
    result = rewritten(question, history)
    assert result.startswith(question)
    assert len(result) <= len(question) + 160
    assert detect_language(result) == detect_language(question)
    assert result == rewritten(question, history)


@given(TEXTS)
def test_without_history_nothing_changes(question: str) -> None:
    assert rewritten(question, []) == question


def test_long_texts_cost_little() -> None:
    long = "and what about its price in Jordan for managers وكم سعره؟ " * 20_000
    assert rewritten(long, PHONE) == long
    assert len(rewritten("its price?", [Turn(long, long)] * 50)) <= 10 + 160
