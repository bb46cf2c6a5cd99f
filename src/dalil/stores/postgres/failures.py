"""What PostgreSQL's and the driver's errors mean to the user. No message shows the DSN."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from asyncpg import InterfaceError, InternalClientError, PostgresError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from dalil.errors import (
    DalilError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

_START = "Check that the server runs, its address, and the login."
_MIGRATE = "Run migrate() as a role that may create tables, and let the login take the application role."
# The first prefix that fits the SQLSTATE tells.
_MEANINGS: tuple[tuple[tuple[str, ...], type[StoreError], str, str], ...] = (
    (("25006",), StoreReadOnlyError, "The database may only be read", "Use the server that may be written."),
    (("53100",), StoreReadOnlyError, "The database's disk is full", "Free disk space and try again."),
    (
        ("40001", "40P01", "55P03", "57014"),
        StoreBusyError,
        "Others hold what this needs",
        "Wait a little and try again.",
    ),
    (("53300", "08", "28", "3D000", "57P"), StoreUnavailableError, "The database cannot be used", _START),
    (("42P01", "42703", "42704", "3F000"), StoreUnavailableError, "The database holds no such store", _MIGRATE),
    (("42501", "22023"), StoreError, "The database refused", _MIGRATE),
    (("25P02",), StoreError, "An earlier statement of this session failed", "Nothing of the session was kept."),
    (("XX001", "XX002"), StoreCorruptError, "The database is damaged", "Restore it from a backup."),
)


@contextmanager
def explained() -> Iterator[None]:
    """Turns the errors of PostgreSQL, asyncpg and SQLAlchemy into dalil's."""
    try:
        yield
    except DalilError:
        raise
    except UnicodeEncodeError as error:
        raise StoreError(
            "The store cannot hold text with lone surrogates.", advice="Give names and texts that are valid Unicode."
        ) from error
    except PoolTimeout as error:
        raise StoreBusyError(
            "Every connection of the pool is in use.", advice="Raise pool_size, or end sessions sooner."
        ) from error
    except DBAPIError as error:
        raise _explain(_origin(error)) from error
    except (PostgresError, InterfaceError, InternalClientError, OSError, SQLAlchemyError) as error:
        raise _explain(error) from error


def _origin(error: DBAPIError) -> BaseException:
    """The driver's own error, without the statement and its values that SQLAlchemy adds."""
    cause = error.orig.__cause__ if error.orig is not None else None
    return cause or error.orig or error


def _explain(error: BaseException) -> StoreError:
    state = getattr(error, "sqlstate", None) or ""
    for prefixes, kind, happened, advice in _MEANINGS:
        if state.startswith(prefixes):
            return kind(f"{happened}: {_brief(error)}.", advice=advice, details={"sqlstate": state})
    if isinstance(error, (OSError, InterfaceError, InternalClientError)):  # TimeoutError is an OSError
        return StoreUnavailableError(f"The database cannot be used: {_brief(error)}.", advice=_START)
    return StoreError(f"The database failed: {_brief(error)}.", details={"sqlstate": state})


def _brief(error: BaseException) -> str:
    """The first line of what happened."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")
