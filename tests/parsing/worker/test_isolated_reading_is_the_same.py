"""Reading in a worker and reading here give equal documents."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dalil.errors import DocumentError
from dalil.models import ParsedDocument, RawSource
from dalil.parsing import HeuristicBackend

_FOLDER = Path(os.environ.get("DALIL_DATA", Path(__file__).parents[4] / "shared" / "data")) / "documents"
_REAL = sorted(path.name for path in _FOLDER.glob("*")) if _FOLDER.exists() else []


def outcome(source: RawSource, *, isolated: bool) -> ParsedDocument | tuple[type, str, str, dict[str, object]]:
    try:
        return HeuristicBackend(isolated=isolated).parse(source)
    except DocumentError as error:
        return type(error), error.message, error.what_to_do, error.details


@pytest.mark.skipif(not _REAL, reason="the test documents are not here; DALIL_DATA names the folder that holds them")
@pytest.mark.parametrize("name", _REAL or ["none"])
def test_a_real_document(name):
    source = RawSource(name, path=_FOLDER / name, metadata={"team": "legal"})
    assert outcome(source, isolated=True) == outcome(source, isolated=False)


def test_a_locked_document_and_its_password():
    path = _FOLDER / "r6-user-password.pdf"
    if not path.exists():
        pytest.skip("the test document is not here; DALIL_DATA names the folder that holds it")
    for password in (None, "wrong", "asdfzxcv"):
        source = RawSource(path.name, path=path, password=password)
        assert outcome(source, isolated=True) == outcome(source, isolated=False)


@pytest.mark.parametrize("content", ["", "plain", "# Title\n\ntext", "x" * 200_000, "a\ud800b", "a,b,c\n1,2,3\n"])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a"])
def test_text(content, name):
    source = RawSource(name, content=content)
    assert outcome(source, isolated=True) == outcome(source, isolated=False)
