"""The picture of one page of a file, made in a process that is ended when it takes too long."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO

from dalil.errors import (
    CorruptDocumentError,
    DalilError,
    DocumentNotFoundError,
    DocumentTimeoutError,
    UnsupportedFormatError,
)
from dalil.models import RawSource
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.sniffing import Format, sniff
from dalil.parsing.worker import guards
from dalil.parsing.worker.frames import read_frame, write_frame
from dalil.parsing.worker.memory import current_memory
from dalil.parsing.worker.process import worker_environment
from dalil.parsing.worker.records import error_of, error_record

_DOTS_PER_INCH = 150.0


def page_picture(data: bytes, source: RawSource, number: int, limits: ParsingLimits | None = None) -> bytes:
    """Page `number` of a PDF or a picture, as a PNG of at most `limits.render_pixels`.

    Raises:
        UnsupportedFormatError: it is of a format whose pages have no picture.
        DocumentNotFoundError: it has no such page.
        DocumentTimeoutError: making it took longer than `limits` allow.
        DocumentError: the file cannot be read.
    """
    limits = limits or ParsingLimits()
    request = BytesIO()
    header = {
        "name": source.name,
        "number": number,
        "media_type": source.media_type,
        "password": source.password,
        "limits": asdict(limits),
    }
    write_frame(request, header, (data,))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "dalil.parsing.picturing"],
            input=request.getvalue(),
            capture_output=True,
            timeout=limits.patience(len(data)),
            env=worker_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DocumentTimeoutError(f"The picture of page {number} of {source.name} took too long to make.") from None
    frame = read_frame(BytesIO(done.stdout)) if done.stdout else None
    if frame is None:
        raise CorruptDocumentError(f"{source.name} is damaged: what draws it crashed.")
    header, png = frame
    if header["kind"] == "error":
        raise error_of(header)
    return png


def main() -> None:
    """Answers the one request on stdin."""
    guards.limit_files()
    frame = read_frame(sys.stdin.buffer)
    if frame is not None:
        _answer(*frame, sys.stdout.buffer)


def _answer(header: Mapping[str, Any], data: bytes, outgoing: BinaryIO) -> None:
    limits = ParsingLimits(**header["limits"])
    source = RawSource(header["name"], data, media_type=header["media_type"], password=header["password"])
    guards.limit_memory(current_memory().addresses + limits.memory_bytes + len(data))
    try:
        png = _drawn(data, source, header["number"], limits)
    except DalilError as error:
        write_frame(outgoing, error_record(error).header)
    else:
        write_frame(outgoing, {"kind": "picture"}, (png,))


def _drawn(data: bytes, source: RawSource, number: int, limits: ParsingLimits) -> bytes:
    kind = sniff(data, source.name, source.media_type, limits)
    if kind is Format.PDF:
        from dalil.parsing.formats.pdf.engine import LOCK, opened
        from dalil.parsing.formats.pdf.pictures import page_png

        with LOCK, opened(data, source) as document:
            if number > len(document):
                raise _no_such_page(source, number)
            return page_png(document[number - 1], limits, dpi=_DOTS_PER_INCH)
    if kind is Format.PICTURE:
        from dalil.parsing.formats.picture import read

        page = next(islice(read(data, source, limits).pages, number - 1, number), None)
        if page is None or page.image is None or page.image.data is None:
            raise _no_such_page(source, number)
        return page.image.data
    raise UnsupportedFormatError(
        f"{source.name} has no pictures of its pages: it is {kind}.", advice="PDF files and pictures have them."
    )


def _no_such_page(source: RawSource, number: int) -> DocumentNotFoundError:
    return DocumentNotFoundError(f"{source.name} has no page {number} that can be shown.", advice="")


if __name__ == "__main__":
    main()
