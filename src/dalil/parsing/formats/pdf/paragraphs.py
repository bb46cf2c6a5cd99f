"""Lines that belong together: paragraphs, headings, list items."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from dalil.parsing.formats.pdf.captions import is_caption
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.wrapping import edges

BULLET = re.compile(r"[•▪●◦‣∙■□➢✓❖➤►◆○\uf0b7\uf0a7\uf0d8\uf076\uf0fc]\s*(?=\S)")
_MARKER = re.compile(r"(?:\(?(?:[\d٠-٩]{1,3}|[A-Za-z]|[ivx]{1,5}|[أ-ي])[.)]|[\d٠-٩]{1,3}\s?[-–]|[-–*]) ")
_SENTENCE_END = re.compile(r"[.!?؟:;؛…。！？][\"'»”’)\]]*$")
_WIDER_GAP = 1.3
_SIZE_CHANGE = 0.12
_SHORT_LINE = 2.0
_INDENT = (0.8, 5.0)
_LABEL = 0.5
_LOOKED_BACK_AT = 20


def paragraphs(lines: Sequence[Line], stands_alone: Callable[[Line], bool]) -> list[list[Line]]:
    """Lines grouped by what belongs together: near each other, of one size, without a bullet between them.

    `stands_alone` says of a line that it belongs to no other.
    """
    usual = _usual_leading(lines)
    groups: list[list[Line]] = []
    was_alone = False
    for line in lines:
        is_alone = stands_alone(line)
        if groups and not is_alone and not was_alone and _continues(groups[-1], line, usual):
            groups[-1].append(line)
        else:
            groups.append([line])
        was_alone = is_alone
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
    if BULLET.match(line.text) or above.turns != line.turns:
        return False
    size = max(above.size, line.size)
    if abs(above.size - line.size) > _SIZE_CHANGE * size or (above.bold != line.bold and not is_mid_sentence(above)):
        return False
    if above.hyphenated:
        return True
    if is_caption(line.text) and not is_mid_sentence(above):
        return False
    if _MARKER.match(line.text) and (_MARKER.match(group[0].text) or not is_mid_sentence(above)):
        return False
    leading = above.bottom - line.bottom
    if leading <= 0 or leading > 4 * size:
        # The next column, or a piece placed elsewhere: the same paragraph only in the middle of a sentence.
        return is_mid_sentence(above) and line.text[:1].islower()
    if leading > _WIDER_GAP * usual * size:
        return False
    return is_mid_sentence(above) or not _begins_anew(group, line)


def _begins_anew(group: Sequence[Line], line: Line) -> bool:
    """Whether a line after the end of a sentence begins a paragraph: it is indented, a label, or the end came early."""
    above = group[-1]
    least, most = _INDENT
    if least * line.size < edges(line)[0] - edges(above)[0] < most * line.size:
        return True
    if line.text.endswith(":") and line.right - line.left < _LABEL * (above.right - above.left):
        return True
    return (
        len(group) > 1
        and max(edges(part)[1] for part in group[-_LOOKED_BACK_AT:]) - edges(above)[1] > _SHORT_LINE * line.size
    )


def is_mid_sentence(line: Line) -> bool:
    """Whether a line does not end as a sentence does."""
    return not _SENTENCE_END.search(line.text)
