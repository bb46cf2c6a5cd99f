"""Documents that others carry: their names, and that they go when their parents go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from dalil.identity import document_id
from dalil.models import Document, RawSource
from dalil.ports import DocumentStore, LexicalStore, VectorStore
from dalil.scope import Scope

DEPTH = 3
"""How deep attachments may stand in each other."""

ATTACHED_TO = "attached_to"
ATTACHMENTS = "attachments"


def attached_sources(parent: RawSource, attachments: Sequence[RawSource]) -> list[RawSource]:
    """The attachments as documents of their own: named under their parent, each name once, told as it is told."""
    taken: set[str] = set()
    sources = []
    for number, attachment in enumerate(attachments, 1):
        name = _free(_plain(attachment.name) or f"attachment-{number}", taken)
        taken.add(name)
        metadata = {**attachment.metadata, **parent.metadata, ATTACHED_TO: parent.name}
        sources.append(replace(attachment, name=f"{parent.name}/{name}", metadata=metadata, password=parent.password))
    return sources


def _plain(name: str) -> str:
    """The last part of a name, without what a path or a terminal would obey."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    plain = "".join(char for char in last if char.isprintable()).strip()
    return "" if plain in (".", "..") else plain


def _free(name: str, taken: Collection[str]) -> str:
    path, number, free = PurePosixPath(name), 2, name
    while free in taken:
        free = f"{path.stem} ({number}){path.suffix}"
        number += 1
    return free


async def remove_document(
    scope: Scope, document_id: str, vectors: VectorStore, words: LexicalStore, documents: DocumentStore
) -> None:
    """Remove a document with everything that belongs to it, and with its attachments."""
    known = await documents.get(scope, document_id)
    await vectors.delete(scope, document_id)
    await words.delete(scope, document_id)
    await documents.delete(scope, document_id)
    if known is not None:
        await remove_attachments(scope, known, (), vectors, words, documents)


async def remove_attachments(
    scope: Scope,
    parent: Document,
    kept: Collection[str],
    vectors: VectorStore,
    words: LexicalStore,
    documents: DocumentStore,
) -> None:
    """Remove the attachments that a version of a document had, those named in `kept` excepted."""
    for name in attachments_of(parent):
        if name in kept:
            continue
        child = await documents.get(scope, document_id(name))
        if child is not None and child.metadata.get(ATTACHED_TO) == parent.source:
            await remove_document(scope, child.id, vectors, words, documents)


def attachments_of(document: Document) -> Sequence[str]:
    """The source names of a document's attachments."""
    names = document.metadata.get(ATTACHMENTS, ())
    return [name for name in names if isinstance(name, str)] if isinstance(names, (list, tuple)) else []
