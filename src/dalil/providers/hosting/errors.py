"""Failures of calls as errors of dalil's tree."""

from __future__ import annotations

from typing import Any

from dalil.errors import (
    EmbeddingAPIError,
    EmbeddingError,
    EmbeddingModelNotFoundError,
    LLMConnectionError,
    LLMError,
    LLMGenerationError,
    LLMRateLimitError,
    LLMTimeoutError,
)
from dalil.providers.hosting.failures import Cause, Failure

_ADVICE = {
    Cause.UNREACHABLE: "Check the address, and that the service can be reached from here.",
    Cause.TIMEOUT: "Try again, or allow more time.",
    Cause.RATE_LIMIT: "Wait a little and try again.",
    Cause.REFUSED: "Check the model's name and settings.",
    Cause.KEY: "Check the API key, and what it may be used for.",
    Cause.NOT_FOUND: "Check the model's name and the address.",
    Cause.FAILED: "Try again later.",
    Cause.MALFORMED: "Check that this address is the provider's API.",
}
_LLM_ERRORS: dict[Cause, type[LLMError]] = {
    Cause.UNREACHABLE: LLMConnectionError,
    Cause.TIMEOUT: LLMTimeoutError,
    Cause.RATE_LIMIT: LLMRateLimitError,
}


def embedding_error(name: str, failure: Failure) -> EmbeddingError:
    """The error of an embedder whose call failed for good."""
    kind = EmbeddingModelNotFoundError if failure.cause is Cause.NOT_FOUND else EmbeddingAPIError
    return kind(f"{name} {failure}.", advice=_ADVICE[failure.cause], details=_details(failure))


def llm_error(name: str, failure: Failure) -> LLMError:
    """The error of a language model or reranker whose call failed for good."""
    kind = _LLM_ERRORS.get(failure.cause, LLMGenerationError)
    return kind(f"{name} {failure}.", advice=_ADVICE[failure.cause], details=_details(failure))


def _details(failure: Failure) -> dict[str, Any]:
    details = {"cause": failure.cause.name.lower(), "status": failure.status, "retry_after": failure.retry_after}
    return {key: value for key, value in details.items() if value is not None}
