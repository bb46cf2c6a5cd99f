"""No question ends the command, and none is taken for a command to the search engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run, as_process

QUESTIONS = {
    "long": "tower " * 1667,
    "one long word": "t" * 10_000,
    "long Arabic": "القهوة " * 1429,
    "marks": "؟؟؟ !!! ... ,,, ---",
    "search syntax": '((("AND OR NOT* title:x^2 ~ [a TO b] +tower -tower NEAR/3 "',
    "sql": "'; DROP TABLE document; -- % _",
    "markup": "[red]tower[/red] :smile: {tower} <b>",
    "control characters": "tower\x00\x07\x1b[31m\u202e built",
    "surrogates": "tower \ud800 built \udcff",
    "emoji": "🗼👨‍👩‍👧‍👦🇸🇦",
    "diacritics only": "\u064b\u064c\u064d",
    "newlines": "tower\n\nbuilt\r\n",
}


@pytest.mark.parametrize("kind", QUESTIONS)
def test_ask_and_search_take_anything(home: Path, dalil: Run, kind: str) -> None:
    for verb in (["ask"], ["search"], ["search", "--words"]):
        ended = dalil(*verb, "--json", "--", QUESTIONS[kind])
        assert (ended.code, ended.err) == (0, "")
        assert ended.json is not None
    assert len(dalil("list", "--json").json) == 2


def test_undecodable_bytes_on_the_command_line(home: Path) -> None:
    ended = as_process("ask", "tower \udcff built", "--json", cwd=home)
    assert (ended.code, ended.err) == (0, "")


def test_only_marks_find_nothing(home: Path, dalil: Run) -> None:
    ended = dalil("ask", QUESTIONS["marks"], "--json").json
    assert (ended["outcome"], ended["citations"]) == ("not_found", [])


def test_syntax_is_read_as_words(home: Path, dalil: Run) -> None:
    assert dalil("search", "--words", "--json", "--", "-tower NOT high").json[0]["source"] == "docs/tower.txt"
