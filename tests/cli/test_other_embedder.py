"""A store stays with the embedder that made its vectors; everything that needs no vectors goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from .conftest import Run, one_line


def test_another_embedder_is_refused_by_name(home: Path, dalil: Run) -> None:
    for arguments in (["ask", "When was the tower built?"], ["search", "tower"], ["add", "docs"]):
        ended = dalil(*arguments, "--embedder", "accurate")
        assert (ended.code, ended.out) == (3, "")
        assert one_line(ended.err)
        assert "fast" in ended.err
        assert "accurate" in ended.err
        assert "store_embedder_mismatch" in ended.err
    assert "1903" in dalil("ask", "When was the tower of Amra built?").out


def test_words_are_searched_all_the_same(home: Path, dalil: Run) -> None:
    ended = dalil("search", "tower", "--words", "--embedder", "accurate", "--json")
    assert ended.json[0]["source"] == "docs/tower.txt"


def test_a_store_of_an_unknown_embedder_is_listed_read_and_emptied(home: Path, dalil: Run) -> None:
    with closing(sqlite3.connect(home / ".dalil" / "dalil.sqlite")) as store:
        store.execute("UPDATE meta SET value = 'somewhere:else dim=512' WHERE name = 'embedder'")
        store.commit()
    refused = dalil("ask", "When was the tower of Amra built?")
    assert refused.code == 3
    assert one_line(refused.err)
    assert "somewhere:else" in refused.err
    assert dalil("status", "--json").json["embedder"] == "somewhere:else dim=512"
    assert dalil("search", "tower", "--words", "--json").json[0]["source"] == "docs/tower.txt"
    assert "41 metres" in dalil("show", "docs/tower.txt").out
    assert dalil("rm", "docs/tower.txt").code == 0
    assert dalil("list", "-q").out == "docs/قهوة.md\n"


def test_the_store_remembers_its_embedder(home: Path, dalil: Run) -> None:
    (home / "docs" / "more.txt").write_text("The bridge is blue.")
    assert dalil("add", "docs", "-q").code == 0
    assert "fast" in dalil("status", "--json").json["embedder"]
