"""How the name of a model is written: PROVIDER:MODEL[,dimensions=N][@BASE_URL]."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dalil.errors import ConfigurationError

FORM = "PROVIDER:MODEL[,dimensions=N][@BASE_URL]"
_NAME = re.compile(
    r"(?P<provider>[a-z][a-z0-9_-]*):(?P<model>[^,\s]+?)(?P<options>(?:,[^,@\s]*)*)(?:@(?P<base_url>https?://\S+))?"
)


@dataclass(frozen=True)
class ModelName:
    """A name taken apart. The base URL may hold a password, so it is never shown by repr."""

    provider: str
    model: str
    dimensions: int | None = None
    base_url: str | None = field(default=None, repr=False)

    @property
    def shown(self) -> str:
        """The provider and the model, for messages."""
        return f"{self.provider}:{self.model}"


def parse_name(name: str) -> ModelName | None:
    """The parts of `name`; None if it is not of this form.

    A model's name may have colons, slashes and @ in it: the base URL begins at the last @http:// or @https://.

    Raises:
        ConfigurationError: if there is an option that is none.
    """
    found = _NAME.fullmatch(name.strip())
    if found is None:
        return None
    dimensions = None
    for option in filter(None, found["options"].split(",")):
        key, _, value = option.partition("=")
        if key != "dimensions" or not (value.isascii() and value.isdigit()) or int(value) == 0:
            raise ConfigurationError(f"{option!r} is no option of a model.", advice=f"Write {FORM}.")
        dimensions = int(value)
    return ModelName(found["provider"], found["model"], dimensions, found["base_url"])
