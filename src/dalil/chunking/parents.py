"""Small chunks to be found, each inside a large one to be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dalil.chunking.cutting import merged
from dalil.chunking.outline import STANDING, Outline
from dalil.chunking.structure import StructureChunker
from dalil.errors import ConfigurationError
from dalil.models import Chunk, Document, Page, Span
from dalil.ports import Chunker

PARENT_IN_CHILDREN = 4
"""How many times the size of its children a parent has, unless another size is given."""


class ParentChildChunker:
    """Cuts parents with `chunker`, and each parent into children with it again; the children are the chunks.

    Parents share nothing and no child crosses the border of its parent. A child's metadata says where its parent
    stands: {"parent": {"ordinal": n, "spans": [[page, start, end], ...]}}. Sizes are in estimated tokens: `child_size`
    None means the size that `chunk` is asked for, `parent_size` None four times that of the children. The bounds on
    sizes are those of `chunker`.

    Raises:
        ConfigurationError: if a size is not positive.
    """

    def __init__(self, chunker: Chunker | None = None, parent_size: int | None = None, child_size: int | None = None):
        for name, given in (("parent_size", parent_size), ("child_size", child_size)):
            if given is not None and given <= 0:
                raise ConfigurationError(f"{name} must be positive, not {given}.")
        self._chunker = chunker or StructureChunker()
        self._parent_size = parent_size
        self._child_size = child_size

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """The children in order; `size` and `overlap` are theirs, where no `child_size` was given.

        Raises:
            ConfigurationError: unless parents are larger than `size`.
        """
        if self._child_size is not None:
            size, overlap = self._child_size, min(overlap, self._child_size - 1)
        parent_size = PARENT_IN_CHILDREN * size if self._parent_size is None else self._parent_size
        if parent_size <= size:
            raise ConfigurationError(
                f"A parent must be larger than its children: parent_size is {parent_size}, chunk_size is {size}."
            )
        outline = Outline(pages)
        texts = {page.number: page.text for page in pages}
        children: list[Chunk] = []
        for parent in self._chunker.chunk(document, pages, size=parent_size, overlap=0):
            borders = merged(parent.spans)
            place = {"ordinal": parent.ordinal, "spans": [list(span) for span in borders]}
            for child in self._inside(document, borders, texts, size, overlap):
                own = {key: value for key, value in child.metadata.items() if key not in STANDING}
                metadata = {**own, **outline.standing(child.spans), "parent": place}
                ordinal = len(children)
                children.append(replace(child, id=f"{document.id}:{ordinal}", ordinal=ordinal, metadata=metadata))
        return children

    def _inside(
        self, document: Document, borders: Sequence[Span], texts: Mapping[int, str], size: int, overlap: int
    ) -> Iterator[Chunk]:
        """The chunks of a parent, as if it were a document, with their places in the real one."""
        parts = [Page(span.page, texts[span.page][span.start : span.end]) for span in borders]
        starts = {span.page: span.start for span in borders}
        for child in self._chunker.chunk(document, parts, size=size, overlap=overlap):
            shifted = (Span(page, starts[page] + start, starts[page] + end) for page, start, end in child.spans)
            yield replace(child, spans=tuple(shifted))
