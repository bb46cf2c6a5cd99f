"""What kind of answer a question asks for, told from its words in Arabic (dialects included) and English."""

from __future__ import annotations

import re
from enum import StrEnum

from dalil.text import normalise


class QuestionType(StrEnum):
    """The kind of answer that a question asks for."""

    FACTUAL = "factual"
    ANALYTICAL = "analytical"
    COMPARATIVE = "comparative"
    PROCEDURAL = "procedural"
    DEFINITIONAL = "definitional"
    EVALUATIVE = "evaluative"
    CAUSAL = "causal"
    GENERAL = "general"


_COMPARED = "better|worse|best|cheaper|faster|slower|safer|easier|harder|stronger|cheapest|fastest|safest|easiest"
_TERM = "[\\w'.+#/()-]+"
# What follows "what is" where a fact is asked for, not a definition.
_NO_TERM = (
    "(?:the|my|our|your|his|her|its|their|this|that|these|those|it|there|"
    "covered|included|required|needed|allowed|due|new|next|available)"
)
# The types in the order in which they are tried, each with its patterns, in ordinary spelling.
_ENGLISH = {
    QuestionType.COMPARATIVE: [
        r"compar(?:e|es|ed|ing|ison|isons)\b",
        r"differen(?:ce|ces|t from|t than)\b",
        r"differs?\b",
        r"(?:versus|vs)\b",
        r"similarit(?:y|ies)\b",
        r"(?:distinguish|contrast)(?:es|s)?\b",
        rf"(?:{_COMPARED})\b.*(?:\bor\b|\bthan\b)",
        r"advantages? .*\bover\b",
        r"in common\b",
    ],
    QuestionType.PROCEDURAL: [
        r"how to\b",
        r"how (?:do|can|could|should|would|must|may|might|shall) (?:i|we|you|one|someone|somebody|people|they)\b",
        r"how (?:can|should|must|may|could) (?:a|an|the|my|our)\b",
        r"how (?:is|are) .*\b(?:done|made|submitted|installed|requested|configured|set up|renewed|filed)\b",
        r"steps?\b",
        r"step[ -]by[ -]step\b",
        r"(?:procedures?|instructions?)\b",
        r"(?:process|way|method) (?:for|to|of)\b",
        r"what (?:do|should|must|can) (?:i|we) do\b",
        r"walk me through\b",
        r"guide me\b",
    ],
    QuestionType.DEFINITIONAL: [
        r"define\b",
        r"definitions?\b",
        r"meanings? of\b",
        r"meant by\b",
        r"what (?:does|do|did) .*\b(?:mean|stand for|refer to)\b",
        rf"^what(?:'s| is| are| was| were) (?!{_NO_TERM}\b)(?:an? )?{_TERM}(?: (?!(?:for|at|on|by)\b){_TERM}){{0,3}}"
        " ?[?؟]?$",
        r"^what (?:exactly )?(?:is|are) (?:an?|meant)\b",
        r"concept of\b",
    ],
    QuestionType.ANALYTICAL: [
        r"analy[sz](?:e|es|ed|ing)\b",
        r"analys[ie]s\b",
        r"(?:explain|discuss|examine|interpret|elaborate)\b(?! why\b)",
        r"how (?:does|do|did|has|have|is|are|will|was|were)\b(?! you\b)",
        r"(?:impacts?|effects?|implications?|consequences?|influences?) (?:of|on|for)\b",
        r"(?:affects?|influences?|shapes?)\b",
        r"(?:role|significance|importance) of\b",
        r"relationships? (?:between|of|with)\b",
        r"trends?\b",
        r"in what ways?\b",
    ],
    QuestionType.CAUSAL: [
        r"why\b",
        r"how come\b",
        r"caus(?:e|es|ed|ing)\b",
        r"reasons?\b",
        r"what (?:led|leads) to\b",
        r"what (?:made|makes|triggers|triggered)\b",
        r"results? (?:in|from)\b",
        r"(?:due to|because of) what\b",
    ],
    QuestionType.EVALUATIVE: [
        r"(?:evaluate|assess|critique)\b",
        r"^(?:rate|judge|review)\b",
        r"(?:evaluation of|assessment of|opinions?)\b",
        r"pros and cons\b",
        r"(?:dis)?advantages?\b",
        r"(?:benefits?|drawbacks?|strengths?|weaknesses?|merits?|downsides?|upsides?) of\b",
        r"(?:worth|worthwhile|worthy|recommend|recommended|advisable|suitable|best)\b",
        r"^should (?:i|we|one|you)\b",
        r"how (?:good|bad|effective|efficient|useful|reliable|successful|well|safe|suitable|important)\b",
        r"(?:is|are|was|were) .*\b(?:good|bad|effective|efficient|useful|reliable|successful|adequate|fair)\b",
    ],
    QuestionType.FACTUAL: [
        r"(?:who|whom|whose|when|where|which|what|what's|who's|where's|when's)\b",
        r"how (?:many|much|long|old|often|far|big|tall|large|high|deep|soon|late|early|fast|heavy)\b",
        r"^(?:is|are|was|were|does|do|did|has|have|had|can|could|will|may|must)\b",
        r"(?:name|list|state|give me) the\b",
    ],
}

_HOW = "(?:كيف|شلون|اشلون|إزاي|كيفاش|چلون)(?! (?:ال)?(?:حال|حالك|حالكم|صحتك)\\b)"
_SPOKEN_WHAT = "ماذا|ايش|أيش|وش|ويش|شو|شنو|شنهو|ايه|اشنو|آش|واش"
_WHAT = f"(?:ما|{_SPOKEN_WHAT})"
_WHAT_IS = "(?:(?:ما|ايش|وش|شو|شنو|ايه) ?(?:هو|هي|هم|هما|هن)|شنهو|شنهي|وشو|وشي)"
# What is asked of a thing, and is a fact rather than a concept: its number, its price, its date.
_ATTRIBUTE = (
    "(?:ال)?(?:عاصمة|عدد|أعداد|سعر|أسعار|تكلفة|كلفة|رسوم|مدة|فترة|موعد|مواعيد|تاريخ|وقت|أوقات|ساعات|"
    "ساعة|رقم|أرقام|عنوان|اسم|أسماء|مبلغ|قيمة|راتب|نسبة|معدل|حد|عقوبة|غرامة|مكان|موقع|مقر|مستندات|"
    "وثائق|أوراق|شروط|متطلبات|أعراض|أنواع|أيام|يوم|مساحة|طول|وزن|عمر|سن|لغة|عملة|بريد|هاتف|لون|سياسة|"
    "أهم|أبرز|أكبر|أصغر|أعلى|أول|آخر)"
)
_WORKS = (
    "(?:(?:ي|ت|بي|بت)(?:عمل|شتغل|ؤثر|أثر|ساهم|سهم|تطور|رتبط|نعكس|فسر|تغير)|أثر|أثرت|ساهم|ساهمت|أسهم|أسهمت|تطور|تطورت|"
    "تغير|تغيرت|كان|كانت|نشأ|نشأت|بدأ|بدأت)"
)
_BETTER = "(?:أفضل|أحسن|أسوأ|أسرع|أرخص|أغلى|أجود|أقوى|أسهل|أصعب|أنسب|أوفر)"
_ARABIC = {
    QuestionType.COMPARATIVE: [
        "(?:ال|بال|لل)?(?:فرق|فروق|فروقات|اختلاف|اختلافات|فوارق)",
        "(?:أ|ن|ي|ت|بي|بت)ختلف(?:ان|ون|وا)?",
        "(?:بي|بت|ي|ت)فرق",
        "(?:ال|بال|لل)?مقارن(?:ة|ات)",
        "(?:قارن|قارني|قارنوا|نقارن|يقارن|أقارن)",
        "(?:أوجه|وجه|نقاط) (?:ال)?(?:شبه|تشابه|اختلاف)",
        "(?:ال)?تشابه",
        "(?:أيهما|أيهم|أيهن|أيها)",
        f"{_BETTER} (?:من|عن)",
        f"{_BETTER} .*(?:أم|أو|ولا|والا|وإلا)",
        r"أكثر \w+ من",
        "(?:ميز|التمييز|نميز|أميز|تميز) بين",
    ],
    QuestionType.PROCEDURAL: [
        rf"{_HOW}(?! {_WORKS}\b)",
        "(?:ال|ب|بال|لل)?كيفية",
        "(?:ال|ب|بال|لل)?خط(?:وة|وات)",
        "(?:ال|ب|بال|لل)?طريقة",
        "(?:ال|ب|بال|لل)?إجراء(?:ات)?",
        "(?:ال)?آلية (?:ال)?(?:تقديم|تسجيل|حصول|طلب|عمل|تنفيذ|تجديد)",
        "(?:دلني|أرشدني|وجهني|علمني)",
        "(?:ماذا|ايش|وش|شو|شنو) (?:أفعل|أعمل|أسوي|نفعل|نعمل|نسوي|لازم أسوي|لازم أعمل)",
        "(?:أعمل|أسوي|نعمل|نسوي) (?:ايه|شو|شنو|ايش|وش)",
    ],
    QuestionType.DEFINITIONAL: [
        "^(?:عرف|عرفي|عرفوا|عرفلي)",
        "(?:ال|ب|بال|لل)?تعريف(?:ات)?",
        "(?:ال|ب|بال|لل)?(?:معنى|معناه|معناها|معاني|مفهوم|دلالة)",
        "(?:ال)?مقصود",
        f"(?:{_WHAT}) (?:ب?يعني|ب?تعني|معناته|معناتها|قصدك|نقصد|يقصد)",
        f"(?:ب?يعني|ب?تعني) {_WHAT}",
        rf"^{_WHAT_IS} (?!{_ATTRIBUTE}\b)\w+(?: \w+){{0,4}} ?[؟?.!]*$",
        rf"^ما (?!{_ATTRIBUTE}\b)ال\w+(?: ال\w+){{0,2}} ?[؟?.!]*$",
        rf"^(?!{_ATTRIBUTE}\b)ال\w+(?: ال\w+){{0,2}} ايه ?[؟?.!]*$",
        f"{_WHAT_IS} (?:مفهوم|مصطلح)",
    ],
    QuestionType.ANALYTICAL: [
        "(?:حلل|حللي|حللوا|نحلل)",
        "(?:ال|ب|بال|لل)?تحليل(?:ات)?",
        "(?:اشرح|اشرحي|إشرح|ناقش|ناقشي|فسر|فسري|وضح|وضحي|بين لي|استعرض)(?:لي)?(?! (?:لماذا|ليش|ليه|سبب|أسباب))",
        "(?:ال|ب|بال|لل)?(?:شرح|تفسير|مناقشة|توضيح)",
        _HOW,
        "(?:ال|ب|بال|لل)?(?:تأثير|تأثيرات|أثر|آثار|انعكاس|انعكاسات|تداعيات|عواقب|أبعاد)",
        "(?:ي|ت|بي|بت)ؤثر(?:ون|ان)?",
        "(?:بي|بت)أثر",
        f"(?:{_WHAT_IS}|{_WHAT}) (?:ال)?(?:دور|أهمية)",
        "(?:ال|ب|بال|لل)?علاق(?:ة|ات)",
        "(?:ال)?اتجاهات",
    ],
    QuestionType.CAUSAL: [
        "(?:لماذا|ليش|ليه|لاش|علاش|لويش|ليهش)",
        "(?:ال|ب|بال|لل)?(?:سبب|أسباب|مسبب|مسببات|دواعي|دوافع)",
        "(?:أدى|أدت|يؤدي|تؤدي|أفضى|أفضت) إلى",
        "(?:ال)?(?:عوامل|عامل)",
        f"{_WHAT} (?:الذي|اللي|التي) (?:جعل|يجعل|خلى|سبب|يسبب|دفع|يدفع|أدى|يؤدي)",
    ],
    QuestionType.EVALUATIVE: [
        "^(?:قيم|قيمي|قيموا)",
        "(?:ال|ب|بال|لل)?تقييم(?:ات|ك|كم)?",
        "(?:ال|ب|بال|لل)?(?:مزايا|ميزات|ميزة|عيوب|إيجابيات|سلبيات|فوائد|فائدة|أضرار|محاسن|مساوئ|مميزات)",
        f"(?:ال)?{_BETTER}",
        "(?:رأيك|رأيكم|ما رأي|رأي)",
        "(?:ال)?(?:جدوى|فعالية|فاعلية|كفاءة|جودة)",
        "(?:ما )?مدى",
        "(?:ي|ت|بي|بت)ستحق",
        "(?:ي|ت|أ|بت)نصح(?:ني|وني|ون|نا)?",
        "(?:هل|يا ترى) (?:يجب|ينبغي|يفضل|يستحسن|لازم|من المناسب|من الضروري)",
        "(?:يسوى|تسوى|يستاهل|تستاهل|بيستاهل)",
    ],
    QuestionType.FACTUAL: [
        "^(?:من|مين|منو|منهو|لمن|ما|مهو)",
        "(?:مين|منو|ماذا|متى|إمتى|امتى|ايمتى|وقتاش|شوقت|أين|وين|فين|وينه|فينه|هل|أي|أية|أيش|أنهي)",
        "^بكم",
        "ب?(?:كام|قديش|قداش|أديش|شكد|شقد|شحال)",
        "كم",
        f"[لبع]?(?:{_SPOKEN_WHAT})",
        "(?:اذكر|اذكري|عدد لي|سم لي)",
    ],
}


def _compiled(patterns: dict[QuestionType, list[str]], before: str, after: str) -> dict[QuestionType, re.Pattern[str]]:
    """One expression for each type. Patterns are folded like the questions they meet, so spelling does not matter."""
    return {
        kind: re.compile("|".join(_anchored(normalise(alternative), before, after) for alternative in alternatives))
        for kind, alternatives in patterns.items()
    }


def _anchored(pattern: str, before: str, after: str) -> str:
    start = pattern.startswith("^")
    return ("^" if start else r"\b") + before + "(?:" + pattern[start:] + ")" + after


_READ = 1000  # some patterns take time by the square of the length
_PATTERNS = {
    "en": _compiled(_ENGLISH, before="", after=""),
    "ar": _compiled(_ARABIC, before="[وف]?", after=r"(?!\w)"),
}


def type_of(question: str, language: str) -> QuestionType:
    """The first type of which a pattern in `language` ("ar" or "en") is found in the question, else GENERAL.

    Of a long text, the first 1,000 characters tell.
    """
    folded = " ".join(normalise(question[:_READ]).split()).lstrip("\"'«“(¿- ")
    for kind, pattern in _PATTERNS[language].items():
        if pattern.search(folded):
            return kind
    return QuestionType.GENERAL
