"""How a table of text is written: what separates its fields, and whether quotes enclose them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

_DELIMITERS = "\t;|,"
_SAMPLE_CHARS = 64 * 1024
_SAMPLE_ROWS = 100
_DECLARED = re.compile(r"sep=(.)\n")
_LEAST_SHARE = 0.5
_CLEAR_SHARE = 0.9


@dataclass(frozen=True)
class Dialect:
    """`delimiter` is None where nothing separates fields. `start` is where the first row begins."""

    delimiter: str | None
    columns: int = 1
    quoted: bool = True
    start: int = 0

    @property
    def quoting(self) -> Literal[0, 3]:
        """The constant of the csv module."""
        return csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE


def dialect_of(text: str) -> Dialect:
    """The dialect whose rows agree best on their number of fields.

    Where several agree well, tabs and semicolons win over commas, which also stand in numbers.
    """
    declared = _DECLARED.match(text)
    start = declared.end() if declared else 0
    candidates = declared[1] if declared else _DELIMITERS
    sample = text[start : start + _SAMPLE_CHARS]
    cut = start + len(sample) < len(text)
    found = [_agreement(sample, Dialect(mark, 1, _quotes_close(sample, mark, cut), start)) for mark in candidates]
    clear = [dialect for share, dialect in found if share >= _CLEAR_SHARE]
    if clear:
        return clear[0]
    share, best = max(found, key=lambda one: (one[0], one[1].columns))
    return best if share >= _LEAST_SHARE or declared else Dialect(None)


def _agreement(sample: str, dialect: Dialect) -> tuple[float, Dialect]:
    """The share of rows that have the most common number of fields, if that is more than one."""
    assert dialect.delimiter is not None
    rows: list[list[str]] = []
    lines = sample.split("\n")
    try:
        for row in csv.reader(lines, delimiter=dialect.delimiter, quoting=dialect.quoting, skipinitialspace=True):
            if any(row):
                rows.append(row)
            if len(rows) == _SAMPLE_ROWS:
                break
    except csv.Error:
        # A field of the sample is longer than the module reads.
        pass
    widths = Counter(len(row) for row in rows)
    widths.pop(1, None)
    if not widths:
        return 0.0, dialect
    columns, count = widths.most_common(1)[0]
    return count / len(rows), replace(dialect, columns=columns)


def _quotes_close(sample: str, delimiter: str, cut: bool) -> bool:
    """Whether the quotes that open fields are closed; in a sample that was `cut` the last may not be.

    One quote that is never closed, an inch sign for instance, would take all rows after it into one field.
    """
    edge = re.escape(delimiter)
    openings = len(re.findall(rf'(?:^|\n|{edge}) *"', sample))
    closings = len(re.findall(rf'"(?= *(?:\n|{edge}|$))', sample))
    return closings >= openings - cut
