"""What users and documents said, apart from what is known about it: ids and numbers are no content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CONTENT = frozenset({"question", "resolved", "query", "documents", "prompt", "text"})
"""The attributes that hold text. Only "resolved" is set for every tracer, the others for those that record content."""


def allowed(attributes: Mapping[str, Any], *, content: bool) -> dict[str, Any]:
    """The attributes that may be written: all of them, or those that are no content."""
    return {name: value for name, value in dict(attributes).items() if content or name not in CONTENT}
