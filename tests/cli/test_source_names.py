"""What a document is called, and by which names it is found again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .conftest import Run, one_line

TEXT = "The lamp is green."


def sources(dalil: Run, *arguments: str) -> list[str]:
    return [row["source"] for row in dalil("list", "--json", *arguments).json]


def put(path: Path, text: str = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_names_are_relative_to_the_folder_that_holds_the_store(dalil: Run, tmp_path: Path, monkeypatch: object) -> None:
    put(tmp_path / "project" / "docs" / "a.txt")
    put(tmp_path / "outside.txt")
    store = ("--store", "project/kb")
    assert dalil("add", "project/docs/../docs", "outside.txt", *store, "--embedder", "fast", "-q").code == 0
    assert sources(dalil, *store) == [str(tmp_path / "outside.txt"), "docs/a.txt"]
    os.chdir(tmp_path / "project" / "docs")
    again = dalil("add", ".", "--store", "../kb", "--json")
    assert [(line["source"], line["status"]) for line in again.lines] == [("docs/a.txt", "unchanged")]


def test_a_store_moved_with_its_documents_knows_them_again(home: Path, dalil: Run) -> None:
    shutil.copytree(home / "docs", home / "elsewhere" / "docs")
    shutil.copytree(home / ".dalil", home / "elsewhere" / ".dalil")
    ended = dalil("add", "elsewhere/docs", "--store", "elsewhere/.dalil", "--json")
    assert {line["status"] for line in ended.lines} == {"unchanged"}


def test_hidden_files_the_store_and_links_to_folders_are_left_out(dalil: Run, tmp_path: Path) -> None:
    put(tmp_path / "docs" / "a.txt")
    put(tmp_path / "docs" / ".hidden.txt")
    put(tmp_path / "docs" / ".git" / "b.txt")
    (tmp_path / "docs" / "loop").symlink_to(tmp_path / "docs")
    store = ("--store", "docs/kb")
    dalil("add", "docs", *store, "--embedder", "fast", "-q")
    ended = dalil("add", "docs", "docs/kb", "docs/a.txt", *store, "--json")
    assert [line["source"] for line in ended.lines] == ["a.txt"]
    assert dalil("add", "docs/kb", *store).code == 1


def test_pipes_in_a_folder_are_left_out(dalil: Run, tmp_path: Path) -> None:
    put(tmp_path / "docs" / "a.txt")
    os.mkfifo(tmp_path / "docs" / "pipe")
    ended = dalil("add", "docs", "--embedder", "fast", "--json")
    assert [line["source"] for line in ended.lines] == ["docs/a.txt"]


def test_names_of_every_alphabet_and_length(dalil: Run, tmp_path: Path) -> None:
    names = ["عقد العمل.txt", "été 🙂.txt", "a b\tc.txt", "[red]x[/red] :smile:.txt", "x" * 251 + ".txt", "-q.txt"]
    deep = "/".join(["مجلد" * 20] * 4)
    for name in [*names, f"{deep}/ملف.txt"]:
        put(tmp_path / "docs" / name, f"The lamp {name} is green.")
    assert dalil("add", "docs", "--embedder", "fast").code == 0
    assert sorted(sources(dalil)) == sorted(f"docs/{name}" for name in [*names, f"{deep}/ملف.txt"])
    for name in names:
        assert dalil("show", f"docs/{name}", "--json").json["source"] == f"docs/{name}"
    assert "docs/[red]x[/red] :smile:.txt" in dalil("list").out


def test_a_name_that_is_no_unicode_or_would_steer_a_terminal(dalil: Run, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path / "docs") + b"/\xff\xfe.txt")).write_text(TEXT)
    put(tmp_path / "docs" / "a\x1b[31mred\n.txt", "The lamp is red.")
    put(tmp_path / "docs" / "good.txt", "The lamp is blue.")
    ended = dalil("add", "docs", "--embedder", "fast")
    assert ended.code == 0, ended.err
    assert sources(dalil) == ["docs/\\xff\\xfe.txt", "docs/a\x1b[31mred\n.txt", "docs/good.txt"]
    for shown in (ended, dalil("list"), dalil("list", "-q"), dalil("search", "lamp red")):
        assert "\x1b" not in shown.out
        assert "docs/a\\x1b[31mred\\x0a.txt" in shown.out
    assert dalil("rm", "docs/\\xff\\xfe.txt").code == 0


def test_a_document_is_found_by_the_beginning_of_its_id(home: Path, dalil: Run) -> None:
    rows = dalil("list", "--json").json
    for row in rows:
        assert dalil("show", row["document_id"], "--json").json["source"] == row["source"]
        assert dalil("show", row["document_id"][:8], "--json").json["source"] == row["source"]
    ended = dalil("show", "")
    assert ended.code == 1
    assert one_line(ended.err)


def test_an_ambiguous_beginning_is_refused(dalil: Run, tmp_path: Path) -> None:
    for number in range(17):  # more documents than there are hex digits
        put(tmp_path / "docs" / f"{number}.txt", f"Lamp {number}")
    dalil("add", "docs", "--embedder", "fast", "-q")
    first = [row["document_id"][0] for row in dalil("list", "--json").json]
    twice = next(digit for digit in first if first.count(digit) > 1)
    ended = dalil("rm", twice)
    assert ended.code == 1
    assert one_line(ended.err)
    assert len(sources(dalil)) == 17


def test_an_exact_name_wins_over_the_beginning_of_an_id(home: Path, dalil: Run) -> None:
    name = dalil("list", "--json").json[0]["document_id"][:6]
    put(home / name, "The lamp is here.")
    dalil("add", name, "-q")
    assert dalil("show", name, "--json").json["source"] == name


def test_the_same_file_named_twice_is_added_once(dalil: Run, tmp_path: Path) -> None:
    put(tmp_path / "docs" / "a.txt")
    ended = dalil("add", "docs", "docs/a.txt", "./docs/a.txt", "--embedder", "fast", "--json")
    assert [line["status"] for line in ended.lines] == ["added"]
