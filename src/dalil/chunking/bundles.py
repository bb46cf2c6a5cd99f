"""What a chunk should not part where it can hold it whole: lists, code, tables, and what introduces them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dalil.chunking.units import Unit

_CAPTION = re.compile(
    r"\s*[*_]{0,3}(?:table|tab\.|figure|fig\.|chart|exhibit|الجدول|جدول|الشكل|شكل|الرسم|رسم)\s*"
    r"(?:[(\[]?[\dIVXivx\u0660-\u0669\u06f0-\u06f9])",
    re.I,
)
_PICTURE = re.compile(r"\s*!\[")
_LONGEST_CAPTION = 300


def bundled(units: Iterable[Unit], texts: Mapping[int, str]) -> Iterator[list[Unit]]:
    """The units in order, in groups that stand together; most groups are one unit.

    A list, a table or a block of code stands with the line before it that ends in a colon, and with its caption
    before or after it; a picture stands with its caption.
    """
    held: list[Unit] = []
    for unit in units:
        if held and _goes_with(held, unit, texts):
            held.append(unit)
            continue
        if held:
            yield held
        held = [unit]
    if held:
        yield held


def _goes_with(held: list[Unit], unit: Unit, texts: Mapping[int, str]) -> bool:
    last = held[-1]
    if last.is_heading or unit.is_heading:
        return False
    if last.together and last.together == unit.together:
        return True
    before, after = _text(last, texts), _text(unit, texts)
    if unit.together and not last.together:
        return before.rstrip().endswith((":", "：")) or _is_caption(before)
    if _is_caption(after) and not unit.together:
        return bool(last.together) or bool(_PICTURE.match(before))
    return False


def _text(unit: Unit, texts: Mapping[int, str]) -> str:
    span = unit.spans[-1]
    return texts[span.page][span.start : span.end]


def _is_caption(text: str) -> bool:
    return len(text) <= _LONGEST_CAPTION and bool(_CAPTION.match(text))
