"""Golden sets in folders, and what is said of malformed ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dalil import NOT_FOUND_MESSAGE, Turn
from dalil.errors import ConfigurationError
from dalil.evaluation import EvalThresholds, GoldenSet

GOOD = {"id": "q1", "question": "How high is it?", "expected_answer": "41", "relevant_sources": ["tower.md"]}


def folder(root: Path, *lines: Any, thresholds: Any = None) -> Path:
    (root / "documents" / "notes").mkdir(parents=True)
    (root / "documents" / "tower.md").write_text("It is 41 metres high.")
    (root / "documents" / "notes" / "برج.txt").write_text("برج", "utf-8")
    (root / "documents" / ".hidden").write_text("no")
    text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    (root / "questions.jsonl").write_text(text, "utf-8")
    if thresholds is not None:
        (root / "thresholds.json").write_text(json.dumps(thresholds))
    return root


def test_documents_and_questions(tmp_path: Path) -> None:
    history = [{"question": "Which tower?", "answer": "Amra."}]
    golden = GoldenSet.load(
        folder(
            tmp_path,
            {**GOOD, "lang": "en", "kind": "follow_up", "history": history},
            "",
            {"question": "من بناه؟", "kind": "unanswerable", "expected_answer": None, "relevant_sources": []},
        )
    )
    assert set(golden.corpus) == {"tower.md", "notes/برج.txt"}
    high, builder = golden.examples
    assert (high.id, high.kind, high.lang, high.expected_answer) == ("q1", "follow_up", "en", "41")
    assert high.history == (Turn("Which tower?", "Amra."),)
    assert (builder.id, builder.lang) == ("3", "ar")
    assert builder.ground_truth_answer == "لم أجد إجابة عن ذلك في مستنداتك."
    assert golden.thresholds == EvalThresholds()


def test_a_near_miss_is_to_be_declined_unless_it_has_an_answer(tmp_path: Path) -> None:
    near = {**GOOD, "kind": "near_miss"}
    golden = GoldenSet.load(folder(tmp_path, near, {**near, "id": "q2", "expected_answer": None}))
    answered, declined = golden.labelled({"tower.md": "id"})
    assert answered.should_answer is True
    assert declined.should_answer is False
    assert declined.ground_truth_answer == NOT_FOUND_MESSAGE
    assert declined.relevant_document_ids == frozenset()


def test_thresholds_of_its_own(tmp_path: Path) -> None:
    golden = GoldenSet.load(folder(tmp_path, GOOD, thresholds={"faithfulness": 0.95, "correct": 0.8}))
    assert golden.thresholds == EvalThresholds(faithfulness=0.95, correct=0.8)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: "),
        ("[1]", "line 2: it is no JSON object"),
        ({**GOOD, "id": "q1"}, "line 2: the id 'q1' was given before"),
        ({**GOOD, "id": "q2", "question": " "}, "line 2: it has no question"),
        ({**GOOD, "id": "q2", "question": 7}, "line 2: question is no text"),
        ({**GOOD, "id": "q2", "kind": "odd"}, "there is no kind 'odd'"),
        ({**GOOD, "id": "q2", "relevant_sources": ["no.md"]}, "there is no document 'no.md'"),
        ({**GOOD, "id": "q2", "relevant_sources": "tower.md"}, "relevant_sources is no list"),
        ({**GOOD, "id": "q2", "history": ["Which?"]}, "history holds"),
        ({**GOOD, "id": "q2", "history": 5}, "history holds"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        GoldenSet.load(folder(tmp_path, GOOD, line))
    assert message in str(caught.value)


@pytest.mark.parametrize("thresholds", [{"faith": 0.5}, {"correct": "high"}, {"correct": 70}, {"mrr": True}, [1]])
def test_bad_thresholds(tmp_path: Path, thresholds: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"thresholds\.json"):
        GoldenSet.load(folder(tmp_path, GOOD, thresholds=thresholds))


def test_folders_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no documents"):
        GoldenSet.load(tmp_path / "missing")
    with pytest.raises(ConfigurationError, match="no questions"):
        GoldenSet.load(folder(tmp_path))
    (tmp_path / "questions.jsonl").unlink()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        GoldenSet.load(tmp_path)
