"""The worker's side: documents come in, pages go out, one document at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any, BinaryIO

from dalil.errors import (
    DalilError,
    DocumentTooLargeError,
    EmptyDocumentError,
    EncryptedDocumentError,
    UnsupportedFormatError,
)
from dalil.models import RawSource
from dalil.parsing import progress
from dalil.parsing.dispatch import read_document
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.worker import guards
from dalil.parsing.worker.frames import read_head, write_frame
from dalil.parsing.worker.memory import current_memory, peak_memory
from dalil.parsing.worker.records import attachment_record, error_record, page_record

_DOCUMENTS = 100
_GROWTH_BYTES = 256 * 1024 * 1024
_GRACE_SECONDS = 5.0
_PROGRESS_SECONDS = 0.1
_UNFIT_STRAIN = 0.4
_HARMLESS = (EmptyDocumentError, EncryptedDocumentError, UnsupportedFormatError)
"""Errors that are noticed before a library has worked on the document: the worker is as good as before."""


def main() -> None:
    """Serves its parent until that closes the pipe or ends, or something went wrong."""
    guards.reset_signals()
    guards.end_with_parent()
    guards.limit_files()
    guards.forbid_side_effects()
    incoming, outgoing = _take_over_pipes()
    server = _Server(incoming, outgoing)
    try:
        write_frame(outgoing, {"kind": "ready"})
        while server.serve():
            pass
    except (BrokenPipeError, EOFError):
        pass  # the parent is gone, or wants no more of it
    os._exit(0)  # nothing here is worth being tidied up


def _take_over_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent. What a library prints goes nowhere from now on."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    return incoming, outgoing


class _Server:
    """Answers one request after the other while this process is fit for another."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._served = 0
        self._begun = current_memory()

    def serve(self) -> bool:
        """Answer one request; whether another may follow.

        Raises:
            BrokenPipeError, EOFError: the parent does not listen any more.
        """
        head = read_head(self._incoming)
        if head is None:
            return False
        self._served += 1
        limits = ParsingLimits(**head.header["limits"])
        patience = limits.patience(head.body_bytes) + _GRACE_SECONDS
        guards.end_unless_called_again(patience)
        guards.limit_memory(self._begun.addresses + limits.memory_bytes + head.body_bytes)
        try:
            data = self._incoming.read(head.body_bytes)
            return self._answer(data, head.header, limits, patience)
        except DalilError as error:
            return self._refuse(error, fit=isinstance(error, _HARMLESS) and self._is_fit())
        except MemoryError:
            name = head.header["name"]
            return self._refuse(DocumentTooLargeError(f"{name} needs more memory than it may have."), fit=False)
        finally:
            guards.end_unless_called_again(0)

    def _answer(self, data: bytes, header: Mapping[str, Any], limits: ParsingLimits, patience: float) -> bool:
        source = RawSource(header["name"], data, media_type=header["media_type"], password=header["password"])
        with progress.told_to(_Reporter(self._outgoing, patience)):
            reading = read_document(data, source, limits, articles=header["articles"])
            for page in reading.pages:
                write_frame(self._outgoing, *page_record(page))
                guards.end_unless_called_again(patience)
        strain = self._strain(limits.memory_bytes + len(data))
        for attachment in reading.attachments:
            write_frame(self._outgoing, *attachment_record(attachment))
        fit = self._is_fit() and strain < _UNFIT_STRAIN
        end: dict[str, object] = {
            "kind": "end",
            "title": reading.title,
            "metadata": dict(reading.metadata),
            "warnings": list(reading.warnings),
            "strain": strain,
            "fit": fit,
        }
        write_frame(self._outgoing, end)
        return fit

    def _refuse(self, error: DalilError, *, fit: bool) -> bool:
        guards.lift_memory_limit()  # saying so takes memory too
        write_frame(self._outgoing, {**error_record(error).header, "fit": fit})
        return fit

    def _strain(self, allowed_bytes: int) -> float:
        """The share of the memory it may have that this process had at its worst."""
        return max(0, peak_memory(os.getpid()).addresses - self._begun.addresses) / allowed_bytes

    def _is_fit(self) -> bool:
        return self._served < _DOCUMENTS and current_memory().resident - self._begun.resident < _GROWTH_BYTES


class _Reporter:
    """Passes on how far a reader is, now and then."""

    def __init__(self, outgoing: BinaryIO, patience: float) -> None:
        self._outgoing = outgoing
        self._patience = patience
        self._next = 0.0

    def __call__(self, page: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PROGRESS_SECONDS
            write_frame(self._outgoing, {"kind": "progress", "page": page})
            guards.end_unless_called_again(self._patience)
