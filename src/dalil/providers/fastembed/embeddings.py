"""Embeddings by fastembed: one of the models it knows, or a folder with an ONNX model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.errors import ConfigurationError
from dalil.providers.fastembed.folder import POOLINGS, pooling_of, register_embedder
from dalil.providers.hosting.batching import Limits
from dalil.providers.hosting.clients import package
from dalil.providers.machine.embedder import LIMITS, MachineEmbedder, Side
from dalil.providers.machine.place import ModelPlace
from dalil.providers.machine.prefixes import Prefixes
from dalil.providers.machine.thread import shared

PROVIDER = "fastembed"


class FastembedEmbedder(MachineEmbedder):
    """An Embedder and QueryEmbedder: questions by `query_embed`, passages by `passage_embed`.

    `query_prefix` and `passage_prefix` are put before texts. `pooling` ("mean", "cls", "last", "none") is for a folder
    that does not tell it; `threads` is what onnxruntime may use. With `local_files_only` nothing is fetched.

    Raises:
        ConfigurationError: if there is no such folder or pooling, or a number cannot be one.
    """

    def __init__(
        self,
        model: str,
        *,
        dimensions: int | None = None,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        pooling: str | None = None,
        threads: int | None = None,
        local_files_only: bool = False,
        limits: Limits = LIMITS,
    ):
        place = ModelPlace.of(PROVIDER, model, local_files_only=local_files_only)
        super().__init__(place, Prefixes.of(place.model, query_prefix, passage_prefix), dimensions, limits)
        if place.revision is not None:
            raise ConfigurationError("fastembed chooses the revision itself.", advice="Leave out what follows the @.")
        if pooling is not None and (pooling not in POOLINGS or place.folder is None):
            raise ConfigurationError(
                f"{pooling!r} is no pooling for {place.shown}.",
                advice=f"For a folder there are: {', '.join(POOLINGS)}; models that fastembed knows bring theirs.",
            )
        self._pooling = pooling if place.folder is None else pooling or pooling_of(place.folder)
        self._threads = threads

    @property
    def identity(self) -> str:
        """As for all, and the pooling of a folder."""
        return super().identity if self._pooling is None else f"{super().identity} pooling={self._pooling}"

    def _load(self) -> Any:
        fastembed = package("fastembed", PROVIDER, self.name)
        key = ("TextEmbedding", self._place.identity, self._pooling, self._threads)
        return shared(key, lambda: self._opened(fastembed))

    def _opened(self, fastembed: Any) -> Any:
        if self._place.folder is None or self._pooling is None:
            return fastembed.TextEmbedding(
                self._place.model, threads=self._threads, local_files_only=not self._place.may_fetch
            )
        return fastembed.TextEmbedding(
            register_embedder(fastembed, self._place, self._pooling),
            threads=self._threads,
            specific_model_path=self._place.source,
            local_files_only=True,
        )

    def _encode(self, model: Any, texts: list[str], side: Side) -> Sequence[Any]:
        embed = model.query_embed if side == "query" else model.passage_embed
        prefix = (self._prefixes.query if side == "query" else self._prefixes.passage) or ""
        return list(embed([prefix + text for text in texts]))
