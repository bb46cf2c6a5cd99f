"""What is known of each version of a document, and what differs between two."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

PREVIEW_LENGTH = 200


@dataclass(frozen=True)
class DocVersion:
    """One version of a document.

    Attributes:
        doc_id: whose version it is.
        version: its number, from 1.
        content_hash: SHA-256 of its text as UTF-8, in hex.
        chunk_hashes: the same of each piece of it, in order; the pieces are the manager's own.
        created_at: when it was recorded, in UTC, in ISO 8601.
        metadata: what it was added with.
        text_preview: its first 200 characters.
    """

    doc_id: str
    version: int
    content_hash: str
    chunk_hashes: list[str]
    created_at: str
    metadata: dict[str, Any] = field(default_factory=dict)
    text_preview: str = ""


@dataclass(frozen=True)
class ContentDiff:
    """What a version changed.

    Attributes:
        doc_id: the document.
        old_version, new_version: their numbers; old_version is 0 for a new document.
        is_new: whether the document was unknown.
        content_changed: whether the text differs from the old version's.
        added_chunks: positions, in the new version, of the pieces that the old one lacks.
        removed_chunks: positions, in the old version, of the pieces that the new one lacks.
        unchanged_count: the number of pieces that both have, each counted as often as both have it.
        change_ratio: 1 - unchanged_count / the larger number of pieces; in [0, 1].
    """

    doc_id: str
    old_version: int
    new_version: int
    is_new: bool
    content_changed: bool
    added_chunks: list[int]
    removed_chunks: list[int]
    unchanged_count: int
    change_ratio: float


def hash_of(text: str) -> str:
    """SHA-256 of `text` as UTF-8, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def version_of(
    doc_id: str, version: int, text: str, metadata: dict[str, Any], *, chunk_size: int, chunk_overlap: int
) -> DocVersion:
    """The record of `text`, cut into pieces of `chunk_size` characters, neighbours sharing `chunk_overlap` of them."""
    last_start = max(len(text) - chunk_overlap, 1)
    starts = range(0, last_start, chunk_size - chunk_overlap)
    return DocVersion(
        doc_id=doc_id,
        version=version,
        content_hash=hash_of(text),
        chunk_hashes=[hash_of(text[start : start + chunk_size]) for start in starts],
        created_at=datetime.now(UTC).isoformat(),
        metadata=metadata,
        text_preview=text[:PREVIEW_LENGTH],
    )


def difference(old: DocVersion | None, new: DocVersion) -> ContentDiff:
    """What `new` changed against `old`; None for a new document."""
    old_hashes = old.chunk_hashes if old else []
    added = _surplus(new.chunk_hashes, old_hashes)
    unchanged = len(new.chunk_hashes) - len(added)
    return ContentDiff(
        doc_id=new.doc_id,
        old_version=old.version if old else 0,
        new_version=new.version,
        is_new=old is None,
        content_changed=old is None or old.content_hash != new.content_hash,
        added_chunks=added,
        removed_chunks=_surplus(old_hashes, new.chunk_hashes),
        unchanged_count=unchanged,
        change_ratio=1 - unchanged / max(len(new.chunk_hashes), len(old_hashes)),
    )


def _surplus(hashes: list[str], others: list[str]) -> list[int]:
    """The positions in `hashes` that find no partner of their own in `others`."""
    partners = Counter(others)
    alone = []
    for position, chunk_hash in enumerate(hashes):
        if partners[chunk_hash] > 0:
            partners[chunk_hash] -= 1
        else:
            alone.append(position)
    return alone
