"""From files to cited answers, in both languages, and everything in between."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .conftest import COMMAND, Run, as_process, environment, one_line


def test_an_answer_names_source_page_and_quote(home: Path, dalil: Run) -> None:
    ended = dalil("ask", "When was the tower of Amra built?")
    assert ended.code == 0
    assert "1903" in ended.out
    assert "docs/tower.txt, page 1" in ended.out
    assert "“The tower of Amra was built in 1903 by Salim Haddad.”" in ended.out


def test_arabic_is_asked_and_answered_letter_for_letter(home: Path, dalil: Run) -> None:
    ended = dalil("ask", "متى زرعت القهوة في اليمن؟")
    assert ended.code == 0
    assert "تزرع القهوة في اليمن منذ القرن الخامس عشر." in ended.out
    assert "docs/قهوة.md, page 1" in ended.out


def test_arabic_survives_a_terminal_without_a_language(home: Path) -> None:
    ended = as_process("list", cwd=home, LC_ALL="C", LANG="C")
    assert ended.code == 0
    assert "docs/قهوة.md" in ended.out


def test_what_a_stream_cannot_show_does_not_end_the_command(home: Path) -> None:
    ended = as_process("list", cwd=home, PYTHONIOENCODING="ascii")
    assert (ended.code, ended.err) == (0, "")
    assert "docs/tower.txt" in ended.out


def test_the_closing_table_tells_what_became_of_each(home: Path, dalil: Run) -> None:
    (home / "docs" / "tower.txt").write_text("The tower of Amra has a clock now.")
    (home / "docs" / "new.txt").write_text("The bridge is blue.")
    (home / "docs" / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Cat")
    ended = dalil("add", "docs")
    rows = {line.split()[0]: line.split()[1] for line in ended.out.splitlines() if line.startswith("docs/")}
    assert rows == {
        "docs/tower.txt": "replaced",
        "docs/new.txt": "added",
        "docs/broken.pdf": "failed",
        "docs/قهوة.md": "unchanged",
    }
    assert "1 added, 1 unchanged, 1 replaced, 1 failed" in ended.out
    assert ended.code == 1
    assert "clock" in dalil("ask", "What does the tower of Amra have now?").out


def test_ingest_and_query_are_the_same_verbs(home: Path, dalil: Run) -> None:
    (home / "more.txt").write_text("The bridge of Sour is blue.")
    assert dalil("ingest", "more.txt", "--json").lines[0]["status"] == "added"
    question = "What colour is the bridge of Sour?"
    assert dalil("query", question).out == dalil("ask", question).out != ""


def test_python_m_and_the_script_are_the_same_command(home: Path) -> None:
    script = Path(COMMAND[0]).parent / "dalil"
    outputs = [
        subprocess.run([*command, "list"], cwd=home, env=environment(), capture_output=True, check=True).stdout
        for command in ([str(script)], COMMAND)
    ]
    assert outputs[0] == outputs[1] != b""


def test_nothing_found_is_said_and_is_no_failure(home: Path, dalil: Run) -> None:
    ended = dalil("ask", "Who won the football cup of Brazil?", "--namespace", "empty", "--json")
    assert ended.code == 0
    assert ended.json["outcome"] == "not_found"
    assert ended.json["citations"] == []


def test_a_document_is_shown_and_removed(home: Path, dalil: Run) -> None:
    shown = dalil("show", "docs/tower.txt")
    assert "It is 41 metres high." in shown.out
    assert dalil("show", "docs/tower.txt", "--page", "1", "-q").out == (home / "docs/tower.txt").read_text() + "\n"
    assert dalil("rm", "docs/tower.txt").out == "Removed docs/tower.txt\n"
    assert "tower" not in dalil("list").out
    assert dalil("search", "tower", "--words").out == "Nothing found.\n"
    again = dalil("rm", "docs/tower.txt")
    assert again.code == 1
    assert one_line(again.err)


def test_shown_text_keeps_its_tabs(dalil: Run, tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text("lamp\tgreen\nchair\tred")
    dalil("add", "table.txt", "--embedder", "fast", "-q")
    assert dalil("show", "table.txt", "-q").out == "lamp\tgreen\nchair\tred\n"


def test_quiet_says_only_what_was_asked_for(home: Path, dalil: Run) -> None:
    assert dalil("add", "docs", "-q").out == ""
    assert dalil("list", "-q").out == "docs/tower.txt\ndocs/قهوة.md\n"
    (home / "docs" / "empty.txt").touch()
    failing = dalil("add", "docs", "-q")
    assert (failing.code, failing.out) == (1, "")
    assert failing.err.startswith("docs/empty.txt: ")
    assert failing.err.count("\n") == 1


def test_namespaces_share_nothing(home: Path, dalil: Run) -> None:
    (home / "docs" / "قهوة.md").unlink()
    assert dalil("add", "docs", "--namespace", "other", "--json").lines[0]["status"] == "added"
    assert dalil("list", "-q", "--namespace", "other").out == "docs/tower.txt\n"
    assert dalil("search", "القهوة", "--words", "--namespace", "other", "--json").json == []
    counts = [(entry["name"], entry["documents"]) for entry in dalil("status", "--json").json["namespaces"]]
    assert counts == [("default", 2), ("other", 1)]


def test_rows_off_a_terminal_stay_on_their_line(dalil: Run, tmp_path: Path) -> None:
    folder = tmp_path / "-".join(["deep"] * 40)
    folder.mkdir()
    (folder / "file.txt").write_text("The lamp is green.")
    added = dalil("add", folder, "--embedder", "fast")
    listed = dalil("list")
    for ended in (added, listed):
        rows = [line for line in ended.out.splitlines() if line.startswith("deep-deep")]
        assert len(rows) == 1
        assert f"{folder.name}/file.txt " in rows[0]


def test_a_reader_who_leaves_early_is_no_failure(home: Path) -> None:
    for verb in (["list"], ["list", "--json"], ["show", "docs/tower.txt"], ["status"]):
        process = subprocess.Popen(
            [*COMMAND, *verb], cwd=home, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        process.stderr.close()
        assert (process.wait(60), errors) == (0, b"")


def test_adding_goes_on_when_its_reader_leaves(home: Path) -> None:
    for number in range(20):
        (home / "docs" / f"{number}.txt").write_text(f"Lamp {number} is green.")
    process = subprocess.Popen(
        [*COMMAND, "add", "docs", "--json"], cwd=home, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), errors) == (0, b"")
    assert len(as_process("list", "--json", cwd=home).json) == 22
