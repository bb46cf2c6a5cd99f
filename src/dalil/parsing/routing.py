"""Which pages are read from their text and which from their picture."""

from __future__ import annotations

from dalil.models import Page, PageRoute


class LayoutPageClassifier:
    """Routes a page by its layout: a page whose text can be used is never read from its picture.

    `min_text_chars` characters are a text layer worth reading, if images cover less than `scan_area_ratio` of
    the page. `hidden_text_chars` characters are worth reading even over a full-page scan: that is the layer a
    scanner's OCR left behind. What remains is a picture if images cover `scan_area_ratio` of the page, its bitmaps
    hold `min_bitmap_area` square points, or its reader gave a picture of it: then something is drawn there that is
    neither text nor image, as letters in outlines are.
    """

    def __init__(
        self,
        *,
        min_text_chars: int = 24,
        hidden_text_chars: int = 200,
        scan_area_ratio: float = 0.5,
        min_bitmap_area: float = 50_000,
    ) -> None:
        self._min_text_chars = min_text_chars
        self._hidden_text_chars = hidden_text_chars
        self._scan_area_ratio = scan_area_ratio
        self._min_bitmap_area = min_bitmap_area

    def classify(self, page: Page) -> PageRoute:
        """TEXT or VISION; a page without layout is TEXT unless it has an image and no text."""
        layout = page.layout
        if layout is None:
            pictured = page.image is not None and not page.text.strip()
            return PageRoute.VISION if pictured else PageRoute.TEXT
        covered = layout.image_area_ratio >= self._scan_area_ratio
        if layout.text_chars >= self._min_text_chars and not covered:
            return PageRoute.TEXT
        if layout.text_chars >= self._hidden_text_chars:
            return PageRoute.TEXT
        if covered or layout.bitmap_area >= self._min_bitmap_area or page.image is not None:
            return PageRoute.VISION
        return PageRoute.TEXT
