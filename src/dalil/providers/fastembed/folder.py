"""A folder with an ONNX model, told to fastembed: it knows models by name only, so each folder gets one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dalil.errors import ConfigurationError
from dalil.providers.machine.place import ModelPlace

POOLINGS = {"mean": "MEAN", "cls": "CLS", "last": "LAST_TOKEN", "none": "DISABLED"}
"""How the vectors of tokens become one: names here, and fastembed's own. "none": the model gives one vector."""
_FILES = ("onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx", "model_optimized.onnx")
_POOLING_FILE = "1_Pooling/config.json"
_SAVED = {
    "cls": "cls",
    "mean": "mean",
    "lasttoken": "last",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}


def pooling_of(folder: Path) -> str:
    """The pooling that sentence-transformers saved with the model.

    Raises:
        ConfigurationError: if it is not told.
    """
    try:
        saved = json.loads((folder / _POOLING_FILE).read_text("utf-8"))
        told = [saved.get("pooling_mode"), *(key for key, value in saved.items() if value is True)]
    except (OSError, ValueError, AttributeError):
        told = []
    for name in told:
        if isinstance(name, str) and name in _SAVED:
            return _SAVED[name]
    raise ConfigurationError(
        f"The model in {folder} does not tell how its vectors are pooled: there is no {_POOLING_FILE}.",
        advice=f"Give pooling, one of {', '.join(POOLINGS)}.",
    )


def model_file(folder: Path) -> str:
    """The ONNX file in the folder.

    Raises:
        ConfigurationError: if there is none under a usual name.
    """
    for name in _FILES:
        if (folder / name).is_file():
            return name
    raise ConfigurationError(f"There is no ONNX model in {folder}.", advice=f"Looked for: {', '.join(_FILES)}.")


def register_embedder(fastembed: Any, place: ModelPlace, pooling: str) -> str:
    """Tell fastembed of the model in the place's folder, once; the name that it has there."""
    from fastembed.common.model_description import ModelSource, PoolingType

    assert place.folder is not None
    name = f"{place.identity}/{pooling}"
    if not _known(fastembed.TextEmbedding, name):
        fastembed.TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType[POOLINGS[pooling]],
            normalization=False,
            sources=ModelSource(hf=name),  # it has to say one, and never asks it: the folder is given beside the name
            dim=0,
            model_file=model_file(place.folder),
        )
    return name


def register_reranker(encoder: Any, place: ModelPlace) -> str:
    """Tell fastembed's class of cross-encoders of the model in the place's folder, once; its name there."""
    from fastembed.common.model_description import ModelSource

    assert place.folder is not None
    name = place.identity
    if not _known(encoder, name):
        encoder.add_custom_model(model=name, sources=ModelSource(hf=name), model_file=model_file(place.folder))
    return name


def _known(kind: Any, name: str) -> bool:
    return any(model["model"] == name for model in kind.list_supported_models())
