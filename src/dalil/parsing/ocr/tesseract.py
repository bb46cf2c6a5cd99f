"""The `tesseract` program as a recogniser."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Sequence
from functools import cached_property

from dalil.errors import NeedsOCRError
from dalil.models import PageImage, RecognizedText
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.ocr.program import run
from dalil.parsing.ocr.table import words_of
from dalil.parsing.ocr.writing import recognized
from dalil.text.languages import detect_language

_ENGINE = "tesseract"
_WANTED = ("ara", "eng")
_ORIENTATION = "osd"
_LIST_SECONDS = 10.0
_MOST_OUTPUT = 16 * 1024 * 1024
_INSTALL = {
    "ara": "apt-get install tesseract-ocr-ara (macOS: brew install tesseract-lang)",
    "eng": "apt-get install tesseract-ocr-eng",
    _ORIENTATION: "apt-get install tesseract-ocr-osd",
}
_WITHOUT = {
    "ara": "Arabic pages are read wrongly",
    "eng": "English pages are read badly",
    _ORIENTATION: "pages that lie on their side are not turned",
}
_DIGIT = re.compile(r"\d")


class TesseractRecognizer:
    """Reads pictures of pages with Tesseract: Arabic and English, whichever way the page is turned.

    Each page is a process of its own with one thread, killed after `page_seconds`; `at_once` of them run at a time
    (by default one for each processor), however many threads ask. Languages are those of `languages` that are
    installed, or any other that is when none of them is.
    """

    def __init__(
        self,
        program: str = "tesseract",
        *,
        languages: Sequence[str] = _WANTED,
        at_once: int | None = None,
        page_seconds: float = 120.0,
        limits: ParsingLimits | None = None,
    ):
        self.at_once = at_once or os.cpu_count() or 1
        self._program = program
        self._wanted = tuple(languages)
        self._page_seconds = page_seconds
        self._limits = limits or ParsingLimits()
        self._free = threading.BoundedSemaphore(self.at_once)

    @classmethod
    def found(cls, limits: ParsingLimits | None = None) -> TesseractRecognizer | None:
        """The recogniser, where the program is installed. Nothing is started until a page is read."""
        program = shutil.which("tesseract")
        return None if program is None else cls(program, limits=limits)

    @cached_property
    def installed(self) -> frozenset[str]:
        """The languages that the program has data for."""
        listed = run([self._program, "--list-langs"], b"", seconds=_LIST_SECONDS, most_bytes=_MOST_OUTPUT)
        return frozenset(line.strip() for line in listed.decode("utf-8", "replace").splitlines()[1:] if line.strip())

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that pages are read in."""
        wanted = tuple(language for language in self._wanted if language in self.installed)
        return wanted or tuple(sorted(self.installed - {_ORIENTATION}))

    def recognize(self, image: PageImage) -> RecognizedText:
        """The text of a picture whose bytes are at hand; empty when it shows none.

        Raises:
            NeedsOCRError: the program has no language to read in.
            DocumentTooLargeError: the picture has more pixels than the limits allow.
            CorruptDocumentError: it is no picture.
            DocumentTimeoutError, LoaderError: the program took too long, or failed.
        """
        from dalil.parsing.pictures import as_png, png_size  # loads Pillow

        png = as_png(image.data or b"", image.ref, self._limits)
        width, height = png_size(png)
        if not self.languages:
            raise NeedsOCRError("Tesseract has no language installed.")
        turned = "1" if _ORIENTATION in self.installed else "3"
        arguments = [self._program, "stdin", "stdout", "--psm", turned, "-l", "+".join(self.languages), "tsv"]
        with self._free:
            table = run(arguments, png, seconds=self._page_seconds, most_bytes=_MOST_OUTPUT)
        words = list(words_of(table.decode("utf-8", "replace")))
        text = " ".join(word.text for word in words)
        return recognized(words, width, height, _ENGINE, self._warnings(text))

    def _warnings(self, text: str) -> list[str]:
        """What holds of every page like this one: about what is not installed, and digits."""
        warnings = [
            f"Tesseract has no {language} data: {_WITHOUT[language]}. Run: {install}"
            for language, install in _INSTALL.items()
            if language in (*self._wanted, _ORIENTATION) and language not in self.installed
        ]
        if detect_language(text) == "ar" and _DIGIT.search(text):
            warnings.append("Tesseract often misreads digits on Arabic pages: check numbers against the pages")
        return warnings
