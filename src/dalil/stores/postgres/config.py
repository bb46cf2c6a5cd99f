"""Where the PostgreSQL store is and how it is used. Reads nothing from the environment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dalil.errors import ConfigurationError

DRIVER = "postgresql+asyncpg"
WIDEST = 2000
"""Dimensions that pgvector's HNSW index takes at most."""

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}", re.ASCII)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}\.[A-Za-z_][A-Za-z0-9_]{0,62}", re.ASCII)


@dataclass(frozen=True)
class PostgresConfig:
    """The database, the role that sessions take, and the variable that Row-Level Security compares with.

    `dsn` is a URL (postgres://, postgresql:// or postgresql+asyncpg://) and is never shown. `embedding_dim` is the
    width of the vectors. `text_search_config` is accepted for code written against other systems; words are found by
    dalil's own tokens. `pool_size` connections are kept and up to `max_overflow` more opened; `pool_pre_ping` tries a
    kept connection before it is used.

    Raises:
        ConfigurationError: for a value that cannot work.
    """

    dsn: str = field(repr=False)
    app_role: str = "dalil_app"
    isolation_variable: str = "dalil.namespace"
    embedding_dim: int = 1024
    text_search_config: str = "english"
    pool_size: int = 5
    max_overflow: int = 5
    pool_pre_ping: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "dsn", _with_driver(self.dsn))
        for name, pattern in (("app_role", _IDENTIFIER), ("text_search_config", _IDENTIFIER)):
            if not pattern.fullmatch(getattr(self, name)):
                raise ConfigurationError(f"PostgresConfig.{name} must be a plain identifier.")
        if not _VARIABLE.fullmatch(self.isolation_variable):
            raise ConfigurationError("PostgresConfig.isolation_variable must be two plain identifiers with a dot.")
        if not 1 <= self.embedding_dim <= WIDEST:
            raise ConfigurationError(f"PostgresConfig.embedding_dim must be between 1 and {WIDEST}.")
        if self.pool_size < 1 or self.max_overflow < 0:
            raise ConfigurationError("PostgresConfig.pool_size must be positive and max_overflow not negative.")


def _with_driver(dsn: str) -> str:
    """The URL with the asynchronous driver's name where it names none."""
    scheme, separator, rest = dsn.partition("://")
    if separator and scheme in ("postgres", "postgresql"):
        return f"{DRIVER}://{rest}"
    if not separator or scheme != DRIVER:
        raise ConfigurationError("PostgresConfig.dsn must be a URL that begins with postgresql://.")
    return dsn
