"""Follow-up questions made to stand on their own by a language model."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence

from dalil.models import Turn
from dalil.ports import LLMClient
from dalil.text import detect_language, estimate_tokens

_QUESTION_TOKENS = 120
_ANSWER_TOKENS = 160  # what a follow-up refers to stands at the beginning of an answer
_PROMPTS = {
    "en": (
        "Below is a conversation about documents, and a new message. Rewrite the new message in English so that it can "
        "be understood without the conversation: put names in the place of words like it, they, there, the second "
        "one. Add no fact and answer nothing. If it can be understood as it is, repeat it unchanged. Reply with the "
        "rewritten message alone, on one line.\n\nConversation:\n{history}\n\nNew message: {question}\n\nRewritten:"
    ),
    "ar": (
        "فيما يلي محادثة عن مستندات، ثم رسالة جديدة. أعد كتابة الرسالة الجديدة بالعربية لتُفهم دون المحادثة: ضع الأسماء "
        "مكان الضمائر وألفاظ الإشارة. لا تضف معلومة ولا تُجب عن شيء. إن كانت مفهومة كما هي فكررها دون تغيير. اكتب "
        "الرسالة المعاد كتابتها وحدها في سطر واحد.\n\nالمحادثة:\n{history}\n\n"
        "الرسالة الجديدة: {question}\n\nبعد الصياغة:"
    ),
}
_ROLES = {"en": ("User", "Assistant"), "ar": ("السائل", "المجيب")}
_LABEL = re.compile(
    r"^(?:(?:rewritten|standalone|new)(?: (?:message|question))?|question|message|"
    r"بعد الصياغة|السؤال|الرسالة)\s*[:\uff1a]\s*",
    re.IGNORECASE,
)
_QUOTES = "\"'`*“”«»"


class ModelQueryRewriter:
    """A QueryRewriter over any LLMClient. A failure of the model is raised; the engine then asks the raw question.

    The model reads at most the last `max_turns` turns and `max_history_tokens` estimated tokens of them, newest first.
    What it writes counts up to `max_tokens`; longer is no question, and the question stays as it was.

    Raises:
        ValueError: if a number is not positive.
    """

    def __init__(self, llm: LLMClient, max_tokens: int = 256, *, max_turns: int = 6, max_history_tokens: int = 1200):
        if min(max_tokens, max_turns, max_history_tokens) <= 0:
            raise ValueError("max_tokens, max_turns and max_history_tokens must be positive")
        self._llm = llm
        self._max_tokens = max_tokens
        self._max_turns = max_turns
        self._max_history_tokens = max_history_tokens

    async def rewrite(self, question: str, history: Sequence[Turn]) -> str:
        """The question as it would be asked without the conversation; unchanged where there is none.

        Raises:
            LLMError: or whatever the model raises.
        """
        if not history or not question.strip():
            return question
        language = detect_language(question)
        shown = self._shown(history, *_ROLES[language])
        prompt = _PROMPTS[language].format_map({"history": shown, "question": question.strip()})
        reply = ""
        fragments = self._llm.generate(prompt)
        try:
            async for fragment in fragments:
                reply += fragment
                if estimate_tokens(reply) > self._max_tokens:
                    return question
        finally:
            if isinstance(fragments, AsyncGenerator):
                await fragments.aclose()
        return _the_question(reply) or question

    def _shown(self, history: Sequence[Turn], asking: str, answering: str) -> str:
        lines: list[str] = []
        left = self._max_history_tokens
        for turn in reversed(history[-self._max_turns :]):
            asked = _within(turn.question, _QUESTION_TOKENS)
            answered = _within(turn.answer, _ANSWER_TOKENS)
            block = f"{asking}: {asked}\n{answering}: {answered}"
            left -= estimate_tokens(block)
            if left < 0 and lines:
                break
            lines.append(block)
        return "\n".join(reversed(lines))


def _within(text: str, tokens: int) -> str:
    """The text on one line, cut between words where it is longer."""
    if estimate_tokens(text) > tokens:
        text = text[: tokens * 5]
    words = text.split()
    while words and estimate_tokens(" ".join(words)) > tokens:
        words.pop()
    return " ".join(words)


def _the_question(reply: str) -> str:
    """The line of a reply that is the question: the first, or the one after an announcement."""
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    for line in lines:
        line = _LABEL.sub("", line.strip(_QUOTES).strip()).strip(_QUOTES).strip()
        if line and not (line.endswith((":", "\uff1a")) and len(lines) > 1):
            return line
    return ""
