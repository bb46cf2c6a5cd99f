"""What cross-encoders on this machine do alike: clean, batch, run off the loop, check, order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import exp, isfinite
from typing import Any

from dalil.errors import DalilError, LLMGenerationError
from dalil.models import ScoredChunk
from dalil.providers.hosting.batching import Limits, clean
from dalil.providers.machine.embedder import LIMITS, first_line, loading_advice
from dalil.providers.machine.place import ModelPlace
from dalil.providers.machine.thread import on_model_thread


class MachineReranker(ABC):
    """Scores in (0, 1) from a model that reads the question and a passage together.

    What it reads is the chunk's `embed_text`: the passage told where it stands. Nothing is loaded before the first
    call.
    """

    def __init__(self, place: ModelPlace, limits: Limits = LIMITS):
        self._place = place
        self._limits = limits
        self._model: Any = None

    @property
    def name(self) -> str:
        """The provider and the model, as they were named."""
        return self._place.shown

    async def rerank(self, query: str, candidates: Sequence[ScoredChunk], *, top_k: int) -> Sequence[ScoredChunk]:
        """The best `top_k` candidates with the model's scores, best first; nothing to rank loads nothing.

        Raises:
            LLMGenerationError: if the model cannot be loaded or fails, or its scores make no sense.
            MissingExtraError: if the package that runs it is not installed.
        """
        if not candidates or top_k <= 0:
            return []
        asked = clean(query, self._limits)
        texts = [clean(candidate.chunk.embed_text, self._limits) for candidate in candidates]
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        ranked: list[ScoredChunk] = []
        for start in range(0, len(order), self._limits.texts):
            places = order[start : start + self._limits.texts]
            batch = [texts[index] for index in places]
            scores = await on_model_thread(lambda batch=batch: self._batch(asked, batch))  # type: ignore[misc]
            ranked += [ScoredChunk(candidates[index].chunk, score) for index, score in zip(places, scores, strict=True)]
        return sorted(ranked, key=lambda scored: scored.rank)[:top_k]

    async def aclose(self) -> None:
        """Let go of the model. The next call loads it again, unless others use it still."""
        self._model = None

    def _batch(self, query: str, texts: list[str]) -> list[float]:
        if self._model is None:
            self._model = self._loaded()
        try:
            scores = [float(score) for score in self._score(self._model, query, texts)]
        except DalilError:
            raise
        except Exception as error:
            raise LLMGenerationError(f"{self.name} failed: {first_line(error)}") from error
        if len(scores) != len(texts) or not all(map(isfinite, scores)):
            raise LLMGenerationError(f"{self.name} gave scores that do not match the passages.")
        return [_sigmoid(score) for score in scores]

    def _loaded(self) -> Any:
        try:
            return self._load()
        except DalilError:
            raise
        except Exception as error:
            raise LLMGenerationError(
                f"{self.name} cannot be loaded: {first_line(error)}", advice=loading_advice(self._place)
            ) from error

    @abstractmethod
    def _load(self) -> Any:
        """The model, on the models' thread."""

    @abstractmethod
    def _score(self, model: Any, query: str, texts: list[str]) -> Sequence[Any]:
        """The raw score (logit) of each text, on the models' thread."""


def _sigmoid(score: float) -> float:
    """Of a logit, in 64 bits: 32 would make all that is very good equally good."""
    return 1 / (1 + exp(-score)) if score >= 0 else exp(score) / (1 + exp(score))
