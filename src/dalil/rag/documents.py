"""A document on its way into a RAGSystem, and the ids of those that come without one."""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass, field
from typing import Any

PREVIEW_LENGTH = 80


@dataclass(repr=False)
class LoadedDocument:
    """One document, ready for `RAGSystem.add_documents`.

    Without a `doc_id` it gets one, `doc_{first 8 hex digits of the content's MD5}_{second}`: the same content in the
    same second gets the same id, other content never does.
    """

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    doc_id: str | None = None

    def __post_init__(self) -> None:
        if not self.doc_id:
            self.doc_id = document_id_for(self.page_content)

    def to_dict(self) -> dict[str, Any]:
        """The three fields, by name."""
        return {"doc_id": self.doc_id, "page_content": self.page_content, "metadata": self.metadata}

    def __repr__(self) -> str:
        preview = self.page_content[:PREVIEW_LENGTH].replace("\r", " ").replace("\n", " ")
        return f"LoadedDocument(doc_id='{self.doc_id}', preview='{preview}'...)"


def document_id_for(content: str) -> str:
    """An id for a document of this content: `doc_{md5[:8]}_{second}`."""
    # Lone surrogates come from file names and broken files; a document is not refused for them.
    content_hash = hashlib.md5(content.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
    return _issued.issue(f"doc_{content_hash[:8]}_", owner=content_hash)


def text_id() -> str:
    """An id that no other text has: `text_{second}`."""
    return _issued.issue("text_")


class _IssuedIds:
    """The automatic ids that this process has given out, and for what. Seconds are counted up until an id is free."""

    _KEPT_SECONDS = 3600  # only a clock that is set back further than this could give an id a second time

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owners: dict[tuple[str, int], str | None] = {}
        self._free_from: dict[tuple[str, int], int] = {}
        self._clean_at = 10_000

    def issue(self, prefix: str, owner: str | None = None) -> str:
        """`prefix` and a second, from now on, that is free or already `owner`'s; None owns nothing twice."""
        with self._lock:
            now = int(time.time())
            # Many texts in one second would take for ever if each began at `now`.
            second = self._free_from.get((prefix, now), now) if owner is None else now
            while (prefix, second) in self._owners and (owner is None or self._owners[prefix, second] != owner):
                second += 1
            self._owners[prefix, second] = owner
            if owner is None:
                self._free_from[prefix, now] = second + 1
            if len(self._owners) > self._clean_at:
                self._forget_before(now - self._KEPT_SECONDS)
            return f"{prefix}{second}"

    def _forget_before(self, oldest: int) -> None:
        self._owners = {key: owner for key, owner in self._owners.items() if key[1] >= oldest}
        self._free_from = {key: second for key, second in self._free_from.items() if key[1] >= oldest}
        self._clean_at = max(10_000, 2 * len(self._owners))


_issued = _IssuedIds()
