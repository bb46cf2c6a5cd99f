"""The counters of a saved system on disk."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dalil.rag.base import COUNTERS

STATS_FILE = "stats.json"
VECTOR_DB = "vector_db"
"""What a saved system's directory holds."""


def write_stats(directory: Path, stats: Mapping[str, Any]) -> None:
    """Write the counters as pretty-printed JSON, whole or not at all.

    Raises:
        OSError: if the directory cannot be written.
    """
    temporary = directory / f".{STATS_FILE}.{uuid.uuid4().hex}"
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(stats, file, indent=2, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, directory / STATS_FILE)
    finally:
        temporary.unlink(missing_ok=True)


def read_stats(directory: Path) -> dict[str, Any]:
    """The counters that were written there; {} if there are none.

    Raises:
        OSError: if the file cannot be read.
        ValueError: if it is damaged: no JSON object, or a counter in it that is no whole number.
    """
    file = directory / STATS_FILE
    if not file.exists():
        return {}
    stats = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(stats, dict) or any(type(stats.get(name, 0)) is not int for name in COUNTERS):
        raise ValueError(f"{STATS_FILE} does not hold counters")
    return stats
