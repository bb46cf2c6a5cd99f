"""What kind of answer a question asks for is told from its words, in Arabic, its dialects, and English."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from dalil.rag.routing import PromptRouter, QuestionType
from tests.text.strategies import TEXTS

QUESTIONS = {
    "comparative": [
        "What is the difference between RAG and fine-tuning?",
        "Compare the two plans",
        "Python vs Java",
        "Which is better, the gold plan or the silver plan?",
        "How does term insurance differ from whole life?",
        "ما الفرق بين الإجازة السنوية والمرضية؟",
        "وش الفرق بين الباقتين؟",
        "شو الفرق بين الباقتين؟",
        "إيه الفرق بين الباقتين؟",
        "قارن بين الخطة الذهبية والفضية",
        "أيهما أفضل البنك أم الشركة؟",
        "مين أحسن القاهرة ولا اسكندرية؟",
        "بماذا يختلف الذكاء الاصطناعي عن تعلم الآلة؟",
    ],
    "procedural": [
        "How do I renew my passport?",
        "How to reset a password",
        "What are the steps to file a claim?",
        "كيف أجدد جواز السفر؟",
        "وكيف أقدم على إجازة؟",
        "شلون أسوي حساب جديد؟",
        "إزاي أجدد البطاقة؟",
        "ازاى اجدد البطاقه؟",
        "ما خطوات التسجيل؟",
        "ما هي طريقة التقديم؟",
        "ايش أسوي إذا ضاعت البطاقة؟",
        "كيف يتم التقديم على الوظيفة؟",
    ],
    "definitional": [
        "What is machine learning?",
        "What's a deductible?",
        "Define inflation",
        "What does API stand for?",
        "What is the meaning of force majeure?",
        "ما هو الذكاء الاصطناعي؟",
        "ما هو تعلم الآلة؟",
        "ما هي الحوكمة؟",
        "ما معنى القوة القاهرة؟",
        "عرّف التضخم",
        "يعني ايه تضخم؟",
        "وش يعني تضخم؟",
        "ما المقصود بالتضخم؟",
        "ما هو PostgreSQL؟",
        "ما التضخم؟",
        "شو هو التضخم؟",
        "What is التأمين الصحي الشامل؟",
    ],
    "analytical": [
        "Analyze the effect of inflation on wages",
        "How does the engine work?",
        "Explain the structure of the contract",
        "What is the impact of remote work on productivity?",
        "حلل نتائج الربع الأول",
        "كيف يؤثر التضخم على الأسعار؟",
        "ما تأثير العمل عن بعد على الإنتاجية؟",
        "اشرح بنية العقد",
        "كيف يعمل المحرك؟",
        "ما دور المدير في الشركة؟",
    ],
    "causal": [
        "Why was the flight cancelled?",
        "What caused the outage?",
        "Explain why the project failed",
        "What are the reasons for the delay?",
        "لماذا تأخر المشروع؟",
        "ليش تأخر المشروع؟",
        "ليه المشروع اتأخر؟",
        "ما أسباب التأخير؟",
        "ما سبب الانقطاع؟",
        "ما الذي أدى إلى الحريق؟",
    ],
    "evaluative": [
        "Is it worth buying the warranty?",
        "What are the pros and cons of leasing?",
        "Evaluate the new policy",
        "How effective is the vaccine?",
        "Should I accept the offer?",
        "ما مزايا وعيوب التأجير؟",
        "قيّم السياسة الجديدة",
        "ما رأيك في العرض؟",
        "هل يستحق الضمان الشراء؟",
        "ما مدى فعالية اللقاح؟",
        "هل تنصحني بشراء السيارة؟",
    ],
    "factual": [
        "Who founded the company?",
        "When does the library open?",
        "How many days of leave do I get?",
        "What is the capital of France?",
        "What is the interest rate?",
        "Where is the office?",
        "Which department is responsible for payroll?",
        "When should I submit the form?",
        "Does the policy cover dental care?",
        "متى تفتح المكتبة؟",
        "من أسس الشركة؟",
        "كم يوم إجازة أحصل عليه؟",
        "وكم سعر التذكرة؟",
        "بكم التذكرة؟",
        "بكام التذكرة؟",
        "قديش سعر التذكرة؟",
        "وين المكتب؟",
        "فين المكتب؟",
        "أين المكتب؟",
        "ما هي عاصمة فرنسا؟",
        "ما عاصمة فرنسا؟",
        "مين مدير الشركة؟",
        "هل يغطي التأمين الأسنان؟",
        "في أي سنة تأسست الشركة؟",
        "ما هي المدة المسموحة؟",
        "إمتى معاد التسليم؟",
        "شو اسم المدير؟",
    ],
    "general": [
        "Tell me about the company",
        "hello",
        "حدثني عن الشركة",
        "مرحبا بكم",
        "كيف حالك",
        "شكرا لكم",
        "",
        "How are you?",
    ],
}


@pytest.mark.parametrize(
    ("question", "kind"), [(question, kind) for kind, questions in QUESTIONS.items() for question in questions]
)
def test_the_kind_of_a_question(question: str, kind: str):
    assert PromptRouter().detect_question_type(question) is QuestionType(kind)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How do I compare two plans?", "comparative"),  # and procedural
        ("What are the steps to define a goal?", "procedural"),  # and definitional
        ("Define the impact of inflation", "definitional"),  # and analytical
        ("Explain the causes of the war", "analytical"),  # and causal
        ("Why is this the best option?", "causal"),  # and evaluative
        ("What are the benefits of the plan?", "evaluative"),  # and factual
        ("كيف أقارن بين الخطتين؟", "comparative"),
        ("ما خطوات تعريف الهدف؟", "procedural"),
        ("ما معنى تأثير الدومينو؟", "definitional"),
        ("حلل أسباب الحرب", "analytical"),
        ("ليش هذا الأفضل؟", "causal"),
        ("ما فوائد الخطة؟", "evaluative"),
    ],
)
def test_where_several_kinds_match_the_first_in_the_documented_order_is_taken(question: str, first: str):
    assert PromptRouter().detect_question_type(question) is QuestionType(first)


def test_case_marks_and_spelling_do_not_matter():
    router = PromptRouter()
    assert router.detect_question_type("WHY?") is QuestionType.CAUSAL
    assert router.detect_question_type("ما أَسْبَابُ التأخير؟") is QuestionType.CAUSAL
    assert router.detect_question_type("ما هى طريقه التقديم") is QuestionType.PROCEDURAL
    assert router.detect_question_type("  متى\n\nيفتح؟") is QuestionType.FACTUAL


def test_words_are_whole_words():
    router = PromptRouter()
    assert router.detect_question_type("Tell me about Whyalla") is QuestionType.GENERAL
    assert router.detect_question_type("حدثني عن مكتبة كمال") is QuestionType.GENERAL


def test_a_stated_language_says_whose_words_to_look_for():
    router = PromptRouter()
    assert router.detect_question_type("Why?", "en") is QuestionType.CAUSAL
    assert router.detect_question_type("Why?", "ar") is QuestionType.GENERAL
    assert router.detect_question_type("لماذا؟", "en") is QuestionType.GENERAL


@given(TEXTS)
def test_any_text_has_a_kind(text: str):
    assert isinstance(PromptRouter().detect_question_type(text), QuestionType)


@pytest.mark.parametrize("text", ["is are better is what is ", "كيف أفضل أكثر يعني ", "how is "])
def test_a_very_long_text_is_judged_by_its_beginning_and_at_once(text: str):
    started = time.perf_counter()
    router = PromptRouter()
    assert router.detect_question_type(text * 5000) is router.detect_question_type(text * 100)
    assert time.perf_counter() - started < 1
