"""What stands in a drawing besides text boxes: charts, diagrams, and what pictures are said to show."""

from __future__ import annotations

import re

from lxml import etree

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.charts import chart_blocks
from dalil.parsing.formats.office.diagrams import diagram_blocks
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.xml import reference, value

_LONGEST_DESCRIPTION = 1000
_FILE_NAME = re.compile(r"[^\s/]+\.(?:png|jpe?g|gif|bmp|tiff?|webp|emf|wmf|svg)", re.I)


class Drawings:
    """Reads the parts that the drawings of one part refer to."""

    def __init__(self, package: OfficePackage, member: str, most_cells: int) -> None:
        self._package = package
        self._member = member
        self._most_cells = most_cells

    def chart(self, element: etree._Element) -> list[str]:
        """The blocks of the chart behind a `c:chart` element."""
        root = self._target(reference(element))
        return chart_blocks(root, self._most_cells) if root is not None else []

    def diagram(self, element: etree._Element) -> list[str]:
        """The blocks of the diagram behind a `dgm:relIds` element."""
        root = self._target(reference(element, "dm"))
        return diagram_blocks(root) if root is not None else []

    def _target(self, relation_id: str) -> etree._Element | None:
        relation = self._package.relations(self._member).get(relation_id)
        return self._package.root(relation.target) if relation and not relation.is_external else None


def description(properties: etree._Element | None) -> str:
    """What a picture is said to show, as `picture_text` writes it; the name of a file says nothing."""
    text = value(properties, "descr").strip()
    return "" if _FILE_NAME.fullmatch(text) else picture_text(text)


def picture_text(text: str) -> str:
    """A description as a Markdown picture without a target; an empty string for an empty one."""
    text = one_line(text)[:_LONGEST_DESCRIPTION].replace("[", "(").replace("]", ")")
    return f"![{text}]()" if text else ""
