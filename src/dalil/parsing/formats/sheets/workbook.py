"""Opening workbooks with calamine, its errors as ours."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from dalil.errors import CorruptDocumentError, EncryptedDocumentError


def open_workbook(data: bytes, name: str) -> CalamineWorkbook:
    """The workbook.

    Raises:
        CorruptDocumentError: it cannot be opened, or has no sheets.
        EncryptedDocumentError: it is locked with a password.
    """
    with reading_errors(name):
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
    if not workbook.sheet_names:
        raise CorruptDocumentError(f"{name} has no sheets.")
    return workbook


@contextmanager
def reading_errors(name: str) -> Iterator[None]:
    """Turns what calamine raises into typed errors."""
    try:
        yield
    except PasswordError as error:
        raise EncryptedDocumentError(f"{name} is a workbook locked with a password.") from error
    except (CalamineError, OSError, ValueError) as error:
        raise CorruptDocumentError(f"{name} is a damaged workbook, or one of a kind that cannot be read.") from error
    except BaseException as error:
        # A panic in calamine is no Exception, and is known by its name alone.
        if type(error).__name__ != "PanicException":
            raise
        raise CorruptDocumentError(f"{name} is a damaged workbook.") from error
