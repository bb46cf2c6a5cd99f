"""What a document may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass

_MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class ParsingLimits:
    """Upper bounds, most of them checked before the expensive work starts.

    Sizes are bytes. `archive_ratio` bounds uncompressed to compressed size of one member, and counts only for
    members larger than a megabyte, since small XML files compress very well for honest reasons. `nesting` bounds
    how deep elements stand in each other, `attachment_depth` how deep documents do. `image_pixels` bounds pictures
    that are opened, `render_pixels` those that are made of pages. `table_cells` bounds the cells of one table or
    sheet.

    A document is given up when no page of it was finished for `stall_seconds` (and one second more for each megabyte
    of its file), or when it takes `document_seconds` in all. Its reader may use `memory_bytes` and the size of the
    file, and give `output_bytes` of pages and attachments.
    """

    file_bytes: int = 512 * _MEGABYTE
    markup_bytes: int = 64 * _MEGABYTE
    archive_members: int = 10_000
    archive_bytes: int = 512 * _MEGABYTE
    archive_member_bytes: int = 256 * _MEGABYTE
    archive_ratio: float = 200.0
    nesting: int = 500
    pages: int = 20_000
    image_pixels: int = 100_000_000
    render_pixels: int = 12_000_000
    table_cells: int = 2_000_000
    attachments: int = 200
    attachment_depth: int = 3
    stall_seconds: float = 10.0
    document_seconds: float = 900.0
    memory_bytes: int = 900 * _MEGABYTE
    output_bytes: int = 2048 * _MEGABYTE

    def patience(self, file_bytes: int) -> float:
        """How many seconds may pass without a finished page in a document of this size."""
        return self.stall_seconds + file_bytes / _MEGABYTE
