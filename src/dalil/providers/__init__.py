"""Models behind ports, one room per technology.

`embedder_by_name`, `llm_by_name` and `reranker_by_name` turn a string into one; `ProviderConfig` names the hosted
models of a whole engine, and `ConfiguredModels` makes them. No provider's package is loaded before its first call.
"""

from dalil.providers.config import ProviderConfig
from dalil.providers.configured import ConfiguredModels
from dalil.providers.names import embedder_by_name, embedder_of_store, llm_by_name, reranker_by_name

__all__ = [
    "ConfiguredModels",
    "ProviderConfig",
    "embedder_by_name",
    "embedder_of_store",
    "llm_by_name",
    "reranker_by_name",
]
