"""Notebooks: prose as it is, code and what it printed as code blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from dalil.parsing.formats.json.values import Members

_LONGEST_OUTPUT = 20_000


def is_notebook(value: object) -> TypeGuard[Members]:
    """Whether a document is a Jupyter notebook of the present format."""
    return isinstance(value, Members) and isinstance(value.first("cells"), list) and value.first("nbformat") is not None


def write_notebook(notebook: Members) -> str:
    """The cells in order. Pictures and long outputs are left out."""
    blocks: list[str] = []
    for cell in notebook.first("cells"):
        if isinstance(cell, Members):
            source = _text(cell.first("source"))
            if cell.first("cell_type") == "code":
                blocks.append(_fenced(source))
                blocks.extend(_fenced(output) for output in _outputs(cell))
            else:
                blocks.append(source.strip("\n"))
    return "\n\n".join(block for block in blocks if block)


def _outputs(cell: Members) -> Iterator[str]:
    outputs = cell.first("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        if isinstance(output, Members):
            shown = output.first("data")
            text = _text(shown.first("text/plain") if isinstance(shown, Members) else output.first("text"))
            if len(text) <= _LONGEST_OUTPUT:
                yield text


def _text(value: object) -> str:
    """Text that is written as one string or as a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _fenced(text: str) -> str:
    return f"```\n{text.strip(chr(10))}\n```" if text.strip() else ""
