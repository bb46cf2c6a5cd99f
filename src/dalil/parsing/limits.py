"""What a document may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass

_MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class ParsingLimits:
    """Upper bounds that are checked before the expensive work starts.

    Sizes are bytes. `archive_ratio` bounds uncompressed to compressed size of one member, and counts only for
    members larger than a megabyte, since small XML files compress very well for honest reasons.
    """

    file_bytes: int = 512 * _MEGABYTE
    markup_bytes: int = 64 * _MEGABYTE
    archive_members: int = 10_000
    archive_bytes: int = 512 * _MEGABYTE
    archive_ratio: float = 200.0
