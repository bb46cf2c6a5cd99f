"""EPUB: the chapters of a book in reading order, each a page."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.errors import CorruptDocumentError, DocumentTooLargeError
from dalil.models import Page, RawSource
from dalil.parsing.archives import open_archive
from dalil.parsing.characters import Cleaner, one_line
from dalil.parsing.formats.epub.package import Book, Chapter
from dalil.parsing.formats.html import decode_html
from dalil.parsing.formats.html.page import page_of
from dalil.parsing.formats.html.xhtml import to_html
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page for each chapter, labelled with its title in the table of contents.

    Raises:
        CorruptDocumentError: the archive or the book's description is damaged.
        DocumentTooLargeError: it unpacks to more than the limits allow, or a chapter is too large.
        EncryptedDocumentError: the book is locked.
    """
    archive = open_archive(data, source.name, limits)
    book = Book(archive, source.name)
    warnings: list[str] = []
    title = one_line(book.first("title")) or None
    return Reading(_pages(book, limits, warnings), title, _metadata(book), warnings)


def _pages(book: Book, limits: ParsingLimits, warnings: list[str]) -> Iterator[Page]:
    cleaner = Cleaner()
    hidden = 0
    for number, chapter in enumerate(book.chapters(), 1):
        text, unseen = _chapter_text(book, chapter, number, limits, warnings)
        hidden += unseen
        yield Page(number, cleaner.clean(text), label=one_line(cleaner.clean(chapter.title)))
    if hidden:
        warnings.append(f"hidden text was left out: {hidden} characters that the book does not show")
    warnings.extend(cleaner.warnings())


def _chapter_text(
    book: Book, chapter: Chapter, number: int, limits: ParsingLimits, warnings: list[str]
) -> tuple[str, int]:
    """What a chapter says and how many characters of it are hidden. A damaged chapter costs no other."""
    try:
        data = book.part(chapter.place)
    except CorruptDocumentError as error:
        warnings.append(f"page {number} could not be read: {error.message}")
        return "", 0
    if data is None:
        warnings.append(f"page {number} could not be read: the book lacks {chapter.place}")
        return "", 0
    if len(data) > limits.markup_bytes:
        raise DocumentTooLargeError(f"{chapter.place} has {len(data)} bytes; the limit is {limits.markup_bytes}.")
    page = page_of(to_html(decode_html(data)), keep_boilerplate=True)
    return page.text, page.hidden


def _metadata(book: Book) -> dict[str, object]:
    found: dict[str, object] = {}
    authors = [one_line(author) for author in book.all("creator")]
    if authors:
        found["authors"] = authors
    language = one_line(book.first("language")).lower()
    if language:
        found["language"] = language
    return found
