"""Reading chunks of any make: what they say, where they come from, and which one they are.

Nothing here raises: an attribute that cannot be read, or holds None, is passed over.
"""

from __future__ import annotations

from typing import Any


def text_of(chunk: Any) -> str:
    """The chunk's `text`, else its `content`, else its `page_content`, else `str(chunk)`."""
    text = _first(chunk, "text", "content", "page_content")
    return _as_string(chunk) if text is None else text


def document_of(chunk: Any) -> str | None:
    """The chunk's `doc_id`, else its `document_id`, else None."""
    return _first(chunk, "doc_id", "document_id")


def identity_of(chunk: Any) -> str:
    """The chunk's `chunk_id`, else its `id`, else `str(chunk)`."""
    identity = _first(chunk, "chunk_id", "id")
    return _as_string(chunk) if identity is None else identity


def _first(chunk: Any, *names: str) -> str | None:
    for name in names:
        try:
            value = getattr(chunk, name, None)
        except Exception:
            continue
        if value is not None and not callable(value):
            return _as_string(value)
    return None


def _as_string(value: Any) -> str:
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__} at {id(value):#x}>"
