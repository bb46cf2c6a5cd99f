"""Reading one page: its characters as lines, its tables, and the order of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pypdfium2

from dalil.parsing.formats.pdf.arabic import arabic_share
from dalil.parsing.formats.pdf.characters import Characters
from dalil.parsing.formats.pdf.content import PageContent, Part, PlacedTable
from dalil.parsing.formats.pdf.hidden import hidden_text
from dalil.parsing.formats.pdf.layout import image_coverage, is_blank, is_scan
from dalil.parsing.formats.pdf.lines import Line, joined_lines, line_ranges, read_line
from dalil.parsing.formats.pdf.order.columns import regions
from dalil.parsing.formats.pdf.order.extents import Extent, extent
from dalil.parsing.formats.pdf.order.sequence import in_sequence
from dalil.parsing.formats.pdf.rows import read_mixed_line, read_rows
from dalil.parsing.formats.pdf.rules import page_rules
from dalil.parsing.formats.pdf.space import PageSpace
from dalil.parsing.formats.pdf.tables import FoundTable, find_tables
from dalil.parsing.formats.pdf.tags import Tags

_ARABIC_PAGE = 0.05
_MOSTLY_ARABIC = 0.5


def read_page(page: pypdfium2.PdfPage, number: int, label: str, tags: Tags | None = None) -> PageContent:
    """Everything on a page, whatever document it stands in. Its headings are taken from `tags` where they are given."""
    space = PageSpace.of(page)
    coverage = image_coverage(page)
    scanned = is_scan(page, coverage)
    textpage = page.get_textpage()
    try:
        characters = Characters(textpage)
        hidden = hidden_text(page, textpage, characters.points, scanned=scanned)
        characters.hide(hidden.characters)
        headings = tags.headings(page, textpage, characters.text) if tags else {}
        arabic = arabic_share(characters.text)
        lines = _lines(characters, space, arabic)
    finally:
        textpage.close()
    upright = _usual_turns(lines, space.turns)
    parts = _in_order(page, space.turned(upright), lines, right_to_left=arabic > _MOSTLY_ARABIC)
    return PageContent(
        width=space.width,
        height=space.height,
        turns=space.turns,
        upright_turns=upright,
        parts=tuple(parts),
        coverage=coverage,
        is_scan=scanned,
        is_blank=not parts and is_blank(page),
        hidden=hidden.warning(number) or "",
        label=label,
        headings=headings,
    )


def _lines(characters: Characters, space: PageSpace, arabic: float) -> list[Line]:
    """The lines of a page in PDFium's order; by glyphs where there is Arabic."""
    if arabic > _ARABIC_PAGE:
        rows = (row.line(characters, page_is_arabic=arabic > _MOSTLY_ARABIC) for row in read_rows(characters, space))
        return [line for line in rows if line]
    lines: list[Line] = []
    for start, end, hyphenated in line_ranges(characters.text):
        if arabic and arabic_share(characters.text[start:end]) > 0:
            line = read_mixed_line(characters, start, end, space)
        else:
            line = read_line(characters, start, end, hyphenated, space)
        if line:
            lines.append(line)
    return lines


def _usual_turns(lines: Sequence[Line], displayed: int) -> int:
    """The quarter turns that set most characters of a page upright."""
    weights: Counter[int] = Counter()
    for line in lines:
        weights[line.turns] += len(line.text)
    return max(weights, key=lambda turns: (weights[turns], turns == displayed), default=displayed)


def _in_order(page: pypdfium2.PdfPage, space: PageSpace, lines: Sequence[Line], *, right_to_left: bool) -> list[Part]:
    """Lines and tables in reading order. Text that stands in another direction comes last."""
    upright = joined_lines(line for line in lines if line.turns == space.turns)
    aside = [line for line in lines if line.turns != space.turns]
    words = [word for line in upright for word in line.words]
    tables = find_tables(words, page_rules(page, space), space.width, space.height)
    parts: list[Part] = [*_without_tables(upright, tables)]
    parts.extend(PlacedTable(table, space.turns) for table in tables)
    places = [_extent(index, part) for index, part in enumerate(parts)]
    ordered: list[Part] = []
    for region in regions(places, right_to_left=right_to_left):
        sequence = in_sequence(region, right_to_left=right_to_left)
        ordered.extend(_joined([_cut(parts[place.number], place) for place in sequence]))
    return [*ordered, *joined_lines(aside)]


def _without_tables(lines: Sequence[Line], tables: Sequence[FoundTable]) -> list[Line]:
    """The lines without the words that stand in tables."""
    taken = {word for table in tables for row in table.rows for cell in row for word in cell.words}
    if not taken:
        return list(lines)
    kept: list[Line] = []
    for line in lines:
        remaining = [word for word in line.words if word not in taken]
        if len(remaining) == len(line.words):
            kept.append(line)
        elif remaining:
            kept.append(line.of_words(remaining))
    return kept


def _extent(index: int, part: Part) -> Extent:
    if isinstance(part, PlacedTable):
        table = part.table
        return extent(index, [(table.left, table.bottom, table.right, table.top)])
    return extent(index, [word[1:] for word in part.words])


def _cut(part: Part, place: Extent) -> Part:
    """The part of a line that stands in a column."""
    if isinstance(part, PlacedTable) or place.is_whole:
        return part
    words = [word for word in part.words if place.cut_left <= (word.left + word.right) / 2 < place.cut_right]
    return part if len(words) == len(part.words) else part.of_words(words)


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Neighbours that are one line, as one."""
    joined: list[Part] = []
    lines: list[Line] = []
    for part in parts:
        if isinstance(part, Line):
            lines.append(part)
        else:
            joined.extend(joined_lines(lines))
            lines = []
            joined.append(part)
    return [*joined, *joined_lines(lines)]
