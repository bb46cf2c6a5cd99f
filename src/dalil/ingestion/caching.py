"""The parse cache: the same bytes are not read twice by the same parser."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from dalil.models import ParsedDocument
from dalil.ports import Cache, DocumentParser, Identified, Tracer


class MemoryCache:
    """A Cache in this process that keeps its last `entries` values."""

    def __init__(self, entries: int = 64):
        self._entries = entries
        self._values: OrderedDict[str, Any] = OrderedDict()

    async def get(self, key: str) -> Any | None:
        """The value under `key`, or None."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    async def set(self, key: str, value: Any) -> None:
        """Keep `value`; the one not used for longest goes when there are too many."""
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._entries:
            self._values.popitem(last=False)


class ParseCache:
    """Parsed pages by content hash and parser. A cache that fails only costs time."""

    def __init__(self, cache: Cache, parser: DocumentParser, tracer: Tracer):
        self._cache = cache
        kind = type(parser)
        self._parser = parser.identity if isinstance(parser, Identified) else f"{kind.__module__}.{kind.__qualname__}"
        self._tracer = tracer

    async def get(self, content_hash: str, name: str) -> ParsedDocument | None:
        try:
            found = await self._cache.get(self._key(content_hash, name))
        except Exception:
            self._tracer.event("cache_unavailable", operation="get")
            return None
        if isinstance(found, ParsedDocument):
            self._tracer.event("parse_cache_hit", content_hash=content_hash)
            return found
        return None

    async def set(self, content_hash: str, name: str, parsed: ParsedDocument) -> None:
        try:
            await self._cache.set(self._key(content_hash, name), parsed)
        except Exception:
            self._tracer.event("cache_unavailable", operation="set")

    def _key(self, content_hash: str, name: str) -> str:
        # The ending of the name is a hint to the parser, so it is part of what was parsed.
        return f"parsed:{self._parser}:{name.rpartition('.')[2].casefold()}:{content_hash}"
