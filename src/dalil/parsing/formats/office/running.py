"""Which running headers and footers say something."""

from __future__ import annotations

import re

# What is left of "Page 3 of 12" or "صفحة ٣ من ١٢" once numbers and these words are taken away is nothing.
_PAGE_NUMBER = re.compile(r"\b(?:page|pages|of|p|pg|[ivxlc]+|صفحة|الصفحة|من)\b|[\W\d_]", re.I)


def says_something(text: str) -> bool:
    """Whether a running text is more than a page number."""
    return bool(_PAGE_NUMBER.sub("", text))
