"""`dalil eval`: the table, the files it writes, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run, as_process, one_line

QUESTIONS = [
    {"id": "height", "question": "How high is the tower of Amra?", "expected_answer": "41 metres",
     "relevant_sources": ["tower.txt"], "lang": "en", "kind": "number"},
    {"id": "coffee", "question": "أين تزرع القهوة؟", "expected_answer": "اليمن",
     "relevant_sources": ["قهوة.md"], "lang": "ar", "kind": "answerable"},
]  # fmt: skip


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A golden set of two questions that any engine answers."""
    folder = tmp_path / "golden"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "tower.txt").write_text("The tower of Amra is 41 metres high.")
    (folder / "documents" / "قهوة.md").write_text("# القهوة\n\nتزرع القهوة في اليمن منذ القرن الخامس عشر.", "utf-8")
    label(folder, QUESTIONS)
    return folder


def label(folder: Path, questions: list[dict[str, object]]) -> None:
    lines = (json.dumps(question, ensure_ascii=False) for question in questions)
    (folder / "questions.jsonl").write_text("\n".join(lines), "utf-8")


def test_the_small_set_passes(dalil: Run, tmp_path: Path) -> None:
    ended = dalil("eval", "--set", "small", "--embedder", "fast")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("5 questions, set small, ")
    assert "95 % interval" in ended.out
    assert not (tmp_path / ".dalil").exists()


def test_your_own_set_and_its_files(dalil: Run, golden: Path, tmp_path: Path) -> None:
    ended = dalil("eval", "--golden", golden, "--embedder", "fast", "--json", "run.json", "--html", "run.html")
    assert (ended.code, ended.err) == (0, "")
    report = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert (report["set"], report["passed"], len(report["cases"])) == ("golden", True, 2)
    assert report["cases"][0]["ranking"][0] == "tower.txt"
    assert report["cases"][1]["citations"][0]["source"] == "قهوة.md"
    assert set(report["groups"]["lang"]) == {"ar", "en"}
    page = (tmp_path / "run.html").read_text("utf-8")
    assert 'dir="rtl">أين تزرع القهوة؟' in page


def test_the_same_json_twice_alone_on_stdout(dalil: Run, golden: Path) -> None:
    first, second = (dalil("eval", "--golden", golden, "--embedder", "fast", "--json", "-") for _ in range(2))
    assert first.out == second.out
    assert first.json["version"] == 1


def test_a_missed_threshold_fails(dalil: Run, golden: Path) -> None:
    label(golden, [{**QUESTIONS[0], "expected_answer": "42 metres"}, QUESTIONS[1]])
    (golden / "thresholds.json").write_text('{"correct": 0.9}')
    ended = dalil("eval", "--golden", golden, "--embedder", "fast")
    assert ended.code == 1
    assert "correct: 0.500 is below 0.90\n" in ended.err
    assert "Not correct (1):\n  height  answered: How high" in ended.out


def test_a_run_is_compared_with_a_baseline(dalil: Run, golden: Path, tmp_path: Path) -> None:
    many = [{**question, "id": f"{question['id']}{number}"} for number in range(4) for question in QUESTIONS]
    label(golden, many)
    common = ("eval", "--golden", golden, "--embedder", "fast")
    assert dalil(*common, "--json", "before.json", "-q").out == ""
    same = dalil(*common, "--against", "before.json")
    assert (same.code, same.err) == (0, "")
    assert "+0.000 (+0.000 to +0.000)" in same.out
    (golden / "documents" / "tower.txt").write_text("The tower of Amra is painted blue.")
    worse = dalil(*common, "--against", "before.json", "--html", "after.html")
    assert worse.code == 1
    assert "correct: worse than the baseline\n" in worse.err
    assert "Against the baseline" in (tmp_path / "after.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--set", "huge"), 2, "There is no set 'huge'"),
        (("--golden", "missing"), 2, "no documents"),
        (("--golden", "golden", "--set", "small"), 2, "not both"),
        (("--set", "small", "--against", "missing.json"), 2, "cannot be read"),
        (("--set", "small", "--judge", "nobody"), 2, "nobody"),
        (("--set", "small", "--embedder", "nobody"), 2, "nobody"),
        (("--set", "small", "--embedder", "fast", "-q", "--json", "no/such/folder.json"), 2, "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    dalil: Run, golden: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended = dalil("eval", *arguments)
    assert ended.code == code
    assert said in ended.err
    assert one_line(ended.err)


def test_a_document_that_cannot_be_read_ends_the_run(dalil: Run, golden: Path) -> None:
    (golden / "documents" / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    ended = dalil("eval", "--golden", golden, "--embedder", "fast")
    assert ended.code == 1
    assert "broken.pdf" in ended.err
    assert one_line(ended.err)


def test_as_a_command_of_its_own(golden: Path, tmp_path: Path) -> None:
    ended = as_process("eval", "--golden", golden, "--embedder", "fast", "-q", cwd=tmp_path)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
