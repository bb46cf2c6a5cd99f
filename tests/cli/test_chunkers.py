"""`dalil add --chunker`: documents cut otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run, one_line

TEXT = "\n\n".join(f"Flat {number} has a deposit of {number * 10} dinars and a balcony." for number in range(60))


@pytest.mark.parametrize("name", ["fixed_size", "sentence_aware", "recursive", "semantic", "parent_child"])
def test_a_chunker_is_chosen_by_name(tmp_path: Path, dalil: Run, name: str) -> None:
    (tmp_path / "flats.txt").write_text(TEXT, "utf-8")
    added = dalil("add", "flats.txt", "--embedder", "fast", "--chunker", name, "--chunk-size", "60", "--json")
    assert added.code == 0, added.err
    assert added.json["chunks"] > 5
    answer = dalil("ask", "What is the deposit of flat 31?", "--json").json
    assert "310" in answer["text"]
    assert all(citation["verified"] for citation in answer["citations"])


def test_an_unknown_chunker_is_said_with_those_there_are(tmp_path: Path, dalil: Run) -> None:
    (tmp_path / "flats.txt").write_text(TEXT, "utf-8")
    added = dalil("add", "flats.txt", "--chunker", "magic")
    assert added.code != 0
    assert one_line(added.err)
    assert "parent_child" in added.err
    assert not (tmp_path / ".dalil").exists()
