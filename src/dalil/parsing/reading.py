"""What a format's reader gives back, before it becomes a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from dalil.models import Page, RawSource
from dalil.parsing.limits import ParsingLimits


@dataclass(frozen=True)
class Reading:
    """The pages of one document, the title it gives itself, and what its reader warns about.

    `metadata` is what the document says of itself; it never overrides what the user says of it.
    """

    pages: tuple[Page, ...]
    title: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class FormatReader(Protocol):
    """The `read` function of a module in `dalil.parsing.formats`."""

    def __call__(self, data: bytes, source: RawSource, limits: ParsingLimits) -> Reading: ...
