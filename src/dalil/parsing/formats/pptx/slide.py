"""One slide: its title, its shapes in reading order, its notes and comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lxml import etree

from dalil.parsing.formats.office.comments import comment_text
from dalil.parsing.formats.office.drawings import Drawings, description
from dalil.parsing.formats.office.grid import TableGrid
from dalil.parsing.formats.office.xml import child, name, value
from dalil.parsing.formats.pptx.deck import Deck
from dalil.parsing.formats.pptx.order import reading_order
from dalil.parsing.formats.pptx.shapes import Shape, shapes_of
from dalil.parsing.formats.pptx.tables import slide_table
from dalil.parsing.formats.pptx.text import body_blocks, body_text, paragraph_text
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import heading, table

_DEEPEST_GROUP = 40
_UNREAD = frozenset({"sldNum", "dt", "sldImg", "hdr"})
_NOTES = "Notes"


class SlideReader:
    """Reads the slide in one part."""

    def __init__(self, deck: Deck, member: str, root: etree._Element, limits: ParsingLimits) -> None:
        self._deck = deck
        self._member = member
        self._root = root
        self._limits = limits
        self._drawings = Drawings(deck.package, member, limits.table_cells)
        self.left_out: list[str] = []

    @property
    def is_hidden(self) -> bool:
        """Whether the show leaves it out."""
        return value(self._root, "show") in ("0", "false")

    def blocks(self, number: int) -> list[str]:
        """The slide as blocks, under its title, or under its number where it has none; empty for an empty slide."""
        shapes = self._visible(list(shapes_of(child(self._root, "cSld", "spTree"))))
        titles = [shape for shape in shapes if shape.placeholder and shape.placeholder.is_title]
        texts = [text for shape in titles if (text := body_text(child(shape.element, "txBody")))]
        blocks = list(self._in_order([shape for shape in shapes if shape not in titles]))
        blocks += texts[1:]
        blocks += self._notes()
        blocks += self._comments()
        blocks = [block for block in blocks if block.strip()]
        if texts:
            return [heading(texts[0], 1), *blocks]
        # Without a heading of its own it would stand under that of the slide before.
        return [heading(f"Slide {number}", 1), *blocks] if blocks else []

    def _visible(self, shapes: list[Shape]) -> list[Shape]:
        visible: list[Shape] = []
        for shape in shapes:
            box = self._deck.box(self._member, shape)
            if shape.is_hidden:
                self._leave_out("a hidden shape", shape)
            elif box is not None and self._deck.is_outside(box):
                self._leave_out("a shape outside the slide", shape)
            else:
                visible.append(shape)
        return visible

    def _leave_out(self, what: str, shape: Shape) -> None:
        if any(name(found) == "t" and (found.text or "").strip() for found in shape.element.iter()):
            self.left_out.append(what)

    def _in_order(self, shapes: list[Shape], depth: int = 0) -> Iterator[str]:
        known = [(shape, box) for shape in shapes if (box := self._deck.box(self._member, shape)) is not None]
        placed = {id(shape) for shape, _ in known}
        letters = "".join(paragraph_text(p) for shape, _ in known for p in shape.element.iter("{*}p"))
        order = reading_order([box for _, box in known], right_to_left=_is_right_to_left(letters))
        for shape in [*(shape for shape in shapes if id(shape) not in placed), *(known[i][0] for i in order)]:
            yield from self._shape(shape, depth)

    def _shape(self, shape: Shape, depth: int) -> Iterator[str]:
        if shape.kind == "grpSp":
            inner = [one for one in shapes_of(shape.element) if not one.is_hidden]
            if depth < _DEEPEST_GROUP:
                yield from self._in_order(inner, depth + 1)
            else:
                yield from (text for p in shape.element.iter("{*}p") if (text := paragraph_text(p).strip()))
        elif shape.kind == "graphicFrame":
            yield from self._frame(shape)
        elif shape.kind == "pic":
            yield description(shape.properties)
        elif shape.placeholder is None or shape.placeholder.kind not in _UNREAD:
            yield from self._text(shape)

    def _text(self, shape: Shape) -> Iterator[str]:
        body = child(shape.element, "txBody")
        if shape.placeholder and shape.placeholder.kind == "ftr":
            footer = body_text(body)
            if footer not in self._deck.footers:
                self._deck.footers.add(footer)
                yield footer
            return
        yield from body_blocks(body, self._list_styles(shape, body))

    def _list_styles(self, shape: Shape, body: etree._Element | None) -> Sequence[etree._Element]:
        models = self._deck.models(self._member, shape.placeholder) if shape.placeholder else []
        bodies = [body, *(child(model.element, "txBody") for model in models)]
        styles = [child(one, "lstStyle") for one in bodies]
        if shape.placeholder:
            styles.append(self._deck.text_styles(self._member, shape.placeholder))
        return [style for style in styles if style is not None]

    def _frame(self, shape: Shape) -> Iterator[str]:
        for element in shape.element.iter():
            tag = name(element)
            if tag == "tbl":
                grid = TableGrid(self._deck.package.source_name, self._limits.table_cells)
                yield table(slide_table(element, grid))
            elif tag == "chart":
                yield from self._drawings.chart(element)
            elif tag == "relIds":
                yield from self._drawings.diagram(element)
        yield description(shape.properties)

    def _notes(self) -> list[str]:
        root = self._deck.package.root(self._deck.package.first(self._member, "notesSlide"))
        blocks = [
            block
            for shape in shapes_of(child(root, "cSld", "spTree"))
            if shape.placeholder and shape.placeholder.kind == "body"
            for block in body_blocks(child(shape.element, "txBody"), [])
        ]
        return [heading(_NOTES, 2), *blocks] if blocks else []

    def _comments(self) -> Iterator[str]:
        """Comments of the older and of the newer kind, with the replies to them."""
        relations = self._deck.package.relations(self._member).values()
        for relation in relations:
            root = self._deck.package.root(relation.target) if relation.kind == "comments" else None
            for comment in root.iter() if root is not None else ():
                if name(comment) not in ("cm", "reply"):
                    continue
                old = child(comment, "text")
                text = (old.text or "") if old is not None else body_text(child(comment, "txBody"))
                if text.strip():
                    yield comment_text(self._deck.author(value(comment, "authorId")), text)


def _is_right_to_left(text: str) -> bool:
    """Whether most letters are Arabic or Hebrew."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum("\u0590" <= letter <= "\u08ff" or letter >= "\ufb1d" for letter in letters) * 2 > len(letters)
