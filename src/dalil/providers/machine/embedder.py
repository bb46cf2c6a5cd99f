"""What embedders on this machine do alike: clean, batch, run off the loop, check, normalise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from dalil.errors import ConfigurationError, DalilError, EmbeddingError, EmbeddingModelNotFoundError
from dalil.models import Vector
from dalil.providers.hosting.batching import Limits, clean
from dalil.providers.hosting.checking import checked_vectors
from dalil.providers.machine.place import ModelPlace
from dalil.providers.machine.prefixes import Prefixes
from dalil.providers.machine.thread import on_model_thread

Side = Literal["passage", "query"]

LIMITS = Limits(texts=32, tokens=16_000, longest_text=12_000)
"""Few texts in one call, so that a cancelled one ends soon; the model cuts long ones to what it can read."""


class MachineEmbedder(ABC):
    """One unit vector for each text, in order. Nothing is loaded before the first text comes.

    Raises:
        ConfigurationError: if `dimensions` is not positive, or there is no such folder.
    """

    def __init__(self, place: ModelPlace, prefixes: Prefixes, dimensions: int | None, limits: Limits):
        if dimensions is not None and dimensions < 1:
            raise ConfigurationError(f"dimensions must be positive, not {dimensions}.")
        self._place = place
        self._prefixes = prefixes
        self._dimensions = dimensions
        self._limits = limits
        self._width = dimensions
        self._model: Any = None

    @property
    def name(self) -> str:
        """The provider and the model, as they were named."""
        return self._place.shown

    @property
    def identity(self) -> str:
        """The model or its files, the width that was asked for, that vectors are unit, what stands before texts."""
        return f"{self._place.identity} dim={self._dimensions or 'native'} unit {self._prefixes}"

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector for each text, in order.

        Raises:
            EmbeddingModelNotFoundError: if the model cannot be loaded.
            EmbeddingDimensionError: if vectors are missing, or not all of one width.
            EmbeddingError: if the model fails, or gives numbers that are not finite.
            MissingExtraError: if the package that runs it is not installed.
        """
        return await self._embedded(texts, "passage")

    async def embed_query(self, text: str) -> Vector:
        """The unit vector of a question.

        Raises:
            EmbeddingError: as `embed` does.
        """
        return (await self._embedded([text], "query"))[0]

    async def aclose(self) -> None:
        """Let go of the model. The next call loads it again, unless others use it still."""
        self._model = None

    async def _embedded(self, texts: Sequence[str], side: Side) -> Sequence[Vector]:
        cleaned = [clean(text, self._limits) for text in texts]
        # Neighbours of like length waste least; the results go back to their own places.
        order = sorted(range(len(cleaned)), key=lambda index: len(cleaned[index]))
        vectors: list[Vector] = [()] * len(cleaned)
        for start in range(0, len(order), self._limits.texts):
            places = order[start : start + self._limits.texts]
            batch = [cleaned[index] for index in places]
            found = await on_model_thread(lambda batch=batch: self._batch(batch, side))  # type: ignore[misc]
            for index, vector in zip(places, found, strict=True):
                vectors[index] = vector
        return vectors

    def _batch(self, batch: list[str], side: Side) -> list[array[float]]:
        if self._model is None:
            self._model = self._loaded()
        try:
            matrix = self._encode(self._model, batch, side)
            rows = [_unit(row, self._dimensions) for row in matrix]
        except Exception as error:
            raise EmbeddingError(f"{self.name} failed: {first_line(error)}") from error
        vectors = checked_vectors(self.name, rows, len(batch), self._width)
        self._width = len(vectors[0])
        return vectors

    def _loaded(self) -> Any:
        try:
            return self._load()
        except DalilError:
            raise
        except Exception as error:
            raise EmbeddingModelNotFoundError(
                f"{self.name} cannot be loaded: {first_line(error)}", advice=loading_advice(self._place)
            ) from error

    @abstractmethod
    def _load(self) -> Any:
        """The model, on the models' thread."""

    @abstractmethod
    def _encode(self, model: Any, texts: list[str], side: Side) -> Sequence[Any]:
        """A vector for each text, on the models' thread."""


def first_line(error: Exception) -> str:
    """The kind of an error, and the first line of what it says."""
    said = str(error).strip().partition("\n")[0][:300]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def loading_advice(place: ModelPlace) -> str:
    """What to do about a model that cannot be loaded."""
    if place.folder is not None:
        return "Check that the folder holds a whole model of this kind."
    if not place.may_fetch:
        return f"It is not on this machine. Name it, so that it is fetched: {place.shown}."
    return "Check the model's name and that the hub can be reached, or name a folder that holds it."


def _unit(row: Any, dimensions: int | None) -> list[float]:
    vector = np.asarray(row, dtype=np.float64).reshape(-1)[:dimensions]
    with np.errstate(all="ignore"):  # what is not finite is found afterwards
        length = float(np.linalg.norm(vector))
        return list((vector / length if length else vector).tolist())
