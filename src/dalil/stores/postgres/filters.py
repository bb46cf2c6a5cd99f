"""A scope's filters as look-ups inside the search. Names and values are hashed and bound, never part of the SQL."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, isnan
from typing import Any

from dalil.scope import DOCUMENT_IDS, Scope, alternatives
from dalil.stores.postgres.encoding import digest, findable


async def allowed_documents(driver: Any, namespace: str, scope: Scope) -> set[str] | None:
    """The stored ids of the documents that the scope's filters admit; None when there are no filters."""
    allowed: set[str] | None = None
    for name, wanted in scope.filters.items():
        if name == DOCUMENT_IDS:
            passing = set(findable(value for value in alternatives(wanted) if isinstance(value, str)))
        else:
            fields = [field for value in alternatives(wanted) if (field := _field(name, value)) is not None]
            rows = await driver.fetch(
                "SELECT document FROM dalil_fields WHERE namespace = $1 AND field = ANY ($2)", namespace, fields
            )
            passing = {row[0] for row in rows}
        allowed = passing if allowed is None else allowed & passing
    return allowed


def fields_of(metadata: Mapping[str, Any]) -> list[bytes]:
    """The rows of the `dalil_fields` table for a document's metadata: one for each plain value."""
    found: dict[bytes, None] = {}
    for name, held in metadata.items():
        for value in alternatives(held):
            field = _field(name, value)
            if field is not None:
                found[field] = None
    return list(found)


def _field(name: Any, value: Any) -> bytes | None:
    """What stands for a field with this value; equal for what Python holds equal, None for what is no plain value."""
    if not isinstance(name, str):
        return None
    if isinstance(value, str):
        return digest(name, "text", value)
    if value is None:
        return digest(name, "none")
    if isinstance(value, float):
        if isnan(value):
            return None
        if not isfinite(value) or value != int(value):
            return digest(name, "number", repr(float(value)))
    if isinstance(value, (int, float)):
        number = int(value)  # 7 is 7.0, and True is 1
        return digest(name, "number", number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True))
    return None
