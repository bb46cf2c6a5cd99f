"""Tables as Markdown that knows where its words stand."""

from __future__ import annotations

from dalil.parsing.formats.pdf.blocks import Block, WrittenWord
from dalil.parsing.formats.pdf.tables.models import Cell, FoundTable
from dalil.parsing.markup import table


def table_block(found: FoundTable, turns: int) -> Block:
    """A table whose first row is the header, as `dalil.parsing.markup.table` writes it."""
    rows = [row for row in found.rows if any(cell.text.strip() for cell in row)]
    block = Block(table([[cell.text for cell in row] for row in rows]))
    lines = block.text.split("\n")
    start = 0
    for number, line in enumerate(lines):
        if number != 1:
            _note(block, start, rows[number - (number > 1)], turns)
        start += len(line) + 1
    return block


def _note(block: Block, start: int, row: list[Cell], turns: int) -> None:
    """Notes the words of the row that is written from `start` on, cell after cell."""
    for cell in row:
        start = block.text.index("| ", start) + 2
        end = start + len(cell.text) + cell.text.count("|")
        for word in cell.words:
            text = word.text.replace("|", "\\|")
            found = block.text.find(text, start, end)
            if found >= 0:
                start = found + len(text)
                block.words.append(WrittenWord(found, start, word, turns))
        start = end
