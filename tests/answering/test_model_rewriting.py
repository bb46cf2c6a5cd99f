"""Follow-ups rewritten by a model: what it reads, which line of its reply counts, what happens when it fails."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from dalil.answering.rewriting import ModelQueryRewriter
from dalil.errors import LLMTimeoutError
from dalil.models import PageImage, Turn
from dalil.ports import QueryRewriter
from dalil.text import estimate_tokens

HISTORY = [Turn("What is the Qatra S2?", "A water-quality sensor [1]."), Turn("Who makes it?", "Wadira [1].")]


class Model:
    def __init__(self, reply: str | Exception):
        self.reply = reply
        self.prompts: list[str] = []

    async def generate(self, prompt: str) -> AsyncIterator[str]:
        self.prompts.append(prompt)
        if isinstance(self.reply, Exception):
            raise self.reply
        for word in self.reply.split(" "):
            yield f"{word} "

    async def transcribe(self, image: PageImage) -> str:
        return ""


async def test_a_follow_up_is_rewritten_with_its_conversation() -> None:
    model = Model("What is the price of the Qatra S2?")
    rewriter = ModelQueryRewriter(model)
    assert isinstance(rewriter, QueryRewriter)
    assert await rewriter.rewrite("And its price {now}?", HISTORY) == "What is the price of the Qatra S2?"
    (prompt,) = model.prompts
    for shown in ("Qatra S2", "Wadira", "And its price {now}?"):
        assert shown in prompt
    assert prompt.index("Qatra") < prompt.index("Wadira")


async def test_the_prompt_is_in_the_language_of_the_question() -> None:
    model = Model("كم سعر Qatra S2؟")
    assert await ModelQueryRewriter(model).rewrite("وكم سعره؟", HISTORY) == "كم سعر Qatra S2؟"
    assert "السائل" in model.prompts[0]


@pytest.mark.parametrize(("question", "history"), [("What is it?", []), ("  ", HISTORY)])
async def test_nothing_to_rewrite_costs_no_call(question: str, history: list[Turn]) -> None:
    model = Model("never")
    assert await ModelQueryRewriter(model).rewrite(question, history) == question
    assert model.prompts == []


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ('"What is the price?"', "What is the price?"),
        ("Rewritten: What is the price?", "What is the price?"),
        ("Here is the rewritten message:\n\n**What is the price?**", "What is the price?"),
        ("Standalone question: «What is the price?»\nIt asks for the price.", "What is the price?"),
        ("بعد الصياغة: كم السعر؟", "كم السعر؟"),
        ("", "its price?"),
        ("\n \n", "its price?"),
        ("far too long " * 400, "its price?"),
    ],
)
async def test_only_the_question_counts(reply: str, question: str) -> None:
    assert await ModelQueryRewriter(Model(reply)).rewrite("its price?", HISTORY) == question


async def test_a_failure_is_raised() -> None:
    with pytest.raises(LLMTimeoutError):
        await ModelQueryRewriter(Model(LLMTimeoutError("slow"))).rewrite("its price?", HISTORY)


async def test_long_histories_are_cut_from_the_beginning() -> None:
    model = Model("q")
    history = [Turn(f"question{number} " + "word " * 3000, f"answer{number} " + "كلمة " * 3000) for number in range(40)]
    await ModelQueryRewriter(model, max_history_tokens=700).rewrite("its price?", history)
    (prompt,) = model.prompts
    assert estimate_tokens(prompt) < 1000
    assert "question39" in prompt
    assert "answer39" in prompt
    assert "question30" not in prompt


@pytest.mark.parametrize("options", [{"max_tokens": 0}, {"max_turns": 0}, {"max_history_tokens": 0}])
def test_numbers_are_positive(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="positive"):
        ModelQueryRewriter(Model("q"), **options)
