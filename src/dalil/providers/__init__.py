"""Models behind ports, one room per technology; `embedder_by_name` and `llm_by_name` turn a string into one."""

from dalil.providers.names import embedder_by_name, embedder_of_store, llm_by_name

__all__ = ["embedder_by_name", "embedder_of_store", "llm_by_name"]
