"""JSON and JSON Lines: records as lines of "path: value", lists of flat records as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count, islice

from dalil.errors import DocumentTooLargeError
from dalil.models import Page, RawSource
from dalil.parsing.characters import Cleaner
from dalil.parsing.encodings import decode
from dalil.parsing.formats.json.notebook import is_notebook, write_notebook
from dalil.parsing.formats.json.values import parse, title_of
from dalil.parsing.formats.json.writing import write_value
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_RECORDS_OF_A_PAGE = 500
_MANY_RECORDS = 1000


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page; long lists of records and JSON Lines give one for every 500 records.

    Text that turns out not to be JSON is read as it stands, with a warning.

    Raises:
        DocumentTooLargeError: it is larger than markup may be, or nests too deep.
    """
    cleaner = Cleaner()
    text = cleaner.clean(decode(data))
    warnings: list[str] = []
    title: str | None = None
    if _is_lines(text):
        pages = _pages(_records(text, source.name, limits, warnings))
    elif len(data) > limits.markup_bytes:
        raise DocumentTooLargeError(f"{source.name} has {len(data)} bytes of JSON; the limit is {limits.markup_bytes}.")
    else:
        try:
            value = parse(text, source.name, limits.nesting)
        except ValueError as error:
            warnings.append(f"this is no valid JSON, and was read as text: {error}")
            value = text.strip("\n")
        title = title_of(value)
        if is_notebook(value):
            pages = iter([Page(1, write_notebook(value))])
        elif isinstance(value, list) and len(value) > _MANY_RECORDS:
            pages = _pages(value)
        else:
            pages = iter([Page(1, write_value(value))])
    return Reading(_cleaned(pages, cleaner, warnings), title, warnings=warnings)


def _is_lines(text: str) -> bool:
    """Whether two lines begin like objects and end like them, and no bracket holds them together."""
    first, _, rest = text.lstrip().partition("\n")
    second = rest.lstrip().partition("\n")[0]
    return all(line.startswith("{") and line.rstrip().endswith("}") for line in (first, second))


def _records(text: str, name: str, limits: ParsingLimits, warnings: list[str]) -> Iterator[object]:
    broken: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield parse(line, name, limits.nesting)
            except ValueError:
                broken.append(number)
                yield line.strip()
    if broken:
        warnings.append(f"lines that are no valid JSON were read as text: {len(broken)}, the first is line {broken[0]}")


def _pages(values: Iterable[object]) -> Iterator[Page]:
    remaining = iter(values)
    start = 0
    for number in count(1):
        taken = list(islice(remaining, _RECORDS_OF_A_PAGE))
        if not taken:
            return
        alone = number == 1 and len(taken) < _RECORDS_OF_A_PAGE
        yield Page(number, write_value(taken), label="" if alone else f"records {start + 1}-{start + len(taken)}")
        start += len(taken)


def _cleaned(pages: Iterator[Page], cleaner: Cleaner, warnings: list[str]) -> Iterator[Page]:
    """Pages without what escapes such as "\\u202e" brought into them."""
    for page in pages:
        yield replace(page, text=cleaner.clean(page.text))
    warnings.extend(cleaner.warnings())
