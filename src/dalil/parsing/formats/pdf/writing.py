"""From lines to paragraphs, headings and list items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.margins import PageMargins
from dalil.parsing.formats.pdf.typography import Typography
from dalil.parsing.markup import heading, join_blocks, list_item

_BULLET = re.compile(r"^[•▪●◦‣∙■□➢✓\uf0b7\uf0a7]\s*(?=\S)")
_SENTENCE_END = re.compile(r"[.!?؟:;؛…][\"'»”’)\]]*$")
_WIDER_GAP = 1.3
_SIZE_CHANGE = 0.12
_SHORT_LINE = 2.0


def written(lines: Sequence[Line], typography: Typography, margins: PageMargins) -> str:
    """The text of a page: paragraphs between blank lines, their lines as they stand."""
    blocks: list[str] = []
    position = 0
    for block in paragraphs(lines):
        text = _text(block)
        level = typography.heading_level(block, stands_alone=margins.stands_alone(block, position))
        position += len(block)
        bullet = _BULLET.match(text)
        if bullet:
            blocks.append(list_item(text[bullet.end() :]))
        elif level is not None:
            blocks.append(heading(text, level))
        elif text:
            blocks.append(text)
    return join_blocks(blocks)


def paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines grouped by what belongs together: near each other, of one size, without a bullet between them."""
    usual = _usual_leading(lines)
    groups: list[list[Line]] = []
    for line in lines:
        if groups and _continues(groups[-1], line, usual):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _usual_leading(lines: Sequence[Line]) -> float:
    """The usual distance of baselines on the page, in heights of its type."""
    leadings = [
        (above.bottom - below.bottom) / above.size
        for above, below in pairwise(lines)
        if above.size > 0 and 0 < above.bottom - below.bottom < 2.2 * above.size
    ]
    return median(leadings) if leadings else 1.2


def _continues(group: Sequence[Line], line: Line, usual: float) -> bool:
    above = group[-1]
    if _BULLET.match(line.text):
        return False
    size = max(above.size, line.size)
    if abs(above.size - line.size) > _SIZE_CHANGE * size or (above.bold != line.bold and not _is_mid_sentence(above)):
        return False
    if above.hyphenated:
        return True
    leading = above.bottom - line.bottom
    if leading <= 0 or leading > 4 * size:
        # The next column, or a piece placed elsewhere: the same paragraph only in the middle of a sentence.
        return _is_mid_sentence(above) and line.text[:1].islower()
    if leading > _WIDER_GAP * usual * size:
        return False
    ends_early = max(part.right for part in group) - above.right > _SHORT_LINE * size
    return not (ends_early and len(group) > 1 and _SENTENCE_END.search(above.text))


def _is_mid_sentence(line: Line) -> bool:
    return not _SENTENCE_END.search(line.text)


def _text(block: Sequence[Line]) -> str:
    """The lines of a block; a word broken by a hyphen is whole again."""
    text = ""
    for index, line in enumerate(block):
        text += line.text
        if index + 1 < len(block):
            following = block[index + 1].text
            if line.hyphenated and following[:1].islower():
                continue
            text += "-" if line.hyphenated else "\n"
        elif line.hyphenated:
            text += "-"
    return text
