"""Reading a document in a worker: what it sends becomes a reading, how it ends becomes a typed error."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from dalil.errors import (
    CorruptDocumentError,
    DalilError,
    DocumentTimeoutError,
    DocumentTooLargeError,
    LoaderError,
)
from dalil.models import RawSource
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading
from dalil.parsing.worker.pool import WorkerPool, shared_pool
from dalil.parsing.worker.process import Ending, Worker, WorkerLostError
from dalil.parsing.worker.records import attachment_of, error_of, page_of
from dalil.parsing.worker.spool import SpooledPages

_MEGABYTE = 1024 * 1024
_OUT_OF_MEMORY_SHARE = 0.5
_EMPTY_BY_STRAIN = 0.5
_STRAINED = 0.9
_NOT_OF_A_WORKER = (KeyError, TypeError, ValueError, AttributeError)


def read_isolated(
    data: bytes,
    source: RawSource,
    limits: ParsingLimits,
    *,
    articles: bool = False,
    pool: WorkerPool | None = None,
) -> Reading:
    """What `read_document` gives, made in a worker process; all its pages are there, on disk if they are many.

    A worker that has read other documents may have been harmed by one of them: when it is lost, a fresh one tries once
    more.

    Raises:
        DocumentTimeoutError: it took too long.
        DocumentTooLargeError: it needs more memory, or gives more text, than it may.
        DocumentError: whatever its reader raised, or its reader crashed.
    """
    pool = pool or shared_pool()
    for fresh in (False, True):
        with pool.borrowed(fresh=fresh) as worker:
            conversation = _Conversation(worker, pool, source, limits, len(data), articles=articles)
            had_others = worker.served > 0
            try:
                return conversation.reading(data)
            except WorkerLostError:
                ending = worker.end()
                if ending.expired or not had_others:
                    raise conversation.error(ending) from None
    raise AssertionError("a fresh worker has had no others")


class _Conversation:
    """One document, one worker."""

    def __init__(
        self,
        worker: Worker,
        pool: WorkerPool,
        source: RawSource,
        limits: ParsingLimits,
        size: int,
        *,
        articles: bool,
    ):
        self._worker = worker
        self._articles = articles
        self._pool = pool
        self._source = source
        self._limits = limits
        self._size = size
        self._patience = limits.patience(size)
        self._last_moment = time.monotonic() + limits.document_seconds
        self._pages = SpooledPages()
        self._attachments: list[RawSource] = []
        self._given_bytes = 0
        self._page_looked_at = 0

    def reading(self, data: bytes) -> Reading:
        """What the worker says of the document.

        Raises:
            WorkerLostError: it ended before it had said everything.
        """
        self._have_patience()
        self._pool.wake()
        self._worker.send(
            {
                "name": self._source.name,
                "media_type": self._source.media_type,
                "password": self._source.password,
                "limits": asdict(self._limits),
                "articles": self._articles,
            },
            data,
        )
        while True:
            header, body = self._worker.receive(limit=self._limits.output_bytes)
            try:
                end = self._take(header, body)
            except DalilError:
                raise
            except _NOT_OF_A_WORKER as error:
                raise WorkerLostError from error
            if end is not None:
                return end

    def error(self, ending: Ending) -> DalilError:
        """What became of the document with a worker that ended so."""
        name, page = self._source.name, max(len(self._pages), self._page_looked_at)
        details: dict[str, Any] = {"page": page, "signal": ending.signal, "peak_bytes": ending.peak_bytes}
        if ending.expired or ending.signal == "SIGALRM":
            return DocumentTimeoutError(
                f"{name} took too long to read: it was stopped after page {page}.", details=details
            )
        if ending.from_outside:
            return LoaderError(
                f"{name} was not read: the process that read it was stopped from outside ({ending.signal}).",
                advice="Add it again. If it happens again, the machine may be short of memory.",
                details=details,
            )
        if ending.peak_address_bytes >= _OUT_OF_MEMORY_SHARE * (self._limits.memory_bytes + self._size):
            return self._too_large(**details)
        how = ending.signal or f"exit status {ending.status}"
        return CorruptDocumentError(
            f"{name} is damaged: its reader crashed ({how}) after page {page}.", details=details
        )

    def _have_patience(self) -> None:
        self._worker.deadline = min(time.monotonic() + self._patience, self._last_moment)

    def _take(self, header: dict[str, Any], body: bytes) -> Reading | None:
        """One frame; the reading, when it is complete."""
        self._given_bytes += len(body)
        if self._given_bytes > self._limits.output_bytes:
            limit = self._limits.output_bytes // _MEGABYTE
            raise DocumentTooLargeError(f"{self._source.name} gives more than {limit} megabytes of text and pictures.")
        match header["kind"]:
            case "page":
                self._spool(header, body)
            case "progress":
                self._page_looked_at = int(header["page"])
            case "attachment":
                self._attachments.append(attachment_of(header, body))
            case "error":
                self._worker.fit = header["fit"] is True
                raise error_of(header)
            case "end":
                self._worker.fit = header["fit"] is True
                return self._finished(header)
            case _:
                raise ValueError("this is no frame of a worker")
        self._have_patience()
        return None

    def _finished(self, header: dict[str, Any]) -> Reading:
        # Some libraries go on without what they got no memory for.
        strain = float(header["strain"])
        if strain >= _EMPTY_BY_STRAIN and not any(page.text.strip() or page.image for page in self._pages):
            raise self._too_large()
        warnings = [*map(str, header["warnings"])]
        if strain >= _STRAINED:
            warnings.append("reading took nearly all the memory it may have: something may be missing")
        title = header["title"]
        return Reading(
            self._pages,
            None if title is None else str(title),
            dict(header["metadata"]),
            warnings,
            tuple(self._attachments),
        )

    def _too_large(self, **details: object) -> DocumentTooLargeError:
        allowed = (self._limits.memory_bytes + self._size) // _MEGABYTE
        return DocumentTooLargeError(
            f"{self._source.name} needs more memory than it may have ({allowed} megabytes).", details=details
        )

    def _spool(self, header: dict[str, Any], body: bytes) -> None:
        page = page_of(header, body)
        try:
            self._pages.append(page)
        except OSError as error:
            raise LoaderError(
                f"The pages of {self._source.name} could not be kept: {error.strerror or error}.",
                advice="Free some space in the folder for temporary files.",
            ) from error
