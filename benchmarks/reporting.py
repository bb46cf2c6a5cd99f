"""Rows of figures, for people or for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def show(rows: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    """One line a row, or all of them as JSON."""
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
