"""From the bytes of any document to its reading, with every failure one of the error tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from dalil.errors import CorruptDocumentError, DalilError, DocumentTooLargeError, LoaderError
from dalil.models import Page, RawSource
from dalil.parsing.formats import reader_of
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading
from dalil.parsing.sniffing import MEDIA_TYPES, sniff


def read_document(data: bytes, source: RawSource, limits: ParsingLimits, *, articles: bool = False) -> Reading:
    """What the reader of its format makes of it; its `metadata` tells the media type that was found.

    `articles` reads HTML as `HeuristicBackend(articles=True)` says.

    Raises:
        DocumentError: it cannot be read, or is empty; also while the pages are iterated.
    """
    with _typed(source.name):
        kind = sniff(data, source.name, source.media_type, limits)
        reading = reader_of(kind, articles=articles)(data, source, limits)
    metadata = {"media_type": MEDIA_TYPES[kind], **reading.metadata}
    return replace(reading, pages=_pages(reading, source.name, limits), metadata=metadata)


def _pages(reading: Reading, name: str, limits: ParsingLimits) -> Iterator[Page]:
    with _typed(name):
        for count, page in enumerate(reading.pages, 1):
            if count > limits.pages:
                raise DocumentTooLargeError(f"{name} has more than {limits.pages} pages.")
            yield page


@contextmanager
def _typed(name: str) -> Iterator[None]:
    try:
        yield
    except DalilError:
        raise
    except MemoryError as error:
        raise DocumentTooLargeError(f"{name} needs more memory than it may have.") from error
    except RecursionError as error:
        raise DocumentTooLargeError(f"{name} is nested too deeply.") from error
    except ImportError as error:
        raise LoaderError(
            f"{name} cannot be read: {error}.", advice="Install dalil anew: a library it needs is missing or broken."
        ) from error
    except Exception as error:
        # Damage that a reader did not foresee shows as an error of whatever library found it.
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        raise CorruptDocumentError(f"{name} is damaged, or its reader failed on it ({reason}).") from error
