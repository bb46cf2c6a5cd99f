"""Messages that were never a question about the documents: greetings, thanks, "what can you do?"."""

from __future__ import annotations

import re

from dalil.text import detect_language
from dalil.text import normalise as fold

_APOSTROPHES = re.compile(r"['’‘ʼ`]")
_NOT_WORDS = re.compile(r"[\W_]+")

_PHRASES = {
    "greeting": """
        hi, hello, hey, hiya, howdy, yo, greetings, hi there, hello there, hey there, hello everyone, hi everyone
        good morning, good afternoon, good evening, good day, good night, morning, evening
        how are you, how are you doing, hows it going, how is it going, whats up, sup, nice to meet you
        hello how are you, hi how are you, hey how are you
        مرحبا, مرحبًا, مرحبا بك, مراحب, أهلا, أهلًا, أهلا وسهلا, أهلا بك, هلا, هلا والله, يا هلا, هاي, سلام
        السلام عليكم, السلام عليكم ورحمة الله, السلام عليكم ورحمة الله وبركاته, وعليكم السلام
        صباح الخير, صباح النور, مساء الخير, مساء النور, نهارك سعيد, تصبح على خير
        كيف حالك, كيف الحال, كيفك, شلونك, ازيك, إزيك, عامل ايه, شخبارك, أخبارك, ايش اخبارك, شو اخبارك
        مرحبا كيف حالك, أهلا كيف حالك, تشرفنا
    """,
    "thanks": """
        thanks, thank you, thank you very much, thank you so much, thanks a lot, many thanks, thx, ty, cheers
        thanks so much, much appreciated, i appreciate it, great thanks, ok thanks, okay thanks, perfect thanks
        great, perfect, awesome, cool, nice, excellent, well done, good job, ok, okay, got it, understood, i see
        alright, sure, fine, sounds good
        شكرا, شكرًا, شكرا لك, شكرا جزيلا, شكرا كثيرا, ألف شكر, الف شكر, مشكور, مشكورة, تسلم, تسلمي, يسلمو, متشكر
        جزاك الله خيرا, بارك الله فيك, يعطيك العافية, الله يعطيك العافية, ممتاز, رائع, جميل, حسنا, تمام, طيب, أوكي
        فهمت, مفهوم, أحسنت, ممتنة, ممتن, تمام شكرا, حسنا شكرا
    """,
    "farewell": """
        bye, goodbye, good bye, bye bye, see you, see you later, see ya, take care, have a nice day, have a good day
        مع السلامة, وداعا, إلى اللقاء, باي, في أمان الله, أراك لاحقا, نراك لاحقا, يومك سعيد
    """,
    "ability": """
        what can you do, what do you do, who are you, what are you, are you a bot, are you a robot, are you human
        how can you help, how can you help me, can you help me, help, help me, what is this, how does this work
        how do you work, what can i ask, what can i ask you, whats your name, what is your name
        ماذا تستطيع أن تفعل, ماذا يمكنك أن تفعل, ما الذي يمكنك فعله, ماذا تفعل, من أنت, ما أنت, من انت, مين انت
        هل أنت روبوت, هل انت انسان, كيف يمكنك مساعدتي, كيف تساعدني, هل يمكنك مساعدتي, ساعدني, مساعدة
        ما اسمك, شو اسمك, ايش اسمك, كيف تعمل, كيف يعمل هذا, ماذا يمكنني أن أسألك, عن ماذا أسألك
    """,
}

_REPLIES = {
    "en": {
        "greeting": "Hello! Ask me anything about your documents.",
        "thanks": "You're welcome. Is there anything else you would like to know from your documents?",
        "farewell": "Goodbye! I'm here whenever you have a question about your documents.",
        "ability": "I answer questions from your documents and show where each answer stands. What is yours?",
    },
    "ar": {
        "greeting": "مرحبًا! اسألني عن أي شيء في مستنداتك.",
        "thanks": "على الرحب والسعة. هل تود معرفة شيء آخر من مستنداتك؟",
        "farewell": "إلى اللقاء! أنا هنا متى كان لديك سؤال عن مستنداتك.",
        "ability": "أجيب عن الأسئلة من مستنداتك وأبيّن موضع كل إجابة فيها. ماذا تود أن تعرف؟",
    },
}


def normalise(message: str) -> str:
    """`message` in lower case, without punctuation and apostrophes, letter variants folded, spaces single."""
    return _NOT_WORDS.sub(" ", _APOSTROPHES.sub("", fold(message))).strip()


_KINDS = {
    normalise(phrase): kind
    for kind, phrases in _PHRASES.items()
    for phrase in re.split(r"[,\n]", phrases)
    if phrase.strip()
}
SMALL_TALK = frozenset(_KINDS)
"""Every message that counts as small talk, normalised."""


def is_small_talk(message: str) -> bool:
    """Whether the whole message is small talk. A greeting followed by a question is a question."""
    return normalise(message) in SMALL_TALK


def small_talk_reply(message: str) -> str:
    """A friendly reply in the message's language, for engines without a language model."""
    kind = _KINDS.get(normalise(message), "greeting")
    return _REPLIES[detect_language(message)][kind]
