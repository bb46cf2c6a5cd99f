"""Each kind of failure has its exit code and one line on stderr."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run, as_process, bound_by_permissions, one_line


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ask", "   "], 2),
        (["ask", ""], 2),
        (["search", "\n"], 2),
        (["list", "--namespace", " "], 2),
        (["list", "--namespace", "\udcff"], 2),
        (["add", "docs", "--embedder", "nonesuch"], 2),
        (["add", "docs", "--meta", "novalue"], 2),
        (["add", "docs", "--meta", "=value"], 2),
        (["add", "docs", "--meta", "a=\udcff"], 2),
        (["list", "--store", "nowhere"], 3),
        (["ask", "When?", "--store", "nowhere"], 3),
        (["status", "--store", "nowhere"], 3),
        (["list", "--store", "docs/tower.txt"], 3),
        (["add", "docs", "--store", "docs/tower.txt"], 3),
        (["add", "docs", "--store", "docs/tower.txt/below"], 3),
        (["add", "docs", "--store", "s" * 300], 3),
        (["add", "nowhere.txt"], 1),
        (["add", "n" * 300], 1),
        (["show", "nowhere.txt"], 1),
        (["rm", "nowhere.txt"], 1),
        (["show", "docs/tower.txt", "--page", "2"], 1),
    ],
)
def test_one_line_and_the_right_code(home: Path, dalil: Run, arguments: list[str], code: int) -> None:
    ended = dalil(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert one_line(ended.err), ended.err
    assert dalil("list", "-q").out == "docs/tower.txt\ndocs/قهوة.md\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonesuch"],
        ["add"],
        ["ask"],
        ["list", "--nonesuch"],
        ["search", "x", "-k", "0"],
        ["search", "x", "-k", "many"],
        ["show", "x", "--page", "0"],
        ["--store", "x", "list"],
    ],
)
def test_wrong_usage_is_2(dalil: Run, arguments: list[str]) -> None:
    ended = dalil(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "Usage:" in ended.err
    assert "Traceback" not in ended.err


def test_help_is_0(dalil: Run) -> None:
    for arguments in (["--help"], ["-h"], ["add", "--help"]):
        ended = dalil(*arguments)
        assert (ended.code, ended.err) == (0, "")
        assert "Usage:" in ended.out


def test_nothing_is_made_by_a_command_that_cannot_begin(dalil: Run, tmp_path: Path) -> None:
    for arguments in (["add", "nowhere.txt"], ["list"], ["ask", "When?"], ["status"], ["rm", "x"]):
        assert dalil(*arguments).code != 0
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_is_3_and_left_alone(home: Path, dalil: Run) -> None:
    file = home / ".dalil" / "dalil.sqlite"
    for damage in (b"this is no database, but it is long enough to be taken for one" * 40, file.read_bytes()[:5000]):
        file.write_bytes(damage)
        for arguments in (["list"], ["add", "docs"], ["ask", "When was the tower built?"], ["status"], ["rm", "x"]):
            ended = dalil(*arguments)
            assert ended.code == 3, arguments
            assert one_line(ended.err), ended.err
            assert "store_corrupt" in ended.err
        assert file.read_bytes() == damage


def test_a_database_of_another_program_is_3_and_left_alone(dalil: Run, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    (tmp_path / ".dalil").mkdir()
    with closing(sqlite3.connect(tmp_path / ".dalil" / "dalil.sqlite")) as other:
        other.execute("CREATE TABLE theirs (x)")
    before = (tmp_path / ".dalil" / "dalil.sqlite").read_bytes()
    (tmp_path / "a.txt").write_text("lamp")
    for arguments in (["list"], ["add", "a.txt"]):
        ended = dalil(*arguments)
        assert ended.code == 3
        assert one_line(ended.err)
    assert (tmp_path / ".dalil" / "dalil.sqlite").read_bytes() == before


def test_a_store_that_may_not_be_read_or_made_is_3(home: Path) -> None:
    before = bound_by_permissions()
    closed = home / "closed"
    closed.mkdir(mode=0)
    (home / ".dalil").chmod(0)
    try:
        for arguments in (["list", "--store", "closed/s"], ["add", "docs", "--store", "closed/s"], ["list"]):
            ended = as_process(*arguments, cwd=home, before=before)
            assert ended.code == 3
            assert one_line(ended.err), ended.err
    finally:
        closed.chmod(0o700)
        (home / ".dalil").chmod(0o700)
    assert len(as_process("list", "--json", cwd=home).json) == 2
