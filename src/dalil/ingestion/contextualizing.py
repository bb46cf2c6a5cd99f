"""What a chunk is embedded and indexed under: its text, told where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dalil.models import Chunk, Document
from dalil.text import estimate_tokens, split_sentences

_WIDEST_TOKEN = 16  # characters: a window of this many a token holds whatever the budget allows
_PARAGRAPH = re.compile(r"\n\s*\n")


class TitleContextualizer:
    """The document's title, the heading path and, for a piece of a table, its header; then the chunk's text.

    The file's name stays out, so that the same content under another name has the same vector.
    """

    async def contextualize(self, document: Document, chunk: Chunk, *, full_text: str) -> str:
        """The text to embed in the place of `chunk.text`."""
        headings = [str(heading) for heading in chunk.metadata.get("headings", ())]
        title = str(document.metadata.get("title") or "").strip()
        if title and title not in headings:
            headings.insert(0, title)
        above = [" > ".join(headings)] if headings else []
        if chunk.metadata.get("table_header"):
            above.append(str(chunk.metadata["table_header"]))
        return "\n".join([*above, chunk.text])


class HeadingWindowContextualizer:
    """The document's name, the heading path and what stands around the chunk; its own text last. No model.

    `window` is how many paragraphs (or, in running text, sentences) are taken from either side, whole, as long as
    the context stays within `max_context_tokens` estimated tokens.

    Raises:
        ValueError: if `window` or `max_context_tokens` is negative.
    """

    def __init__(self, window: int = 2, max_context_tokens: int = 128):
        if window < 0:
            raise ValueError("window must be non-negative")
        if max_context_tokens < 0:
            raise ValueError("max_context_tokens must be non-negative")
        self._window = window
        self._budget = max_context_tokens

    async def contextualize(self, document: Document, chunk: Chunk, *, full_text: str) -> str:
        """The text to embed in the place of `chunk.text`; `full_text` is the document's, pages joined by newlines."""
        headings = [str(heading) for heading in chunk.metadata.get("headings", ())]
        lines: list[str] = []
        budget = self._budget
        for line in (f"Document: {document.source}", headings and f"Section: {' > '.join(headings)}"):
            if line and estimate_tokens(line) <= budget:
                lines.append(line)
                budget -= estimate_tokens(line)
        place = full_text.find(chunk.text)
        if place >= 0 and self._window:
            # What is further away cannot fit the budget; the piece that the cut goes through is dropped.
            near = self._budget * _WIDEST_TOKEN
            end = place + len(chunk.text)
            before = _pieces(full_text[max(0, place - near) : place])[place > near :][-self._window :]
            rest = _pieces(full_text[end : end + near])
            after = (rest[:-1] if end + near < len(full_text) else rest)[: self._window]
            preceding = _fitting(list(reversed(before)), budget // 2)
            following = _fitting(after, budget - sum(map(estimate_tokens, preceding)))
            if preceding:
                lines.append(f"Preceding: {' '.join(reversed(preceding))}")
            if following:
                lines.append(f"Following: {' '.join(following)}")
        return "\n".join([*lines, chunk.text])


def _pieces(text: str) -> list[str]:
    """Paragraphs, or the sentences of a text that is one paragraph."""
    paragraphs = [part.strip() for part in _PARAGRAPH.split(text) if part.strip()]
    if len(paragraphs) == 1:
        return [text[start:end] for start, end in split_sentences(text)]
    return paragraphs


def _fitting(pieces: Sequence[str], budget: int) -> list[str]:
    kept = []
    for piece in pieces:
        budget -= estimate_tokens(piece)
        if budget < 0:
            break
        kept.append(" ".join(piece.split()))
    return kept
