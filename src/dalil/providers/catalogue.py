"""The providers that dalil comes with, as one table: addresses, keys, packages, and which class does what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from dalil.providers.hosting.clients import missing_package

Port = Literal["embedder", "llm", "reranker"]

OWN_ADDRESS_VARIABLE = "DALIL_API_KEY"
"""Holds the key for a model at an address of one's own: a provider's key is never sent anywhere else."""


@dataclass(frozen=True)
class Provider:
    """One provider: its package, the extra that installs it, its key's environment variable, its classes by port.

    `base_url` is given to the classes where it is not their own default; `arguments` are given to them too. A provider
    that is not `hosted` runs models on this machine: it has no address and no key.
    """

    package: str
    extra: str
    classes: Mapping[Port, str]
    variable: str | None = None
    base_url: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    hosted: bool = True

    def check_installed(self, name: str) -> None:
        """Nothing, or an error.

        Raises:
            MissingExtraError: if the provider's package is not installed.
        """
        if find_spec(self.package) is None:
            raise missing_package(self.package, self.extra, name)

    def load(self, port: Port) -> Any:
        """The class that offers the port."""
        module, name = self.classes[port].split(":")
        return getattr(import_module(f"dalil.providers.{module}"), name)


_OPENAI: Mapping[Port, str] = {"embedder": "openai:OpenAIEmbedder", "llm": "openai:OpenAILLM"}

PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("openai", "openai", _OPENAI, "OPENAI_API_KEY"),
    "ollama": Provider(
        "openai", "openai", _OPENAI, base_url="http://localhost:11434/v1", arguments={"provider": "ollama"}
    ),
    "anthropic": Provider("anthropic", "anthropic", {"llm": "anthropic:AnthropicLLM"}, "ANTHROPIC_API_KEY"),
    "voyage": Provider(
        "httpx",
        "voyage",
        {"embedder": "voyage:VoyageEmbedder", "reranker": "voyage:VoyageReranker"},
        "VOYAGE_API_KEY",
    ),
    "cohere": Provider(
        "httpx",
        "cohere",
        {"embedder": "cohere:CohereEmbedder", "reranker": "cohere:CohereReranker"},
        "COHERE_API_KEY",
    ),
    "fastembed": Provider(
        "fastembed",
        "fastembed",
        {"embedder": "fastembed:FastembedEmbedder", "reranker": "fastembed:FastembedReranker"},
        hosted=False,
    ),
    "sentence-transformers": Provider(
        "sentence_transformers",
        "sentence-transformers",
        {
            "embedder": "sentence_transformers:SentenceTransformersEmbedder",
            "reranker": "sentence_transformers:SentenceTransformersReranker",
        },
        hosted=False,
    ),
}
EXAMPLES: Mapping[Port, str] = {
    "embedder": "openai:text-embedding-3-small",
    "llm": "openai:gpt-4o",
    "reranker": "voyage:rerank-2",
}
COMPATIBLE = "-compatible"
"""Ends the provider's word in the identity of a model at an address of one's own."""
