"""`dalil ask --explain` shows where each candidate stood; `--expect` names the stage that lost a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dalil.cli.explaining import Explanation
from dalil.models import Document
from dalil.tracing import InMemoryTracer

from .conftest import Run, one_line

QUESTION = "When was the tower of Amra built?"
FIELDS = [
    "source", "document_id", "chunk_id", "page", "dense_rank", "word_rank", "fused_rank", "reranked_rank",
    "in_context", "cited",
]  # fmt: skip


def test_the_table_and_the_verdict(home: Path, dalil: Run) -> None:
    plain = dalil("ask", QUESTION)
    ended = dalil("ask", QUESTION, "--explain")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(plain.out)
    shown = ended.out.removeprefix(plain.out).strip().splitlines()
    assert shown[0].split() == ["document", "page", "meaning", "words", "fused", "in", "context", "cited"]
    assert shown[1].split() == ["docs/tower.txt", "1", "1", "1", "1", "yes", "yes"]
    assert shown[2].split() == ["docs/قهوة.md", "1", "2", "-", "2", "yes", "-"]
    assert shown[3].startswith("Evidence gate: answerable, confidence 0.")
    assert len(shown) == 4


def test_the_same_as_data(home: Path, dalil: Run) -> None:
    told = dalil("ask", QUESTION, "--json", "--expect", "docs/قهوة.md").json
    explanation = told.pop("explanation")
    assert told == dalil("ask", QUESTION, "--json").json
    assert list(explanation) == ["gate", "candidates", "expected"]
    assert explanation["gate"]["answerable"] is True
    assert 0 < explanation["gate"]["confidence"] <= 1
    first, second = explanation["candidates"]
    assert list(first) == FIELDS
    assert [first[name] for name in FIELDS if name not in ("document_id", "chunk_id")] == [
        "docs/tower.txt", 1, 1, 1, 1, None, True, True,
    ]  # fmt: skip
    assert first["chunk_id"].startswith(first["document_id"])
    assert (second["word_rank"], second["in_context"], second["cited"]) == (None, True, False)
    assert explanation["expected"] == {
        "source": "docs/قهوة.md",
        "document_id": second["document_id"],
        "stage": "generate",
        "sentence": "in the context, but the answer did not cite it",
    }
    assert dalil("ask", QUESTION, "--json", "--explain").json["explanation"]["expected"] is None


def test_an_expected_document_by_the_beginning_of_its_id(home: Path, dalil: Run) -> None:
    document = dalil("show", "docs/tower.txt", "--json").json["document_id"]
    ended = dalil("ask", QUESTION, "--expect", document[:6])
    assert ended.code == 0
    assert ended.out.splitlines()[-1] == "docs/tower.txt: cited"


def test_an_expected_document_that_is_not_there(home: Path, dalil: Run) -> None:
    ended = dalil("ask", QUESTION, "--expect", "nothing.txt")
    assert (ended.code, ended.out) == (1, "")
    assert one_line(ended.err)
    assert "[document_not_found]" in ended.err


def test_a_declined_answer_is_explained_too(home: Path, dalil: Run) -> None:
    ended = dalil("ask", "Who won the chess championship of Norway?", "--expect", "docs/قهوة.md")
    assert ended.code == 0
    assert "Evidence gate: declined, confidence 0." in ended.out
    assert "docs/قهوة.md: kept at rank " in ended.out.splitlines()[-1]
    assert "the evidence gate declined (confidence 0." in ended.out.splitlines()[-1]


@pytest.mark.parametrize("question", ["Hello", "???"])
def test_what_is_no_question_has_no_candidates(home: Path, dalil: Run, question: str) -> None:
    ended = dalil("ask", question, "--expect", "docs/tower.txt")
    assert ended.code == 0
    assert ended.out.splitlines()[-2:] == [
        "Nothing was retrieved.",
        "docs/tower.txt: nothing was retrieved: this is no question to the documents [retrieve]",
    ]
    told = dalil("ask", question, "--explain", "--json").json["explanation"]
    assert told == {"gate": None, "candidates": [], "expected": None}


def test_a_document_that_no_channel_finds(home: Path, dalil: Run) -> None:
    for number in range(60):
        (home / "docs" / f"{number:02}.txt").write_text(f"The tower of Amra, part {number}: when it was built.")
    assert dalil("add", "docs", "-q").code == 0
    ended = dalil("ask", QUESTION, "--expect", "docs/قهوة.md")
    assert ended.out.splitlines()[-1] == (
        "docs/قهوة.md: never retrieved: neither its words nor its meaning match among the best 50 [retrieve]"
    )
    lost = [dalil("ask", QUESTION, "--expect", f"docs/{number:02}.txt", "--json").json for number in (0, 31, 59)]
    assert {told["explanation"]["expected"]["stage"] for told in lost} <= {
        "retrieve", "fusion", "rerank", "prompt", "generate", None,
    }  # fmt: skip
    for told in lost:
        ids = {row["source"] for row in told["explanation"]["candidates"] if row["fused_rank"] is None}
        assert ids <= {told["explanation"]["expected"]["source"]}


def test_small_chunks_are_in_the_context_through_their_parent(dalil: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "\n\n".join(f"The tower number {n} was built in {1900 + n} by Salim." for n in range(40))
    )
    assert dalil("add", "a.txt", "--embedder", "fast", "--chunker", "parent_child", "--chunk-size", "100").code == 0
    told = dalil("ask", "When was the tower number 17 built?", "--json", "--expect", "a.txt").json
    assert "1917" in told["text"]
    assert told["explanation"]["expected"]["sentence"] == "cited"
    assert any(row["in_context"] and row["cited"] for row in told["explanation"]["candidates"])


DOCUMENT = Document("d", "d.txt", "hash")


def explained(
    *,
    dense: int | None = 1,
    words: int | None = None,
    fused: int | None = None,
    kept: int | None = None,
    context: bool | None = None,
    grounded: bool | None = None,
    reranked: bool = False,
) -> Explanation:
    """The explanation of a question for which the document stood at these ranks."""

    def ranked(rank: int | None, count: int) -> list[str]:
        others = [f"x:{number}" for number in range(count)]
        return others if rank is None else [*others[: rank - 1], "d:0", *others[rank:]]

    told: dict[str, Any] = {"dense_ids": ranked(dense, 50), "lexical_ids": ranked(words, 50)}
    documents = [{"id": "d:0", "document_id": "d", "source": "d.txt", "page": 3}] if dense or words else []
    tracer = InMemoryTracer(record_content=True)
    with tracer.span("query") as root:
        root.child("retrieve", dense=50, lexical=50, fused=20, fused_ids=ranked(fused, 20), documents=documents, **told)
        root.child("rerank", kept=5, kept_ids=ranked(kept, 5))
        if context is not None:
            root.child("prompt", context_ids=ranked(1 if context else None, 3))
        if grounded is not None:
            root.child("generate", grounded=grounded, cited_ids=[])
    return Explanation(tracer.spans[0], reranked=reranked)


@pytest.mark.parametrize(
    ("explanation", "stage", "sentence"),
    [
        (explained(dense=None), "retrieve", "never retrieved: neither its words nor its meaning match among the best"),
        (explained(dense=None, words=31), "fusion", "found by words at rank 31, not among the 20 that were kept"),
        (explained(dense=40, words=31), "fusion", "found by meaning at rank 40 and by words at rank 31, not among"),
        (explained(fused=7), "rerank", "at rank 7 after fusion, not among the 5 kept as evidence"),
        (explained(fused=7, reranked=True), "rerank", "at rank 7 after fusion, not among the 5 kept by the reranker"),
        (explained(fused=7, kept=2), "gate", "kept at rank 2, but the evidence gate declined"),
        (explained(fused=4, kept=4, context=False), "prompt", "kept at rank 4, but only 3 went into the context"),
        (explained(fused=1, kept=1, context=True, grounded=False), "generate", "in the context, but the model decl"),
        (explained(fused=1, kept=1, context=True, grounded=True), "generate", "in the context, but the answer did"),
    ],
)
def test_every_stage_can_lose_a_document(explanation: Explanation, stage: str, sentence: str) -> None:
    fate = explanation.fate(DOCUMENT)
    assert fate.stage == stage
    assert fate.sentence.startswith(sentence)


def test_a_reranker_has_a_column() -> None:
    from io import StringIO

    from dalil.cli.explaining import print_explanation
    from dalil.cli.output import console

    out = StringIO()
    print_explanation(console(out), explained(fused=3, kept=1, context=True, reranked=True), DOCUMENT)
    table = out.getvalue().strip().splitlines()
    assert table[0].split() == ["document", "page", "meaning", "words", "fused", "reranked", "in", "context", "cited"]
    assert table[1].split() == ["d.txt", "3", "1", "-", "3", "1", "yes", "-"]
    assert table[2] == "Evidence gate: none for this embedder"
