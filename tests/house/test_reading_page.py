"""What the page on reading shows can be run, and the formats it lists are the ones that are read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from dalil.errors import DocumentError, error_tree
from dalil.parsing.kinds import Format

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reading.md").read_text("utf-8")


def test_the_python_block_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr


def test_every_format_is_in_the_table() -> None:
    named = {"text": "Markdown, text", "markdown": "Markdown", "picture": "PNG", "notebook": "notebooks"}
    table = PAGE.split("## When something is wrong")[0].casefold()
    for kind in Format:
        assert named.get(kind.value, kind.value).casefold() in table, kind


def test_every_code_in_the_page_is_an_error_of_reading() -> None:
    codes = {kind.code for kind in error_tree(DocumentError)}
    named = set(re.findall(r"`(document_\w+)`", PAGE))
    assert named <= codes
    assert {"document_unsupported", "document_encrypted", "document_timeout", "document_needs_ocr"} <= named
