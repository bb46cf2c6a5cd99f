"""A model's opinion, and marks as models write them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from dalil import Answer, PageImage
from dalil.errors import LLMTimeoutError
from dalil.evaluation import EvalExample, Judge, ModelJudge
from dalil.evaluation.judging import judge_prompt, mark_in

from .building import cited, declined

ANSWER = cited("It is in Paris [1].", "It is in Paris.")


class Model:
    """Says what it is told to, in two fragments."""

    def __init__(self, reply: str | Exception) -> None:
        self.reply = reply
        self.prompts: list[str] = []

    async def generate(self, prompt: str) -> AsyncIterator[str]:
        self.prompts.append(prompt)
        if isinstance(self.reply, Exception):
            raise self.reply
        half = len(self.reply) // 2
        yield self.reply[:half]
        yield self.reply[half:]

    async def transcribe(self, image: PageImage) -> str:
        return ""


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        ("8", 0.8),
        ("**8**", 0.8),
        ("7.5", 0.75),
        ("Score: 9", 0.9),
        ("الدرجة: ٧", 0.7),
        ("٧ من ١٠", 0.7),
        ("I would give 6/10.", 0.6),
        ("4 out of 5", 0.8),
        ("The 2 quotes prove it.\nScore: 10", 1.0),
        ("The 2 quotes prove 1 of 3 claims.\n\n3", 0.3),
        ("0", 0.0),
        ("It deserves 5 because one of 2 is wrong.", 0.5),
    ],
)
def test_marks_are_read(reply: str, mark: float) -> None:
    assert mark_in(reply) == pytest.approx(mark)


@pytest.mark.parametrize("reply", ["", "good", "85", "-3", "11/10", "5/0", "gpt4 says yes"])
def test_what_is_no_mark(reply: str) -> None:
    assert mark_in(reply) is None


async def test_a_model_judges() -> None:
    model = Model("Score: 9")
    judge = ModelJudge(model)
    assert isinstance(judge, Judge)
    assert await judge.judge(EvalExample("Where?", expected_answer="Paris"), ANSWER) == 0.9
    (prompt,) = model.prompts
    assert "Question: Where?" in prompt
    assert "Reference: Paris" in prompt
    assert "[1] It is in Paris." in prompt


async def test_a_failing_call_and_a_silent_model_have_no_opinion() -> None:
    assert await ModelJudge(Model(LLMTimeoutError("too slow"))).judge(EvalExample("Where?"), ANSWER) is None
    assert await ModelJudge(Model("no idea")).judge(EvalExample("Where?"), ANSWER) is None


async def test_a_model_that_never_ends_is_stopped() -> None:
    class Endless(Model):
        async def generate(self, prompt: str) -> AsyncIterator[str]:
            while True:
                yield "so "

    assert await ModelJudge(Endless("")).judge(EvalExample("Where?"), ANSWER) is None


def test_the_prompt_is_in_the_language_of_the_question() -> None:
    prompt = judge_prompt(EvalExample("أين هو؟"), declined("لم أجد {question}"))
    assert prompt.endswith("الرقم:")
    assert "لم أجد {question}" in prompt


async def test_a_judge_of_your_own_is_heard() -> None:
    from dalil.evaluation import Evaluator
    from dalil.scope import Scope

    class Engine:
        async def query(self, *_: object, **__: object) -> Answer:
            return ANSWER

    class Strict:
        async def judge(self, example: EvalExample, answer: Answer) -> float | None:
            return 0.25

    report = await Evaluator(Engine(), Scope("x"), judge=Strict()).evaluate([EvalExample("Where?")])
    assert report.measures["judged"].value == 0.25
