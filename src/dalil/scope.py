"""Whose documents a call may touch: a namespace, narrowed by filters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

DOCUMENT_IDS = "document_ids"
"""The filter that narrows to these documents; present but empty, it matches nothing."""


@dataclass(frozen=True)
class Scope:
    """A tenant's namespace and the filters that narrow it.

    Filters are data: each key names a field of the document's metadata, each value is what the field must
    equal, and a list, tuple or set means *any of*. A field that holds a list matches when one of its items
    does. Filters only ever narrow.

    Raises:
        ValueError: if the namespace is blank.
    """

    namespace: str
    filters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.namespace.strip():
            raise ValueError("Scope.namespace must be a non-empty string")
        object.__setattr__(self, "filters", MappingProxyType(dict(self.filters)))

    def __hash__(self) -> int:
        return hash((self.namespace, repr(sorted(self.filters.items(), key=lambda item: item[0]))))

    def with_filters(self, **extra: Any) -> Scope:
        """The same scope, narrowed further; a filter named twice must satisfy both."""
        merged = dict(self.filters)
        for name, value in extra.items():
            merged[name] = _both(merged[name], value) if name in merged else value
        return Scope(self.namespace, merged)

    def admits(self, document_id: str, metadata: Mapping[str, Any]) -> bool:
        """Whether a document with this id and metadata passes every filter."""
        return all(
            document_id in alternatives(wanted)
            if name == DOCUMENT_IDS
            else name in metadata and not _disjoint(alternatives(wanted), alternatives(metadata[name]))
            for name, wanted in self.filters.items()
        )


def alternatives(value: Any) -> Collection[Any]:
    """The values that a filter allows, or that a metadata field holds: a collection's items, or the value alone."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    return (value,)


def _disjoint(left: Collection[Any], right: Collection[Any]) -> bool:
    return not any(item in right for item in left)


def _both(old: Any, new: Any) -> list[Any]:
    allowed = alternatives(new)
    return [item for item in alternatives(old) if item in allowed]
