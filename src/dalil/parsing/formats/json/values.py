"""JSON values as they are written: numbers with all their digits, members in order and with their duplicates."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

from dalil.errors import DocumentTooLargeError

_LONGEST_TITLE = 200


class Members(tuple[tuple[str, Any], ...]):
    """An object: its names and values in order, duplicates included."""

    __slots__ = ()

    def first(self, name: str) -> Any:
        """The first value of a name, or None."""
        return next((value for key, value in self if key == name), None)


class Literal(str):
    """A number, or a word such as NaN, as the document writes it."""

    __slots__ = ()


def parse(text: str, name: str, deepest: int) -> Any:
    """Objects as `Members`, arrays as lists, numbers as `Literal`; strings, true, false and null as in Python.

    Raises:
        ValueError: it is no JSON.
        DocumentTooLargeError: it nests deeper than `deepest`.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=Members, parse_int=Literal, parse_float=Literal, parse_constant=Literal
        )
    except RecursionError:
        raise _too_deep(name, deepest) from None
    if not _is_shallow(value, deepest):
        raise _too_deep(name, deepest)
    return value


def is_scalar(value: object) -> bool:
    """Whether a value holds no others."""
    return not isinstance(value, Members | list)


def is_flat(value: object) -> TypeGuard[Members]:
    """Whether a value is an object of scalars."""
    return isinstance(value, Members) and all(is_scalar(inner) for _, inner in value)


def title_of(value: object) -> str | None:
    """What a document calls itself, if it is an object with a title."""
    title = value.first("title") if isinstance(value, Members) else None
    return title if isinstance(title, str) and 0 < len(title) <= _LONGEST_TITLE else None


def _is_shallow(value: object, deepest: int) -> bool:
    stack = [(value, 0)]
    while stack:
        value, depth = stack.pop()
        if depth > deepest:
            return False
        if isinstance(value, Members):
            stack.extend((inner, depth + 1) for _, inner in value)
        elif isinstance(value, list):
            stack.extend((inner, depth + 1) for inner in value)
    return True


def _too_deep(name: str, deepest: int) -> DocumentTooLargeError:
    return DocumentTooLargeError(f"{name} nests its values more than {deepest} deep.")
