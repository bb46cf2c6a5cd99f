"""The package that runs the models of this room."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dalil.providers.hosting.clients import package
from dalil.providers.machine.place import ModelPlace

PROVIDER = "sentence-transformers"
_CACHE = "SENTENCE_TRANSFORMERS_HOME"
"""The package's own variable for where it keeps what it fetched; without it, the hub's cache."""


def load(kind: str, place: ModelPlace, device: str | None) -> Any:
    """The model of that class of the package. Code that comes with a model is never run.

    Raises:
        MissingExtraError: if the package is not installed.
        FileNotFoundError: if nothing may be fetched and the model is not here.
    """
    sentence_transformers = package("sentence_transformers", PROVIDER, place.shown)
    return getattr(sentence_transformers, kind)(
        place.source if place.folder is not None or place.may_fetch else _fetched_before(place),
        device=device,
        revision=place.revision,
        local_files_only=not place.may_fetch,
        trust_remote_code=False,
    )


def _fetched_before(place: ModelPlace) -> str:
    """The folder in the cache. `local_files_only` does not do: the hub's client still asks other things then."""
    from huggingface_hub import try_to_load_from_cache

    for name in ("modules.json", "config.json"):
        found = try_to_load_from_cache(place.model, name, cache_dir=os.environ.get(_CACHE), revision=place.revision)
        if isinstance(found, str):
            return str(Path(found).parent)
    raise FileNotFoundError("it was never fetched")
