"""Running headers and footers: each text once, in the section where it first stands."""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.running import says_something
from dalil.parsing.formats.office.xml import child, children, is_on, name, reference, value


class RunningTexts:
    """The headers and footers of a document by section, the first being 0."""

    def __init__(self, package: OfficePackage, text_of: Callable[[etree._Element], list[str]]) -> None:
        self._package = package
        self._text_of = text_of
        self._sections = [element for element in package.document.iter("{*}sectPr") if _is_current(element)]
        self._seen: set[str] = set()

    def headers(self, section: int) -> list[str]:
        """The header texts that no earlier section had."""
        return self._texts(section, "headerReference")

    def footers(self, section: int) -> list[str]:
        """The footer texts that no earlier section had."""
        return self._texts(section, "footerReference")

    def _texts(self, section: int, tag: str) -> list[str]:
        if section >= len(self._sections):
            return []
        properties = self._sections[section]
        relations = self._package.relations(self._package.main)
        found: list[str] = []
        for running in children(properties, tag):
            if value(running, "type") == "first" and not is_on(child(properties, "titlePg")):
                continue
            relation = relations.get(reference(running))
            root = self._package.root(relation.target) if relation and not relation.is_external else None
            for text in self._text_of(root) if root is not None else ():
                line = one_line(text)
                if line not in self._seen and says_something(line):
                    self._seen.add(line)
                    found.append(line)
        return found


def _is_current(section: etree._Element) -> bool:
    """Whether the properties are those of a section, and not of one as it was before a tracked change."""
    above = [name(found) for found, _ in zip(section.iterancestors(), range(2), strict=False)]
    return above[:1] == ["body"] or above == ["pPr", "p"]
