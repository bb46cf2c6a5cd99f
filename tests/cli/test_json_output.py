"""`--json` writes exactly the documented fields, alone on stdout."""

from __future__ import annotations

import json
import subprocess
from datetime import datetime
from pathlib import Path

from .conftest import COMMAND, Run, environment


def test_add_writes_a_line_for_each_document(home: Path, dalil: Run) -> None:
    (home / "docs" / "a-new.txt").write_text("The bridge is blue.")
    (home / "docs" / "empty.txt").touch()
    (home / "docs" / "tower.txt").write_text("The tower of Amra has a clock.")
    ended = dalil("add", "docs", "--json")
    assert ended.err == ""
    lines = {line["source"]: line for line in ended.lines}
    assert all(
        list(line) == ["source", "status", "document_id", "chunks", "error", "warnings"] for line in lines.values()
    )
    assert {source: line["status"] for source, line in lines.items()} == {
        "docs/a-new.txt": "added",
        "docs/empty.txt": "failed",
        "docs/tower.txt": "replaced",
        "docs/قهوة.md": "unchanged",
    }
    assert [lines["docs/a-new.txt"][name] for name in ("chunks", "error")] == [1, None]
    assert [lines["docs/قهوة.md"][name] for name in ("chunks", "error")] == [0, None]
    assert lines["docs/empty.txt"]["error"].startswith("docs/empty.txt ")
    assert lines["docs/empty.txt"]["error"].endswith(" [document_empty]")


def test_a_line_of_add_is_true_when_it_is_read(home: Path) -> None:
    for number in range(24):
        (home / "docs" / f"{number:02}.txt").write_text(f"Lamp {number} is green.")
    process = subprocess.Popen(
        [*COMMAND, "add", "docs", "--json"], cwd=home, env=environment(), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    listed = subprocess.run(
        [*COMMAND, "list", "--json"], cwd=home, env=environment(), capture_output=True, text=True, check=True
    )
    assert first["source"] in [row["source"] for row in json.loads(listed.stdout)]
    rest = process.stdout.read().splitlines()
    process.stdout.close()
    assert process.wait(60) == 0
    assert len(rest) == 25


def test_ask(home: Path, dalil: Run) -> None:
    question = "When was the tower of Amra built?"
    answer = dalil("ask", question, "--json").json
    assert list(answer) == ["question", "text", "outcome", "citations"]
    assert (answer["question"], answer["outcome"]) == (question, "answered")
    citation = answer["citations"][0]
    assert list(citation) == [
        "marker", "source", "document_id", "chunk_id", "page", "label", "start", "end", "spans", "quote", "verified",
        "boxes",
    ]  # fmt: skip
    text = dalil("show", "docs/tower.txt", "--json").json["pages"][0]["text"]
    for citation in answer["citations"]:
        assert f"[{citation['marker']}]" in answer["text"]
        assert citation["verified"] is True
        assert citation["spans"] == [[citation["page"], citation["start"], citation["end"]]]
        assert text[citation["start"] : citation["end"]] == citation["quote"]


def test_search(home: Path, dalil: Run) -> None:
    for mode in ([], ["--words"]):
        found = dalil("search", "tower of Amra", "--json", *mode).json
        assert [list(passage) for passage in found[:1]] == [
            ["source", "document_id", "chunk_id", "page", "score", "text"]
        ]
        assert found[0]["source"] == "docs/tower.txt"
        assert "41 metres" in found[0]["text"]
    assert len(dalil("search", "tower", "--json", "-k", "1").json) == 1


def test_list(home: Path, dalil: Run) -> None:
    rows = dalil("list", "--json").json
    assert [row["source"] for row in rows] == ["docs/tower.txt", "docs/قهوة.md"]
    assert all(list(row) == ["source", "document_id", "pages", "chunks", "added_at"] for row in rows)
    assert all((row["pages"], row["chunks"]) == (1, 1) for row in rows)
    assert datetime.fromisoformat(rows[0]["added_at"]).tzinfo is not None
    assert dalil("list", "--json", "--namespace", "nobody").json == []


def test_show(home: Path, dalil: Run) -> None:
    shown = dalil("show", "docs/قهوة.md", "--json").json
    assert list(shown) == ["source", "document_id", "metadata", "warnings", "pages"]
    assert shown["warnings"] == []
    assert shown["pages"][0]["number"] == 1
    assert "تزرع القهوة" in shown["pages"][0]["text"]


def test_status(home: Path, dalil: Run) -> None:
    status = dalil("status", "--json").json
    assert list(status) == ["store", "schema", "embedder", "namespaces"]
    assert status["schema"] >= 1
    assert "fast" in status["embedder"]
    assert status["namespaces"] == [{"name": "default", "documents": 2, "chunks": 2}]


def test_rm(home: Path, dalil: Run) -> None:
    removed = dalil("rm", "docs/tower.txt", "--json").json
    assert (removed["source"], removed["status"]) == ("docs/tower.txt", "removed")


def test_arabic_is_written_as_letters(home: Path, dalil: Run) -> None:
    assert "قهوة" in dalil("list", "--json").out


def test_metadata_is_kept_and_changed(home: Path, dalil: Run) -> None:
    added = dalil("add", "docs/tower.txt", "--meta", "year=1903", "--meta", "note=a=b", "--json")
    assert added.code == 0
    metadata = dalil("show", "docs/tower.txt", "--json").json["metadata"]
    assert (metadata["year"], metadata["note"]) == ("1903", "a=b")
    assert dalil("add", "docs/tower.txt", "--meta", "year=1903", "--json").lines[0]["status"] == "unchanged"


def test_stdout_stays_empty_when_the_command_fails(home: Path, dalil: Run) -> None:
    for arguments in (["show", "nothing"], ["ask", " "], ["list", "--store", "nowhere"], ["add", "nowhere.txt"]):
        ended = dalil(*arguments, "--json")
        assert ended.code != 0
        assert ended.out == ""
        assert ended.err != ""
