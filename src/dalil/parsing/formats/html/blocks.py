"""Walking an HTML element and writing what it shows, block by block."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from dalil.parsing.characters import one_line
from dalil.parsing.formats.html.elements import (
    INLINE,
    alternative_text,
    first_number,
    is_line,
    language_of,
    nearest_list,
)
from dalil.parsing.formats.html.root import Skip
from dalil.parsing.formats.html.tables import grid, is_layout, rows_of
from dalil.parsing.formats.html.visibility import SILENT, is_hidden
from dalil.parsing.markup import heading, join_blocks, list_item, table

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_SPACES = re.compile(r"[ \t\n\r]+")
_DEEPEST = 100
_LONGEST_LINE = 120


class BlockWriter:
    """Collects blocks in document order: one string each, already written as Markdown.

    `skip` names elements to leave out besides those that are not shown; `hidden` counts the characters of these.
    """

    def __init__(self, skip: Skip | None = None) -> None:
        self.hidden = 0
        self._skip = skip
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._depth = 0
        self._after_line = -1

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
            self._run_on(node)
        else:
            child = node.child
            while child is not None:
                self._visit(child)
                child = child.next
        self._depth -= 1

    def _run_on(self, node: LexborNode) -> None:
        """The visible text of an element that is nested too deep for its structure to matter."""
        stack = [node.child]
        while stack:
            inner = stack.pop()
            if inner is None:
                continue
            stack.append(inner.next)
            if inner.is_text_node:
                self._inline.append(_SPACES.sub(" ", inner.text_content or ""))
            elif self._is_shown(inner):
                stack.append(inner.child)

    def _visit(self, node: LexborNode) -> None:
        if node.is_text_node:
            self._inline.append(_SPACES.sub(" ", node.text_content or ""))
            return
        tag = node.tag or ""
        if not self._is_shown(node):
            return
        if tag == "br":
            self._inline.append("\n")
        elif tag == "img":
            self._inline.append(alternative_text(node))
        elif tag == "rt":
            self._inline.append(f"({one_line(node.text(deep=True))})")
        elif tag in INLINE:
            self._children(node)
        elif tag == "div" and is_line(node):
            self._flush()
            self._line(node)
        else:
            self._flush()
            self._after_line = -1
            self._block(node, tag)
            self._flush()
            self._after_line = -1

    def _line(self, node: LexborNode) -> None:
        """A box of text. Nothing separates it from the one before: verses and mails are written like this.

        Boxes of long text are paragraphs for all that, and an empty box is an empty line.
        """
        text = "".join(self._nested(node))
        if not text:
            self._after_line = -1
        elif self._after_line == len(self._blocks) and max(len(text), _last_line(self._blocks)) <= _LONGEST_LINE:
            self._blocks[-1] += f"\n{text}"
        else:
            self._blocks.append(text)
            self._after_line = len(self._blocks)

    def _is_shown(self, node: LexborNode) -> bool:
        if not node.is_element_node or node.tag in SILENT:
            return False
        if is_hidden(node):
            self.hidden += len(one_line(node.text(deep=True)))
            return False
        return self._skip is None or not self._skip(node)

    def _block(self, node: LexborNode, tag: str) -> None:
        if tag in _HEADINGS:
            text = one_line(" ".join(self._nested(node)))
            if text:
                self._blocks.append(heading(text, _HEADINGS[tag]))
        elif tag in _LISTS:
            self._blocks.extend(self._list(node, tag))
        elif tag == "pre":
            self._preformatted(node)
        elif tag == "dl":
            self._definitions(node)
        elif tag == "figure":
            self._blocks.append("\n".join(self._nested(node)))
        elif tag == "table":
            self._table(node)
        else:
            self._children(node)

    def _list(self, node: LexborNode, tag: str) -> list[str]:
        """One block for each item; what is nested in an item is indented under it."""
        items: list[str] = []
        number = first_number(node)
        child = node.child
        while child is not None:
            if self._is_shown(child):
                inner = self._nested(child) if child.tag not in _LISTS else self._list(child, child.tag or "")
                text = join_blocks(inner).replace("\n\n", "\n")
                if text.strip():
                    label = f"{number}." if tag == "ol" else "-"
                    items.append(list_item(text, label=label) if child.tag not in _LISTS else _indented(text))
                    number += 1
            child = child.next
        return items

    def _definitions(self, node: LexborNode) -> None:
        """A term and what it means in one item: they are of no use apart."""
        terms: list[str] = []
        for child in node.css("dt, dd"):
            if nearest_list(child) != node or not self._is_shown(child):
                continue
            inner = join_blocks(self._nested(child)).replace("\n\n", "\n")
            if child.tag == "dt":
                terms.append(inner)
            elif inner:
                self._blocks.append(list_item(f"{', '.join(terms)}: {inner}" if terms else inner))
                terms = []
        if terms:
            self._blocks.append(list_item(", ".join(terms)))

    def _preformatted(self, node: LexborNode) -> None:
        text = node.text(deep=True).strip("\n")
        if text.strip():
            fence = "```" if "```" not in text else "~~~~"
            self._blocks.append(f"{fence}{language_of(node)}\n{text}\n{fence}")

    def _table(self, node: LexborNode) -> None:
        rows = rows_of(node, self._is_shown)
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


def _last_line(blocks: list[str]) -> int:
    """The length of the last line of the last block."""
    return len(blocks[-1]) - blocks[-1].rfind("\n") - 1


def _cell_text(blocks: list[str]) -> str:
    """A cell on one line; a table inside it loses its rules, not its words."""
    lines = [line for block in blocks for line in block.split("\n") if not line.startswith("| ---")]
    return one_line(" ".join(line.strip("| ").replace(" | ", " ") for line in lines))


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.split("\n"))
