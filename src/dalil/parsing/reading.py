"""What a format's reader gives back, before it becomes a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dalil.models import Page, RawSource
from dalil.parsing.limits import ParsingLimits

READING_VERSION = "2"
"""Another one where the same bytes give other pages than before, so that cached pages are not used any more."""


@dataclass(frozen=True)
class Reading:
    """The pages of one document, the title it gives itself, and what its reader warns about.

    `pages` may be made while they are iterated, once; `warnings` are complete when the last page has been taken. A
    reader that goes through all pages before it can give the first says so by `progress.page_looked_at`.
    `metadata` is what the document says of itself; it never overrides what the user says of it. `attachments` are
    documents of their own that it carries, with their bytes; their names are relative to it ("report.pdf").
    """

    pages: Iterable[Page]
    title: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    attachments: Sequence[RawSource] = ()


class FormatReader(Protocol):
    """The `read` function of a module in `dalil.parsing.formats`."""

    def __call__(self, data: bytes, source: RawSource, limits: ParsingLimits) -> Reading: ...
