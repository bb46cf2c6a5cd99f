"""The parts of a DOCX file, found by their relationships and not by their usual names."""

from __future__ import annotations

import posixpath
import zipfile

from lxml import etree

from dalil.errors import CorruptDocumentError
from dalil.parsing.archives import read_member
from dalil.parsing.formats.docx.xml import children, name, parse_xml, value

_USUAL_PLACE = "word/document.xml"


class WordPackage:
    """One DOCX archive: its main document, and the parts that the document refers to by type."""

    def __init__(self, archive: zipfile.ZipFile, source_name: str) -> None:
        self._archive = archive
        self._source_name = source_name
        main = self._targets("").get("officeDocument", _USUAL_PLACE)
        document = self._read(main)
        if document is None:
            raise CorruptDocumentError(f"{source_name} has no main document part.")
        self.document = document
        self._parts = self._targets(main)

    def part(self, kind: str) -> etree._Element | None:
        """The root of a part such as `styles` or `footnotes`, or None."""
        place = self._parts.get(kind)
        return self._read(place) if place else None

    @property
    def title(self) -> str:
        """The title among the core properties; an empty string where there is none."""
        place = self._targets("").get("core-properties") or self._targets("").get("coreProperties")
        properties = self._read(place) if place else None
        if properties is not None:
            for element in properties:
                if name(element) == "title":
                    return element.text or ""
        return ""

    def _read(self, place: str) -> etree._Element | None:
        data = read_member(self._archive, place, self._source_name)
        return None if data is None else parse_xml(data, self._source_name, place)

    def _targets(self, place: str) -> dict[str, str]:
        """Where the relationships of a part lead: member name by the last word of the relationship's type."""
        folder, file = posixpath.split(place)
        relations = self._read(posixpath.join(folder, "_rels", f"{file}.rels"))
        targets: dict[str, str] = {}
        for relation in children(relations, "Relationship"):
            kind = value(relation, "Type").rpartition("/")[2]
            target = value(relation, "Target")
            if value(relation, "TargetMode") == "External" or not target:
                continue
            member = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            targets.setdefault(kind, posixpath.normpath(member))
        return targets
