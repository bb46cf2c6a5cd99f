"""Documents for the parsing tests: real ones from a data folder, small ones made on the spot."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dalil.models import ParsedDocument, RawSource
from dalil.parsing import HeuristicBackend

_PROJECT = Path(__file__).resolve().parents[2]

Parse = Callable[..., ParsedDocument]


@pytest.fixture
def parse() -> Parse:
    """Parses bytes or text under a name."""

    def parse_content(content: bytes | str, name: str = "document", **fields: object) -> ParsedDocument:
        return HeuristicBackend().parse(RawSource(name, content=content, **fields))  # type: ignore[arg-type]

    return parse_content


@pytest.fixture
def real() -> Parse:
    """Parses a document of the data folder, or skips the test where the folder is absent."""
    folder = Path(os.environ.get("DALIL_DATA", _PROJECT.parent / "shared" / "data")) / "documents"

    def parse_file(name: str, **fields: object) -> ParsedDocument:
        path = folder / name
        if not path.exists():
            pytest.skip(f"the test document {name} is not here; DALIL_DATA names the folder that holds it")
        return HeuristicBackend().parse(RawSource(name, path=path, **fields))  # type: ignore[arg-type]

    return parse_file


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """Makes a PDF: each page is a list of (x, y, font, size, text)."""

    def make(*pages: list[tuple[float, float, str, float, str]], title: str = "", password: str = "") -> bytes:
        from reportlab.lib.pdfencrypt import StandardEncryption
        from reportlab.pdfgen.canvas import Canvas

        buffer = io.BytesIO()
        encrypt = StandardEncryption(password, strength=128) if password else None
        canvas = Canvas(buffer, encrypt=encrypt)
        canvas.setTitle(title or "untitled")
        for page in pages:
            for x, y, font, size, text in page:
                canvas.setFont(font, size)
                canvas.drawString(x, y, text)
            canvas.showPage()
        canvas.save()
        return buffer.getvalue()

    return make
