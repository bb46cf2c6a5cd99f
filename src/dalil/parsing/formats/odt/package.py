"""The parts of an OpenDocument text."""

from __future__ import annotations

import posixpath
import zipfile

from lxml import etree

from dalil.errors import CorruptDocumentError
from dalil.parsing.archives import read_member
from dalil.parsing.formats.office.xml import parse_xml


class TextPackage:
    """One ODT archive. Parts other than the content may be missing; damaged ones are left out with a warning."""

    def __init__(self, archive: zipfile.ZipFile, source_name: str, content: etree._Element) -> None:
        self._archive = archive
        self.source_name = source_name
        self.content = content
        self.warnings: list[str] = []

    def root(self, member: str) -> etree._Element | None:
        """The root of a part, or None where it is missing or damaged."""
        try:
            data = read_member(self._archive, member, self.source_name)
            return None if data is None else parse_xml(data, self.source_name, member)
        except CorruptDocumentError:
            self.warn(f"a damaged part was left out ({member})")
            return None

    def object_root(self, reference: str) -> etree._Element | None:
        """The content of an embedded object (`./Object 1`), or None where there is none."""
        return self.root(posixpath.normpath(posixpath.join(reference, "content.xml"))) if reference else None

    def warn(self, warning: str) -> None:
        """Adds a warning, once."""
        if warning not in self.warnings:
            self.warnings.append(warning)
