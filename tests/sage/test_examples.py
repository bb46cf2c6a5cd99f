"""The example documents answer the questions that their README promises, with the default models."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from dalil import Outcome, RagSage, RawSource, Scope

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS: list[dict[str, Any]] = json.loads((EXAMPLES / "questions.json").read_text("utf-8"))
ANSWERABLE = [entry for entry in QUESTIONS if entry["expects"]]
SCOPE = Scope("default")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("examples") / ".dalil"


@pytest.fixture
async def sage(store: Path) -> AsyncIterator[RagSage]:
    async with RagSage.open(store) as sage:
        files = sorted((EXAMPLES / "documents").iterdir())
        async for result in sage.ingest_many([RawSource(file.name, path=file) for file in files], SCOPE):
            assert result.error is None
        yield sage


@pytest.mark.parametrize(
    "entry", [entry for entry in QUESTIONS if entry["expects"]], ids=lambda entry: entry["question"]
)
async def test_the_answer_is_quoted_from_its_page(sage: RagSage, entry: dict[str, Any]) -> None:
    answer = await sage.query(entry["question"], SCOPE)
    assert answer.outcome is Outcome.ANSWERED
    assert entry["expects"] in answer.text
    quoted = [citation for citation in answer.citations if entry["expects"] in " ".join(citation.quote.split())]
    assert (quoted[0].source, quoted[0].page) == (entry["source"], entry["page"])
    for citation in answer.citations:
        assert citation.verified
        pages = {page.number: page.text for page in await sage.pages(SCOPE, citation.document_id)}
        assert citation.quote == "\n".join(pages[span.page][span.start : span.end] for span in citation.spans)


async def test_what_has_nothing_to_do_with_them_is_declined_in_the_question_s_language(sage: RagSage) -> None:
    english = await sage.query("Who won the football world cup in 1998?", SCOPE)
    arabic = await sage.query("من فاز بكأس العالم لكرة القدم عام 1998؟", SCOPE)
    assert english.text == "I couldn't find an answer to that in your documents."
    assert arabic.text == "لم أجد إجابة عن ذلك في مستنداتك."
    assert english.citations == arabic.citations == ()


async def test_small_talk_is_answered_without_searching(sage: RagSage) -> None:
    for message in ("Hello!", "شكرًا"):
        assert (await sage.query(message, SCOPE)).outcome is Outcome.CONVERSATIONAL
