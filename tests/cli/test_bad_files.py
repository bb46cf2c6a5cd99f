"""A bad file is named with its reason, stops nothing else, and never costs what was there before."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from .conftest import Run, as_process, bound_by_permissions, one_line


def locked_pdf() -> bytes:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, encrypt=StandardEncryption("secret", strength=128))
    canvas.drawString(72, 720, "The lamp is secret.")
    canvas.save()
    return buffer.getvalue()


def open_pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.drawString(72, 720, "The lamp is here.")
    canvas.save()
    return buffer.getvalue()


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("anything.bin", b"x" * 500)
    return buffer.getvalue()


BAD = {
    "empty.txt": (lambda: b"", "document_empty"),
    "blank.txt": (lambda: b" \n\t\r\n ", "document_empty"),
    "nuls.txt": (lambda: b"\0" * 4000, "document_empty"),
    "binary.txt": (lambda: bytes(range(256)) * 20, "document_unsupported"),
    "picture.txt": (lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 200, "document_corrupt"),
    "not-really.pdf": (lambda: bytes(range(256)) * 20, "document_corrupt"),
    "not-really.docx": (archive, "document_"),
    "cut.pdf": (lambda: open_pdf()[:300], "document_corrupt"),
    "locked.pdf": (locked_pdf, "document_encrypted"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_fails_alone_and_leaves_its_older_version(home: Path, dalil: Run, name: str) -> None:
    make, code = BAD[name]
    (home / "docs" / name).write_text(f"Once {name} spoke of a violet lamp.")
    assert dalil("add", "docs", "-q").code == 0
    before = dalil("show", f"docs/{name}", "--json").json
    (home / "docs" / name).write_bytes(make())
    (home / "docs" / "zz-good.txt").write_text("The bridge is blue.")
    ended = dalil("add", "docs", "--json")
    lines = {line["source"]: line for line in ended.lines}
    assert ended.code == 1
    assert ended.err == ""
    assert lines[f"docs/{name}"]["status"] == "failed"
    assert lines[f"docs/{name}"]["error"].rpartition(" ")[2].startswith(f"[{code}")
    assert name in lines[f"docs/{name}"]["error"]
    assert lines["docs/zz-good.txt"]["status"] == "added"
    assert dalil("show", f"docs/{name}", "--json").json == before
    assert dalil("search", "violet lamp", "--words", "--json").json[0]["source"] == f"docs/{name}"


def test_a_name_that_promises_another_format_is_read_by_its_content(dalil: Run, tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_bytes(open_pdf())
    assert dalil("add", "report.txt", "--embedder", "fast").code == 0
    assert "The lamp is here." in dalil("show", "report.txt", "-q").out


def test_a_folder_without_readable_files(dalil: Run, tmp_path: Path) -> None:
    (tmp_path / "docs" / "deeper").mkdir(parents=True)
    (tmp_path / "docs" / ".hidden").touch()
    ended = dalil("add", "docs")
    assert (ended.code, ended.out) == (1, "")
    assert one_line(ended.err)
    assert not (tmp_path / ".dalil").exists()


def test_what_is_not_there_is_named_and_the_rest_is_added(home: Path, dalil: Run) -> None:
    (home / "good.txt").write_text("The bridge is blue.")
    (home / "dangling.txt").symlink_to("nowhere.txt")
    ended = dalil("add", "missing.txt", "good.txt", "dangling.txt", "n" * 300, "--json")
    assert ended.code == 1
    statuses = {line["source"]: line["status"] for line in ended.lines}
    assert statuses == {"missing.txt": "failed", "good.txt": "added", "dangling.txt": "failed", "n" * 300: "failed"}


def test_unreadable_files_and_folders_are_named_with_their_reason(home: Path) -> None:
    before = bound_by_permissions()
    closed_file, closed_folder = home / "docs" / "closed.txt", home / "docs" / "closed"
    closed_file.write_text("The lamp is secret.")
    closed_folder.mkdir()
    (closed_folder / "inside.txt").write_text("The lamp is hidden.")
    closed_file.chmod(0)
    closed_folder.chmod(0)
    try:
        ended = as_process("add", "docs", "--json", cwd=home, before=before)
    finally:
        closed_folder.chmod(0o700)
    assert ended.code == 1
    failed = {line["source"]: line["error"] for line in ended.lines if line["status"] == "failed"}
    assert list(failed) == ["docs/closed.txt", "docs/closed"]
    assert all("Permission denied" in reason for reason in failed.values())


@pytest.mark.parametrize(
    "content",
    [
        b"The lamp\0 is green\0.",
        "The lamp is \ud800green.".encode("utf-8", "surrogatepass"),
        b"\xef\xbb\xbfThe lamp is green.",
        "The lamp is green.".encode("utf-16"),
    ],
    ids=["nuls", "lone surrogates", "byte order mark", "utf-16"],
)
def test_odd_characters_in_a_text_do_no_harm(dalil: Run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.txt").write_bytes(content)
    assert dalil("add", "odd.txt", "--embedder", "fast").code == 0
    assert dalil("show", "odd.txt", "-q").out == "The lamp is green.\n"
    answer = dalil("ask", "What colour is the lamp?", "--json").json
    assert all(citation["verified"] for citation in answer["citations"])


def test_a_file_that_goes_away_meanwhile_is_a_failed_document(home: Path, dalil: Run) -> None:
    os.remove(home / "docs" / "tower.txt")
    (home / "docs" / "tower.txt").symlink_to(home / "docs" / "tower.txt")  # a loop
    ended = dalil("add", "docs", "--json")
    assert ended.code == 1
    assert len(dalil("list", "--json").json) == 2
