"""The providers that run models on this machine, each over a tiny model in a folder, and what it should give."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from providers import tiny_models

NEEDED = {
    "fastembed": ("fastembed", "onnx"),
    "sentence-transformers": ("sentence_transformers",),
}


def skip_unless_installed(provider: str) -> None:
    """Skips the test, saying what to install."""
    for package in NEEDED[provider]:
        if find_spec(package) is None:
            pytest.skip(f"needs {package}: pip install 'dalil[{provider}]' onnx")


@dataclass(frozen=True)
class Made:
    """A provider with its models' folders; `vector` and `score` compute by other means what its models give."""

    provider: str
    embedder: Path
    reranker: Path
    vector: Callable[[str], Any]
    score: Callable[[str, str], float]
    prompts: tuple[str, str]

    @property
    def embedder_name(self) -> str:
        return f"{self.provider}:{self.embedder}"

    @property
    def reranker_name(self) -> str:
        return f"{self.provider}:{self.reranker}"


def unit(vector: Sequence[float]) -> Any:
    return np.asarray(vector) / np.linalg.norm(vector)


def make(provider: str, root: Path) -> Made:
    """The provider over models made under `root`; its package is imported here, whatever it warns of."""
    skip_unless_installed(provider)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _fastembed(root) if provider == "fastembed" else _sentence_transformers(root)


def _fastembed(root: Path) -> Made:
    from tokenizers import Tokenizer

    embedder, reranker = tiny_models.onnx_embedder(root / "embedder"), tiny_models.onnx_cross_encoder(root / "reranker")
    tokenizer, table = Tokenizer.from_file(str(embedder / "tokenizer.json")), tiny_models.table()
    tokenizer.enable_truncation(tiny_models.LONGEST)

    def vector(text: str) -> Any:
        return unit(table[tokenizer.encode(text).ids].mean(axis=0))

    def score(question: str, text: str) -> float:
        pair = tokenizer.encode(question, text)
        rows, kinds = table[pair.ids], np.array(pair.type_ids)
        return float(rows[kinds == 0].mean(axis=0) @ rows[kinds == 1].mean(axis=0))

    return Made("fastembed", embedder, reranker, vector, score, ("", ""))


def _sentence_transformers(root: Path) -> Made:
    import torch
    from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

    embedder = tiny_models.sentence_transformer(root / "embedder")
    reranker = tiny_models.cross_encoder(root / "reranker")
    plain, pairs = root / "embedder-bert", root / "reranker-bert"
    tokenizer = AutoTokenizer.from_pretrained(plain)
    encoder = AutoModel.from_pretrained(plain).eval()
    judge = AutoModelForSequenceClassification.from_pretrained(pairs).eval()
    longest: dict[str, Any] = {"truncation": True, "max_length": tiny_models.LONGEST, "return_tensors": "pt"}

    @torch.inference_mode()
    def vector(text: str) -> Any:
        return unit(encoder(**tokenizer(text, **longest)).last_hidden_state[0].mean(dim=0).numpy())

    @torch.inference_mode()
    def score(question: str, text: str) -> float:
        return float(judge(**tokenizer(question, text, **longest)).logits[0, 0])

    return Made("sentence-transformers", embedder, reranker, vector, score, ("query : ", "passage : "))
