"""`--password` opens locked documents and is never shown."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from .conftest import Run, one_line
from .test_bad_files import locked_pdf

PASSWORD = "secret"
REAL = Path(os.environ.get("DALIL_DATA", Path(__file__).parents[3] / "shared" / "data")) / "documents"


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    path = tmp_path / "locked.pdf"
    path.write_bytes(locked_pdf())
    return path


def test_a_locked_document_is_opened(locked: Path, dalil: Run) -> None:
    ended = dalil("add", "locked.pdf", "--embedder", "fast", "--password", PASSWORD)
    assert ended.code == 0
    assert PASSWORD not in ended.out + ended.err
    assert "The lamp is secret." in dalil("show", "locked.pdf", "-q").out


def test_it_can_come_from_stdin(locked: Path, dalil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\nmore\n"))
    assert dalil("add", "locked.pdf", "--embedder", "fast", "--password", "-").code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    ended = dalil("show", "locked.pdf", "--page", "1", "--png", "page.png", "--password", "-")
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("json", [(), ("--json",), ("-q",)])
def test_a_wrong_one_is_told_but_not_shown(locked: Path, dalil: Run, json: tuple[str, ...]) -> None:
    ended = dalil("add", "locked.pdf", "--embedder", "fast", "--password", "wrong-hunter2", *json)
    assert ended.code == 1
    assert "password" in ended.out + ended.err
    assert "hunter2" not in ended.out + ended.err
    assert dalil("add", "locked.pdf", "--embedder", "fast").code == 1


def test_none_at_all_is_a_mistake(locked: Path, dalil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for given in ("", "-"):
        ended = dalil("add", "locked.pdf", "--embedder", "fast", "--password", given)
        assert ended.code == 2
        assert one_line(ended.err)


def test_documents_without_one_do_not_mind(dalil: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A lamp.")
    assert dalil("add", "a.txt", "--embedder", "fast", "--password", PASSWORD).code == 0


@pytest.mark.skipif(not REAL.exists(), reason="the test documents are not here; DALIL_DATA names their folder")
def test_a_real_one(dalil: Run) -> None:
    name = str(REAL / "r6-user-password.pdf")
    assert dalil("add", name, "--embedder", "fast").code == 1
    assert dalil("add", name, "--embedder", "fast", "--password", "asdfzxcv").code == 0
    assert dalil("search", "encryption", "--words", "--json").json[0]["text"].startswith("pdf encryption test")
