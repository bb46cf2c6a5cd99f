"""The parts of an Open XML file, found by their relationships and not by their usual names."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from dalil.errors import CorruptDocumentError
from dalil.models import RawSource
from dalil.parsing.archives import read_member
from dalil.parsing.formats.office.properties import DocumentProperties, properties_of
from dalil.parsing.formats.office.xml import children, parse_xml, value
from dalil.parsing.limits import ParsingLimits

_MOST_LINKS = 200


@dataclass(frozen=True)
class Relation:
    """What one part refers to: the last word of the relationship's type, and a member's name or a URI."""

    kind: str
    target: str
    is_external: bool = False


class OfficePackage:
    """One Open XML archive. Parts other than the main one may be missing; damaged ones are left out with a warning."""

    def __init__(self, archive: zipfile.ZipFile, source_name: str, usual_main: str) -> None:
        self._archive = archive
        self.source_name = source_name
        self.warnings: list[str] = []
        self._relations: dict[str, Mapping[str, Relation]] = {}
        self.main = self.first("", "officeDocument") or usual_main
        document = self._read(self.main)
        if document is None:
            raise CorruptDocumentError(f"{source_name} has no main document part.")
        self.document = document

    def relations(self, member: str) -> Mapping[str, Relation]:
        """The relationships of a part by their ids; those of the package for an empty name."""
        if member not in self._relations:
            self._relations[member] = self._read_relations(member)
        return self._relations[member]

    def first(self, member: str, kind: str) -> str | None:
        """The first member of one kind that a part refers to, or None."""
        for relation in self.relations(member).values():
            if relation.kind == kind and not relation.is_external:
                return relation.target
        return None

    def root(self, member: str | None) -> etree._Element | None:
        """The root of a part, or None where it is missing or damaged."""
        if member is None:
            return None
        try:
            return self._read(member)
        except CorruptDocumentError:
            warning = f"a damaged part was left out ({member})"
            if warning not in self.warnings:
                self.warnings.append(warning)
            return None

    def data(self, member: str) -> bytes | None:
        """The bytes of a member, or None where there is none."""
        return read_member(self._archive, member, self.source_name)

    def part(self, kind: str) -> etree._Element | None:
        """The root of a part that the main document refers to, such as `styles` or `footnotes`, or None."""
        return self.root(self.first(self.main, kind))

    @property
    def properties(self) -> DocumentProperties:
        """What the document says of itself."""
        return properties_of(self.root(self.first("", "core-properties") or self.first("", "coreProperties")))

    def links(self, *members: str) -> list[str]:
        """The web addresses that the parts link to: each once, 200 at most."""
        found = {
            relation.target: None
            for member in members
            for relation in self.relations(member).values()
            if relation.kind == "hyperlink" and relation.is_external
        }
        return list(found)[:_MOST_LINKS]

    def embedded(self, limits: ParsingLimits, *members: str) -> list[RawSource]:
        """The office documents embedded in the parts (not those behind charts)."""
        targets = {
            relation.target: None
            for member in members
            for relation in self.relations(member).values()
            if relation.kind == "package" and not relation.is_external
        }
        found: list[RawSource] = []
        for target in list(targets)[: limits.attachments]:
            data = self.data(target)
            if data:
                found.append(RawSource(posixpath.basename(target), content=data))
        return found

    def _read(self, member: str) -> etree._Element | None:
        data = read_member(self._archive, member, self.source_name)
        return None if data is None else parse_xml(data, self.source_name, member)

    def _read_relations(self, member: str) -> Mapping[str, Relation]:
        folder, file = posixpath.split(member)
        found: dict[str, Relation] = {}
        for element in children(self.root(posixpath.join(folder, "_rels", f"{file}.rels")), "Relationship"):
            kind = value(element, "Type").rpartition("/")[2]
            target = value(element, "Target")
            is_external = value(element, "TargetMode") == "External"
            if not target:
                continue
            if not is_external:
                joined = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                target = posixpath.normpath(joined)
            found.setdefault(value(element, "Id") or str(len(found)), Relation(kind, target, is_external))
        return found
