"""What is put before questions and passages, for models that were trained with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_E5 = re.compile(r"intfloat/(multilingual-)?e5-(small|base|large)(-v2)?", re.IGNORECASE)


@dataclass(frozen=True)
class Prefixes:
    """The words before a question and before a passage; None: what the model's package puts there by itself."""

    query: str | None = None
    passage: str | None = None

    @classmethod
    def of(cls, model: str, query: str | None, passage: str | None) -> Prefixes:
        """Those given; else those of the E5 models, whose files do not tell them."""
        if query is None and passage is None and _E5.fullmatch(model):
            return cls("query: ", "passage: ")
        return cls(query, passage)

    def __str__(self) -> str:
        return f"query={_shown(self.query)} passage={_shown(self.passage)}"


def _shown(prefix: str | None) -> str:
    return "model" if prefix is None else repr(prefix)
