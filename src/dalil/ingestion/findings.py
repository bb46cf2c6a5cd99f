"""What is found out about the pages of one document while they are read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from dalil.errors import DalilError, LLMError

_NEEDS_OCR = "needs OCR"
_PAGE = re.compile(r"page (\d+) ")


class Findings:
    """Warnings, its reader's and those that come; what failed; how many pictures of pages were looked at."""

    def __init__(self, warnings: Iterable[str]) -> None:
        self.pictures = 0
        self.model_failures: list[LLMError] = []
        self.failures: list[DalilError] = []
        self.engines: set[str] = set()
        self._warnings: defaultdict[int, list[str]] = defaultdict(list)  # 0: of the whole document
        for warning in warnings:
            found = _PAGE.match(warning)
            self._warnings[int(found[1]) if found else 0].append(warning)

    def warn(self, page: int, what: str) -> None:
        """Warn about one page."""
        self._warnings[page].append(f"page {page} {what}")

    def note(self, warnings: Iterable[str]) -> None:
        """What holds of the whole document is told once."""
        self._warnings[0] += [warning for warning in warnings if warning not in self._warnings[0]]

    def is_warned_of(self, page: int) -> bool:
        """Whether a warning names the page."""
        return bool(self._warnings.get(page))

    def settle(self, page: int) -> None:
        """The page was said to need OCR, and had it."""
        self._warnings[page] = [warning for warning in self._warnings[page] if not warning.endswith(_NEEDS_OCR)]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What concerns the whole document, then what concerns each page, in their order."""
        return tuple(warning for page in sorted(self._warnings) for warning in self._warnings[page])
