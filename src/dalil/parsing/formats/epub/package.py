"""The parts of an e-book: its description, its chapters in reading order, its table of contents."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote

from lxml import etree

from dalil.errors import CorruptDocumentError, EncryptedDocumentError
from dalil.parsing.archives import read_member
from dalil.parsing.formats.epub.contents import titles_of
from dalil.parsing.formats.epub.xml import attribute, elements, parse_xml, text_of

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CHAPTER_TYPES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")
# Fonts may be scrambled in a book that anybody may read.
_FONT_SCRAMBLING = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


@dataclass(frozen=True)
class Chapter:
    """Where a chapter lies in the archive, and its title in the table of contents."""

    place: str
    title: str


@dataclass(frozen=True)
class _Item:
    place: str
    media_type: str
    properties: str


class Book:
    """One EPUB archive, opened by its description.

    Raises:
        CorruptDocumentError: it has no description, or a damaged one.
        EncryptedDocumentError: its chapters are locked.
    """

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive = archive
        self._name = name
        self._refuse_locked()
        container = self._xml(_CONTAINER)
        rootfile = next((attribute(one, "full-path") for one in elements(container, "rootfile")), "")
        if not rootfile:
            raise CorruptDocumentError(f"{name} does not say where its book is described.")
        folder = posixpath.dirname(rootfile)
        self._description = self._xml(rootfile)
        self._items = {
            attribute(item, "id"): _Item(
                self._resolve(folder, attribute(item, "href")),
                attribute(item, "media-type"),
                attribute(item, "properties"),
            )
            for item in elements(self._description, "item")
        }

    def chapters(self) -> Iterator[Chapter]:
        """The chapters in reading order, without the table of contents and pictures."""
        titles = self._titles()
        seen: set[str] = set()
        for reference in elements(self._description, "itemref"):
            item = self._items.get(attribute(reference, "idref"))
            if item is None or item.place in seen or "nav" in item.properties.split():
                continue
            if item.media_type in _CHAPTER_TYPES:
                seen.add(item.place)
                yield Chapter(item.place, titles.get(item.place, ""))

    def part(self, place: str) -> bytes | None:
        """One member's bytes, or None."""
        return read_member(self._archive, place, self._name)

    def first(self, field: str) -> str:
        """The first value of a field such as `title` of the description; an empty string where there is none."""
        return next(iter(self.all(field)), "")

    def all(self, field: str) -> list[str]:
        """All values of a field of the description."""
        metadata = next(elements(self._description, "metadata"), None)
        values = (text_of(element) for element in elements(metadata, field))
        return [value for value in values if value]

    def _titles(self) -> dict[str, str]:
        """Titles by place, from the navigation document or the older NCX."""
        for item in self._items.values():
            if "nav" in item.properties.split() or item.media_type == "application/x-dtbncx+xml":
                found = titles_of(self.part(item.place) or b"", partial(self._resolve, posixpath.dirname(item.place)))
                if found:
                    return found
        return {}

    def _xml(self, place: str) -> etree._Element:
        data = self.part(place)
        if data is None:
            raise CorruptDocumentError(f"{self._name} lacks its part {place}.")
        return parse_xml(data, self._name, place)

    def _resolve(self, folder: str, link: str) -> str:
        """The member that a link leads to; its fragment is left out."""
        return posixpath.normpath(posixpath.join(folder, unquote(link.partition("#")[0])))

    def _refuse_locked(self) -> None:
        data = self.part(_ENCRYPTION)
        if data is None:
            return
        methods = elements(parse_xml(data, self._name, _ENCRYPTION), "EncryptionMethod")
        if any(attribute(method, "Algorithm") not in _FONT_SCRAMBLING for method in methods):
            raise EncryptedDocumentError(
                f"{self._name} is a locked e-book.", advice="Add a copy without copy protection."
            )
