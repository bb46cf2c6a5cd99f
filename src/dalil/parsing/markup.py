"""Writing structure as Markdown-like plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dalil.parsing.characters import one_line

_DEEPEST_HEADING = 6
_LIST_ITEM = re.compile(r" *(?:-|\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlcIVXLC]{1,6})[.)]) ")


def heading(text: str, level: int) -> str:
    """A heading line: `## Text`. Levels below the sixth are written as the sixth."""
    return f"{'#' * max(1, min(level, _DEEPEST_HEADING))} {one_line(text)}"


def list_item(text: str, *, label: str = "-", depth: int = 0) -> str:
    """A list item: `- text` or `1. text`, two spaces of indent for each level of nesting."""
    indent = "  " * depth
    first, *rest = text.strip("\n").split("\n")
    hanging = indent + " " * (len(label) + 1)
    return "\n".join([f"{indent}{label} {first}", *(hanging + line for line in rest)])


def table(rows: Sequence[Sequence[str]]) -> str:
    """A pipe table whose first row is the header. Ragged rows are filled up; an empty table is an empty string."""
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    lines = [_row([*row, *[""] * (width - len(row))]) for row in rows]
    lines.insert(1, _row(["---"] * width))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def join_blocks(blocks: Sequence[str]) -> str:
    """Blocks separated by blank lines; neighbouring list items stay together."""
    parts: list[str] = []
    previous = ""
    for block in blocks:
        if not block.strip():
            continue
        if parts:
            parts.append("\n" if is_list_item(block) and is_list_item(previous) else "\n\n")
        parts.append(block)
        previous = block
    return "".join(parts)


def is_list_item(block: str) -> bool:
    """Whether a block is a list item as `list_item` writes it."""
    return bool(_LIST_ITEM.match(block))
