"""Reranking by any CrossEncoder: a hub model, or a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.errors import LLMGenerationError
from dalil.providers.hosting.batching import Limits
from dalil.providers.machine.embedder import LIMITS
from dalil.providers.machine.place import ModelPlace
from dalil.providers.machine.reranker import MachineReranker
from dalil.providers.machine.thread import shared
from dalil.providers.sentence_transformers.package import PROVIDER, load


class SentenceTransformersReranker(MachineReranker):
    """A Reranker over a cross-encoder with one score for a pair. `device` and `local_files_only` as for embedding.

    Raises:
        ConfigurationError: if there is no such folder.
    """

    def __init__(
        self, model: str, *, device: str | None = None, local_files_only: bool = False, limits: Limits = LIMITS
    ):
        super().__init__(ModelPlace.of(PROVIDER, model, local_files_only=local_files_only), limits)
        self._device = device

    def _load(self) -> Any:
        key = ("CrossEncoder", self._place.identity, self._device)
        model = shared(key, lambda: load("CrossEncoder", self._place, self._device))
        if model.num_labels != 1:
            raise LLMGenerationError(
                f"{self.name} gives {model.num_labels} scores for a passage; a reranker gives one.",
                advice="Name a cross-encoder that was trained to rank.",
            )
        return model

    def _score(self, model: Any, query: str, texts: list[str]) -> Sequence[Any]:
        from torch.nn import Identity

        pairs = [(query, text) for text in texts]
        scores: Sequence[Any] = model.predict(
            pairs, batch_size=len(pairs), activation_fn=Identity(), show_progress_bar=False
        )
        return scores
