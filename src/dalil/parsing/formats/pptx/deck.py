"""What the slides of a deck share: their size, the layouts they are made from, and who comments."""

from __future__ import annotations

from lxml import etree

from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.xml import child, number, value
from dalil.parsing.formats.pptx.order import Box
from dalil.parsing.formats.pptx.shapes import Placeholder, Shape, shapes_of

_USUAL_SIZE = (12_192_000, 6_858_000)


class Deck:
    """A presentation's shared parts, each read once."""

    def __init__(self, package: OfficePackage) -> None:
        self.package = package
        size = child(package.document, "sldSz")
        self.width = number(size, "cx") or _USUAL_SIZE[0]
        self.height = number(size, "cy") or _USUAL_SIZE[1]
        self.footers: set[str] = set()
        self._parts: dict[str, etree._Element | None] = {}
        self._authors: dict[str, str] | None = None

    def author(self, author_id: str) -> str:
        """The name of a commentator; an empty string for one who is not listed."""
        if self._authors is None:
            roots = (self.package.part("commentAuthors"), self.package.part("authors"))
            self._authors = {value(one, "id"): value(one, "name") for root in roots if root is not None for one in root}
        return self._authors.get(author_id, "")

    def models(self, slide: str, placeholder: Placeholder) -> list[Shape]:
        """The shapes that a placeholder of a slide takes after: on its layout, then on the master."""
        layout = self.package.first(slide, "slideLayout")
        master = self.package.first(layout, "slideMaster") if layout else None
        found = [_match(self._shapes(member), placeholder) for member in (layout, master)]
        return [shape for shape in found if shape is not None]

    def text_styles(self, slide: str, placeholder: Placeholder | None) -> etree._Element | None:
        """The master's styles for the text of a placeholder, or None."""
        layout = self.package.first(slide, "slideLayout")
        root = self._part(self.package.first(layout, "slideMaster") if layout else None)
        if placeholder is None:
            return child(root, "txStyles", "otherStyle")
        return child(root, "txStyles", "titleStyle" if placeholder.is_title else "bodyStyle")

    def box(self, slide: str, shape: Shape) -> Box | None:
        """Where a shape stands, as it says or as its placeholder's models do."""
        if shape.box is not None or shape.placeholder is None:
            return shape.box
        return next((model.box for model in self.models(slide, shape.placeholder) if model.box), None)

    def is_outside(self, box: Box) -> bool:
        """Whether nothing of it is on the slide."""
        return box.right < 0 or box.bottom < 0 or box.left > self.width or box.top > self.height

    def _shapes(self, member: str | None) -> list[Shape]:
        return list(shapes_of(child(self._part(member), "cSld", "spTree")))

    def _part(self, member: str | None) -> etree._Element | None:
        if member is None:
            return None
        if member not in self._parts:
            self._parts[member] = self.package.root(member)
        return self._parts[member]


def _match(shapes: list[Shape], wanted: Placeholder) -> Shape | None:
    filled = [(shape, shape.placeholder) for shape in shapes if shape.placeholder is not None]
    if wanted.is_title:
        return next((shape for shape, place in filled if place.is_title), None)
    same = [shape for shape, place in filled if place.number == wanted.number and not place.is_title]
    alike = [shape for shape, place in filled if _kind(place) == _kind(wanted)]
    return next(iter([*same, *alike]), None)


def _kind(placeholder: Placeholder) -> str:
    return "body" if placeholder.kind in ("obj", "subTitle") else placeholder.kind
