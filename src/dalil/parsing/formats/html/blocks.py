"""Walking an HTML element and writing what it shows, block by block."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from dalil.parsing.characters import one_line
from dalil.parsing.formats.html.root import BOILERPLATE, SILENT, is_hidden
from dalil.parsing.formats.html.tables import grid, is_layout, rows_of
from dalil.parsing.markup import heading, join_blocks, list_item, table

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
        "label",
        "mark",
        "math",
        "mi",
        "mn",
        "mo",
        "mrow",
        "msup",
        "msub",
        "mfrac",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "nobr",
    ]
)
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_SPACES = re.compile(r"[ \t\n\r]+")
_DEEPEST = 100


class BlockWriter:
    """Collects blocks in document order: one string each, already written as Markdown."""

    def __init__(self, *, keep_boilerplate: bool = False) -> None:
        self._skipped = SILENT if keep_boilerplate else SILENT | BOILERPLATE
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._depth = 0

    def blocks(self, root: LexborNode) -> list[str]:
        """The blocks of everything visible under `root`."""
        self._children(root)
        self._flush()
        return self._blocks

    def _nested(self, node: LexborNode) -> list[str]:
        """The blocks of an element on their own, as for a table cell or a list item."""
        outer = self._blocks, self._inline
        self._blocks, self._inline = [], []
        self._children(node)
        self._flush()
        inner = self._blocks
        self._blocks, self._inline = outer
        return inner

    def _children(self, node: LexborNode) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            self._inline.append(node.text(deep=True))
        else:
            child = node.child
            while child is not None:
                self._visit(child)
                child = child.next
        self._depth -= 1

    def _visit(self, node: LexborNode) -> None:
        if node.is_text_node:
            self._inline.append(_SPACES.sub(" ", node.text_content or ""))
            return
        tag = node.tag or ""
        if not node.is_element_node or tag in self._skipped or is_hidden(node):
            return
        if tag == "br":
            self._inline.append("\n")
        elif tag in _INLINE:
            self._children(node)
        else:
            self._flush()
            self._block(node, tag)
            self._flush()

    def _block(self, node: LexborNode, tag: str) -> None:
        if tag in _HEADINGS:
            text = one_line(" ".join(self._nested(node)))
            if text:
                self._blocks.append(heading(text, _HEADINGS[tag]))
        elif tag in _LISTS:
            self._blocks.extend(self._list(node, tag))
        elif tag == "pre":
            text = node.text(deep=True).strip("\n")
            if text.strip():
                self._blocks.append(f"```\n{text}\n```")
        elif tag == "table":
            self._table(node)
        else:
            self._children(node)

    def _list(self, node: LexborNode, tag: str) -> list[str]:
        """One block for each item; what is nested in an item is indented under it."""
        items: list[str] = []
        number = _start(node)
        child = node.child
        while child is not None:
            if child.is_element_node and child.tag not in self._skipped and not is_hidden(child):
                inner = self._nested(child) if child.tag not in _LISTS else self._list(child, child.tag or "")
                text = join_blocks(inner).replace("\n\n", "\n")
                if text.strip():
                    label = f"{number}." if tag == "ol" else "-"
                    items.append(list_item(text, label=label) if child.tag not in _LISTS else _indented(text))
                    number += 1
            child = child.next
        return items

    def _table(self, node: LexborNode) -> None:
        rows = rows_of(node)
        if is_layout(node, rows):
            for row in rows:
                for cell in row:
                    self._blocks.extend(self._nested(cell))
            return
        caption = node.css_first("caption")
        if caption is not None and one_line(caption.text()):
            self._blocks.append(one_line(caption.text()))
        self._blocks.append(table(grid(rows, lambda cell: _cell_text(self._nested(cell)))))

    def _flush(self) -> None:
        text = "".join(self._inline)
        self._inline.clear()
        lines = [one_line(line) for line in text.split("\n")]
        paragraph = "\n".join(line for line in lines if line)
        if paragraph:
            self._blocks.append(paragraph)


def _cell_text(blocks: list[str]) -> str:
    """A cell on one line; a table inside it loses its rules, not its words."""
    lines = [line for block in blocks for line in block.split("\n") if not line.startswith("| ---")]
    return one_line(" ".join(line.strip("| ").replace(" | ", " ") for line in lines))


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.split("\n"))


def _start(node: LexborNode) -> int:
    value = node.attributes.get("start") or ""
    return int(value) if value.isdigit() and len(value) < 7 else 1
