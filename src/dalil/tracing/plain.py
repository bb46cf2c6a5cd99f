"""Attributes as JSON, whatever they are."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence, Set
from typing import Any

_DEEPEST = 8


def plain(value: Any, depth: int = 0) -> Any:
    """The same value of nothing but JSON's types; what is none of them is written out, or named when it cannot be."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    try:
        if depth < _DEEPEST and isinstance(value, Mapping):
            return {str(key): plain(item, depth + 1) for key, item in value.items()}
        if depth < _DEEPEST and isinstance(value, (Sequence, Set)) and not isinstance(value, (bytes, bytearray)):
            return [plain(item, depth + 1) for item in value]
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"


def as_json(value: Any) -> str:
    """One line of JSON, letters as letters."""
    return json.dumps(plain(value), ensure_ascii=False)
