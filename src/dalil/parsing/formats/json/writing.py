"""JSON values as text that can be searched: each value with the path that leads to it."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.parsing.formats.json.values import Members, is_flat, is_scalar
from dalil.parsing.markup import table

_WIDEST_TABLE = 30
_LONGEST_CELL = 300
_LONGEST_LIST = 200


def write_value(value: object, path: str = "") -> str:
    """A value under its path. Records of a list are separated by blank lines."""
    if isinstance(value, list):
        rows = _table_rows(value)
        if rows:
            return "\n\n".join([*([f"{path}:"] if path else []), table(rows)])
        if not all(is_scalar(one) for one in value):
            # The records of the document itself need no path.
            return "\n\n".join(write_value(one, f"{path}[{place}]" if path else "") for place, one in enumerate(value))
    if isinstance(value, Members):
        return write_record(value, path)
    return "\n".join(_lines(value, path))


def write_record(members: Members, path: str = "") -> str:
    """An object: a line for each value inside it, and a block for each table."""
    blocks: list[str] = []
    lines: list[str] = []
    for name, value in members:
        inner = f"{path}.{name}" if path else name
        if isinstance(value, list) and _table_rows(value):
            blocks.extend(["\n".join(lines), write_value(value, inner)])
            lines = []
        else:
            lines.extend(_lines(value, inner))
    blocks.append("\n".join(lines))
    return "\n\n".join(block for block in blocks if block)


def _lines(value: object, path: str) -> Iterator[str]:
    if isinstance(value, Members):
        for name, inner in value:
            yield from _lines(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        if all(is_scalar(one) for one in value) and sum(len(scalar(one)) for one in value) <= _LONGEST_LIST:
            yield _labelled(path, ", ".join(scalar(one) for one in value))
        else:
            for place, one in enumerate(value):
                yield from _lines(one, f"{path}[{place}]")
    else:
        yield _labelled(path, scalar(value))


def _labelled(path: str, text: str) -> str:
    return f"{path}: {text}" if path else text


def scalar(value: object) -> str:
    """A value that holds no others, as JSON writes it; strings without quotes."""
    if isinstance(value, str):
        return value
    return "null" if value is None else "true" if value else "false"


def _table_rows(values: list[object]) -> list[list[str]]:
    """A list of flat records as rows under a header, or nothing where a table would not be read."""
    if len(values) < 2:
        return []
    columns: dict[str, None] = {}
    for value in values:
        if not is_flat(value) or len({name for name, _ in value}) < len(value):
            return []
        if any(len(scalar(inner)) > _LONGEST_CELL for _, inner in value):
            return []
        columns.update(dict.fromkeys(name for name, _ in value))
    if not 0 < len(columns) <= _WIDEST_TABLE:
        return []
    rows = [[_cell(value.first(column)) for column in columns] for value in values if isinstance(value, Members)]
    return [list(columns), *rows]


def _cell(value: object) -> str:
    return "" if value is None else scalar(value)
