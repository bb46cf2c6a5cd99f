"""The default chunker: along the document's own structure, never through a sentence or a table row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dalil.chunking.bundles import bundled
from dalil.chunking.cutting import chunk_of, merged
from dalil.chunking.units import Unit, find_units, gap_weight
from dalil.models import Chunk, Document, Page


class StructureChunker:
    """Packs whole sentences and table rows up to the size; a heading begins a new chunk.

    A list, a table or a block of code that fits into a chunk is not parted, nor from its caption or the line that
    introduces it.

    The chunk's metadata holds `headings` (the path above its first sentence) and, for a piece of a table that
    lost its header, `table_header`. Neighbouring chunks of one section share whole sentences.
    """

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """The chunks of `pages` in order; sizes in estimated tokens. Their ids are `<document id>:<ordinal>`."""
        texts = {page.number: page.text for page in pages}
        bundles = bundled(find_units(pages, largest=size), texts)
        return [
            _chunk(document, ordinal, units, texts)
            for ordinal, units in enumerate(_packed(bundles, texts, size, overlap))
        ]


def _packed(bundles: Iterable[list[Unit]], texts: Mapping[int, str], size: int, overlap: int) -> Iterator[list[Unit]]:
    packed: list[Unit] = []
    weight = 0.0
    for bundle in bundles:
        whole = _weight(bundle, texts)
        for position, unit in enumerate(bundle):
            gap = gap_weight(packed[-1], unit, texts) if packed else 0.0
            has_body = any(not other.is_heading for other in packed)
            needed = whole if position == 0 and whole <= size and has_body else unit.weight
            if packed and ((unit.is_heading and has_body) or weight + gap + needed > size):
                yield packed
                packed = [] if unit.is_heading else _tail(packed, texts, min(overlap, size - gap - needed))
                weight = _weight(packed, texts)
            weight += unit.weight + (gap if packed else 0.0)
            packed.append(unit)
    if packed:
        yield packed


def _tail(units: list[Unit], texts: Mapping[int, str], budget: float) -> list[Unit]:
    """The last whole sentences that fit the budget; headings and tables are not repeated."""
    first = len(units)
    while first > 1 and units[first - 1].is_text:
        gap = gap_weight(units[first - 1], units[first], texts) if first < len(units) else 0.0
        budget -= units[first - 1].weight + gap
        if budget < 0:
            break
        first -= 1
    return units[first:]


def _weight(units: Sequence[Unit], texts: Mapping[int, str]) -> float:
    gaps = sum(gap_weight(before, after, texts) for before, after in pairwise(units))
    return gaps + sum(unit.weight for unit in units)


def _chunk(document: Document, ordinal: int, units: list[Unit], texts: Mapping[int, str]) -> Chunk:
    standing: dict[str, Any] = {}
    body = next((unit for unit in units if not unit.is_heading), units[-1])
    if body.headings:
        standing["headings"] = list(body.headings)
    if units[0].table_header and not units[0].opens_table:
        standing["table_header"] = units[0].table_header
    return chunk_of(document, ordinal, merged(span for unit in units for span in unit.spans), texts, standing)
