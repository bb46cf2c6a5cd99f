"""Captions of figures and tables."""

from __future__ import annotations

import re

_CAPTION = re.compile(
    r"(?:(?:Figure|Fig\.|Table|Exhibit|Chart|Plate|Scheme|Listing|Algorithm)\s+[\dA-Z][\d.\-A-Z]*\s*[:.)\-–—|]"
    r"|(?:Figure|Fig\.|Table)\s+\d[\d.\-]*\s*$"
    r"|(?:شكل|الشكل|جدول|الجدول|رسم|خريطة)\s+(?:رقم\s*)?\(?[\d٠-٩]+)",
)


def is_caption(text: str) -> bool:
    """Whether a block begins like the caption of a figure or a table: "Figure 3:", "جدول (2)"."""
    return bool(_CAPTION.match(text))
