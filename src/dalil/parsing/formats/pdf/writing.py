"""The text of a page: its paragraphs, headings, list items and tables as Markdown, and where their words went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dalil.parsing.formats.pdf.blocks import Block
from dalil.parsing.formats.pdf.content import Part, PlacedTable
from dalil.parsing.formats.pdf.headings import PageHeadings
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.paragraphs import BULLET, paragraphs
from dalil.parsing.formats.pdf.table_writing import table_block
from dalil.parsing.formats.pdf.unspaced import is_unspaced
from dalil.parsing.formats.pdf.vocabulary import Vocabulary
from dalil.parsing.formats.pdf.wrapping import Wrapping
from dalil.parsing.markup import is_list_item

_DEEPEST_HEADING = 6


def written(parts: Sequence[Part], headings: PageHeadings, vocabulary: Vocabulary) -> Block:
    """The text of a page: blocks between blank lines; a line stays a line unless it ends because it was full."""
    page = Block()
    previous = ""
    for block in _blocks(parts, headings, vocabulary):
        if not block.text.strip():
            continue
        separator = "\n" if is_list_item(block.text) and is_list_item(previous) else "\n\n"
        page.append(block, separator if page.text else "")
        previous = block.text
    return page


def _blocks(parts: Sequence[Part], headings: PageHeadings, vocabulary: Vocabulary) -> Iterator[Block]:
    lines = [part for part in parts if isinstance(part, Line)]
    wrapping = Wrapping(lines)
    position = start = 0
    for end in [*(place for place, part in enumerate(parts) if isinstance(part, PlacedTable)), len(parts)]:
        stretch = [part for part in parts[start:end] if isinstance(part, Line)]
        for block in paragraphs(stretch, headings.is_named):
            yield _block(block, headings.level(block, position), wrapping, vocabulary)
            position += len(block)
        if end < len(parts):
            part = parts[end]
            assert isinstance(part, PlacedTable)
            yield table_block(part.table, part.turns)
        start = end + 1


def _block(lines: Sequence[Line], level: int | None, wrapping: Wrapping, vocabulary: Vocabulary) -> Block:
    block = Block()
    bullet = BULLET.match(lines[0].text)
    skipped = bullet.end() if bullet else 0
    if bullet:
        block.add("- ")
    elif level is not None:
        block.add("#" * max(1, min(level, _DEEPEST_HEADING)) + " ")
    full = wrapping.full_lines(lines)
    for index, line in enumerate(lines):
        block.add_line(line, skipped=skipped if index == 0 else 0)
        following = lines[index + 1] if index + 1 < len(lines) else None
        if following is None:
            block.add("-" if line.hyphenated else "")
        elif line.hyphenated:
            block.add("" if vocabulary.is_broken(line.words[-1].text, following.words[0].text) else "-")
        elif level is not None or full[index]:
            block.add("" if _goes_on_at_once(line.text, following.text) else " ")
        else:
            block.add("\n  " if bullet else "\n")
    return block


def _goes_on_at_once(before: str, after: str) -> bool:
    """Whether no space parts two lines: after a hyphen inside a word or number, or in scripts without spaces."""
    if before[-1] == "-":
        return before[-2:-1].isalnum() and after[0].isalnum()
    return is_unspaced(before[-1]) and is_unspaced(after[0])
