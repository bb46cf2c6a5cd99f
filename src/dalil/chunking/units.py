"""What a chunk is packed from: sentences, table rows, code lines and headings, none of which is ever cut in two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dalil.chunking.blocks import Block, Kind, table_rows
from dalil.chunking.cutting import fitting
from dalil.chunking.outline import headed_blocks
from dalil.models import Page, Span
from dalil.text import runs_on, split_sentences, token_weight


@dataclass(frozen=True)
class Unit:
    """The smallest piece: its place (more than one span for a sentence that runs over a page), its size in
    unrounded tokens, and where it stands.

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


def find_units(pages: Sequence[Page], *, largest: int) -> Iterator[Unit]:
    """The units of a document in order. Headings carry over from page to page.

    A sentence of more than `largest` estimated tokens is cut at its last comma or space that fits.
    """
    texts = {page.number: page.text for page in pages}
    waiting: Unit | None = None
    for page, block, headings in headed_blocks(pages):
        for unit in _block_units(page, block, headings, largest):
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


def _block_units(page: Page, block: Block, headings: tuple[str, ...], largest: int) -> Iterator[Unit]:
    if block.kind is Kind.HEADING:
        yield _unit(page, block.start, block.end, headings, is_heading=True)
    elif block.kind is Kind.TABLE:
        yield from _table_units(page, block, headings)
    else:
        yield from _text_units(page, block, headings, largest)


def _table_units(page: Page, block: Block, headings: tuple[str, ...]) -> Iterator[Unit]:
    rows, header_rows = table_rows(page.text, block)
    header = page.text[rows[0][0] : rows[header_rows - 1][1]] if header_rows else ""
    for position, (start, end) in enumerate(rows):
        yield _unit(page, start, end, headings, table_header=header, opens_table=position < header_rows)


def _text_units(page: Page, block: Block, headings: tuple[str, ...], largest: int) -> Iterator[Unit]:
    body = page.text[block.start : block.end]
    is_code = block.kind is Kind.CODE
    pieces = [(0, len(body))] if is_code else split_sentences(body)
    for start, end in pieces:
        for first, last in fitting(body, start, end, largest):
            yield _unit(page, block.start + first, block.start + last, headings, is_text=not is_code)


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
