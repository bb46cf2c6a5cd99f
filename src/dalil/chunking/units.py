"""What a chunk is packed from: sentences, table rows, code lines and headings, none of which is ever cut in two."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from dalil.chunking.blocks import Block, Kind, find_lists, lines_of, table_rows
from dalil.chunking.cutting import fitting
from dalil.chunking.outline import headed_blocks
from dalil.models import Page, Span
from dalil.text import runs_on, split_sentences, token_weight


@dataclass(frozen=True)
class Unit:
    """The smallest piece: its place (more than one span for a sentence that runs over a page), its size in
    unrounded tokens, and where it stands.

    Units of the same number `together`, above 0, stand together: rows of a table, items of a list, lines of code.
    `headings` is the path above it. `table_header` is the header of the table whose row it is (empty elsewhere),
    and `opens_table` says that it belongs to that header itself.
    """

    spans: tuple[Span, ...]
    weight: float
    headings: tuple[str, ...]
    is_heading: bool = False
    is_text: bool = False
    table_header: str = ""
    opens_table: bool = False
    together: int = 0


def find_units(pages: Sequence[Page], *, largest: int) -> Iterator[Unit]:
    """The units of a document in order. Headings carry over from page to page.

    A sentence of more than `largest` estimated tokens is cut at its last comma or space that fits.
    """
    texts = {page.number: page.text for page in pages}
    waiting: Unit | None = None
    numbers = count(1)
    for page, block, headings in headed_blocks(pages):
        for unit in _block_units(page, block, headings, largest, numbers):
            if waiting is not None:
                joined = _joined(waiting, unit, texts, largest)
                if joined is not None:
                    waiting = joined
                    continue
                yield waiting
            waiting = unit
    if waiting is not None:
        yield waiting


def gap_weight(before: Unit, after: Unit, texts: Mapping[int, str]) -> float:
    """The weight of what stands between two neighbours when one chunk holds both."""
    first, second = before.spans[-1], after.spans[0]
    between = texts[first.page][first.end : second.start] if first.page == second.page else "\n"
    return token_weight(between)


def _joined(before: Unit, after: Unit, texts: Mapping[int, str], largest: int) -> Unit | None:
    first, second = before.spans[-1], after.spans[0]
    if first.page == second.page or not (before.is_text and after.is_text):
        return None
    if not runs_on(texts[first.page][first.start : first.end], texts[second.page][second.start : second.end]):
        return None
    weight = before.weight + gap_weight(before, after, texts) + after.weight
    if weight > largest:
        return None
    return Unit(before.spans + after.spans, weight, before.headings, is_text=True)


def _block_units(
    page: Page, block: Block, headings: tuple[str, ...], largest: int, numbers: Iterator[int]
) -> Iterator[Unit]:
    if block.kind is Kind.HEADING:
        yield _unit(page, block.start, block.end, headings, is_heading=True)
    elif block.kind is Kind.TABLE:
        together = next(numbers)
        yield from (replace(unit, together=together) for unit in _table_units(page, block, headings))
    elif block.kind is Kind.CODE:
        together = next(numbers)
        yield from (replace(unit, together=together) for unit in _code_units(page, block, headings, largest))
    else:
        yield from _text_units(page, block, headings, largest, numbers)


def _table_units(page: Page, block: Block, headings: tuple[str, ...]) -> Iterator[Unit]:
    rows, header_rows = table_rows(page.text, block)
    header = page.text[rows[0][0] : rows[header_rows - 1][1]] if header_rows else ""
    for position, (start, end) in enumerate(rows):
        yield _unit(page, start, end, headings, table_header=header, opens_table=position < header_rows)


def _code_units(page: Page, block: Block, headings: tuple[str, ...], largest: int) -> Iterator[Unit]:
    """The whole block where it fits, its lines elsewhere."""
    body = page.text[block.start : block.end]
    lines = [(0, len(body))] if token_weight(body) <= largest else lines_of(body)
    for start, end in lines:
        for first, last in fitting(body, start, end, largest):
            if body[first:last].strip():
                yield _unit(page, block.start + first, block.start + last, headings)


def _text_units(
    page: Page, block: Block, headings: tuple[str, ...], largest: int, numbers: Iterator[int]
) -> Iterator[Unit]:
    body = page.text[block.start : block.end]
    places = find_lists(body)
    lists = [(end, next(numbers)) for _, end in places]
    starts = [start for start, _ in places]
    for start, end in split_sentences(body):
        position = bisect_right(starts, start) - 1
        together = lists[position][1] if position >= 0 and start < lists[position][0] else 0
        for first, last in fitting(body, start, end, largest):
            unit = _unit(page, block.start + first, block.start + last, headings, is_text=True)
            yield replace(unit, together=together)


def _unit(
    page: Page,
    start: int,
    end: int,
    headings: tuple[str, ...],
    *,
    is_heading: bool = False,
    is_text: bool = False,
    table_header: str = "",
    opens_table: bool = False,
) -> Unit:
    return Unit(
        (Span(page.number, start, end),),
        token_weight(page.text[start:end]),
        headings,
        is_heading,
        is_text,
        table_header,
        opens_table,
    )
