"""The prompts that a language model is given.

A prompt is a `str` for any model, and also carries the question and the numbered evidence, so that whoever needs
those does not have to read prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dalil.answering.evidence import Evidence, edges_first
from dalil.text import detect_language
from dalil.text.messages import NOT_FOUND_MESSAGES

Kind = Literal["answer", "conversation"]


class Prompt(str):
    """The text of a prompt, with the question, the evidence and the language it was made from."""

    question: str
    kind: Kind
    evidence: tuple[Evidence, ...]
    language: str

    def __new__(cls, text: str, *, question: str, kind: Kind, evidence: Sequence[Evidence] = ()) -> Prompt:
        prompt = super().__new__(cls, text)
        prompt.question = question
        prompt.kind = kind
        prompt.evidence = tuple(evidence)
        prompt.language = detect_language(question)
        return prompt


_ANSWER = {
    "en": (
        "Answer the question from the numbered sources below and from nothing else.\n"
        "- Write in English, in as few sentences as the question needs.\n"
        "- End every sentence with the number of the source it rests on, like [1]; several sources: [1][2].\n"
        "- Repeat names, numbers and dates exactly as the source writes them.\n"
        "- If the sources do not hold the answer, reply with exactly this sentence and nothing more: {decline}\n"
        "\nSources:\n{sources}\n\nQuestion: {question}\n\nAnswer:"
    ),
    "ar": (
        "أجب عن السؤال من المصادر المرقمة أدناه وحدها دون غيرها.\n"
        "- اكتب بالعربية، بأقل عدد من الجمل يحتاج إليه السؤال.\n"
        "- اختم كل جملة برقم المصدر الذي تستند إليه، مثل [1]، وعند تعدد المصادر: [1][2].\n"
        "- انقل الأسماء والأرقام والتواريخ كما وردت في المصدر تمامًا.\n"
        "- إذا لم تكن الإجابة في المصادر فاكتب هذه الجملة وحدها كما هي: {decline}\n"
        "\nالمصادر:\n{sources}\n\nالسؤال: {question}\n\nالإجابة:"
    ),
}
_CONVERSATION = {
    "en": (
        "You help people find answers in their documents. Reply to this message in one or two friendly sentences, in "
        "English, without stating facts, and invite a question about the documents.\n\nMessage: {question}\n\nReply:"
    ),
    "ar": (
        "أنت تساعد الناس على إيجاد الإجابات في مستنداتهم. رد على هذه الرسالة بجملة أو جملتين ودودتين بالعربية، دون ذكر "
        "معلومات، وادعُ صاحبها إلى أن يسأل عن المستندات.\n\nالرسالة: {question}\n\nالرد:"
    ),
}


def answer_prompt(question: str, evidence: Sequence[Evidence]) -> Prompt:
    """The prompt for an answer from `evidence`, in the question's language."""
    language = detect_language(question)
    sources = "\n\n".join(source_block(item) for item in edges_first(evidence))
    return Prompt(
        _filled(_ANSWER[language], decline=NOT_FOUND_MESSAGES[language], sources=sources, question=question),
        question=question,
        kind="answer",
        evidence=evidence,
    )


def conversation_prompt(message: str) -> Prompt:
    """The prompt for a reply to small talk."""
    return Prompt(
        _filled(_CONVERSATION[detect_language(message)], question=message), question=message, kind="conversation"
    )


def source_block(evidence: Evidence) -> str:
    """One numbered source as a model reads it: where it stands, then its text."""
    chunk = evidence.chunk
    place = " > ".join([str(chunk.metadata.get("title") or chunk.source), *chunk.metadata.get("headings", ())])
    header = chunk.metadata.get("table_header")
    body = f"{header}\n{chunk.text}" if header else chunk.text
    return f"[{evidence.marker}] {place}\n{body}"


def _filled(template: str, **values: str) -> str:
    """The template with its fields replaced in one pass, so that braces inside a value stay as they are."""
    return template.format_map(values)
