"""The values of cells as text."""

from __future__ import annotations

import datetime as dt
from typing import TypeAlias

from dalil.parsing.formats.office.numbers import duration_text, moment_text, number_text

Value: TypeAlias = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta
"""What a cell holds; an empty one holds an empty string."""


def cell_text(value: Value) -> str:
    """A value as a reader of the sheet expects it: whole numbers without `.0`, dates in ISO form."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    return moment_text(value)


def is_empty(value: Value) -> bool:
    """Whether a cell shows nothing."""
    return isinstance(value, str) and not value.strip()


def is_label(value: Value) -> bool:
    """Whether a cell holds words, as headers do."""
    return isinstance(value, str) and bool(value.strip())
