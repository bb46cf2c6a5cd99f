"""Models of other packages, by entry points in the groups `dalil.embedders`, `dalil.llms` and `dalil.rerankers`.

The entry point's name is the word before the colon; what it points at is called with the model's name (the rest,
"" where there is no colon) and gives an object with the port.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dalil.errors import ConfigurationError, DalilError
from dalil.providers.catalogue import Port

GROUPS: dict[Port, str] = {"embedder": "dalil.embedders", "llm": "dalil.llms", "reranker": "dalil.rerankers"}


def plugin_names(port: Port) -> list[str]:
    """The words that other packages have registered for the port."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=GROUPS[port])})


def plugin_model(port: Port, name: str) -> Any | None:
    """The object that another package gives for `name`; None if no package has registered its first word.

    Raises:
        ConfigurationError: if the package cannot be loaded, or fails to give one.
    """
    from importlib.metadata import entry_points

    word, _, model = name.partition(":")
    found = list(entry_points(group=GROUPS[port], name=word))
    if not found:
        return None
    try:
        make: Callable[[str], Any] = found[0].load()
        return make(model)
    except DalilError:
        raise
    except Exception as error:
        raise ConfigurationError(f"The plug-in {word!r} gave no {port}: {error}.") from error
