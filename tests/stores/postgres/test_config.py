"""The configuration: its defaults, what it refuses, and what it never shows."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, asdict
from typing import Any

import pytest

from dalil.errors import ConfigurationError
from dalil.stores.postgres import PostgresConfig

DSN = "postgresql://user:hunter2@db.example/name"


def test_the_defaults() -> None:
    values = asdict(PostgresConfig(DSN))
    assert values.pop("dsn") == "postgresql+asyncpg://user:hunter2@db.example/name"
    assert values == {
        "app_role": "dalil_app",
        "isolation_variable": "dalil.namespace",
        "embedding_dim": 1024,
        "text_search_config": "english",
        "pool_size": 5,
        "max_overflow": 5,
        "pool_pre_ping": True,
    }


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_bare_urls_become_the_drivers(scheme: str) -> None:
    assert PostgresConfig(f"{scheme}://h/d?x=1").dsn == "postgresql+asyncpg://h/d?x=1"


def test_the_url_is_never_shown() -> None:
    config = PostgresConfig(DSN)
    assert "hunter2" not in repr(config)
    assert "hunter2" not in str(config)


def test_it_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        PostgresConfig(DSN).pool_size = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "wrong",
    [
        {"dsn": "host=localhost password=hunter2"},
        {"dsn": "mysql://user:hunter2@h/d"},
        {"dsn": "postgresql+psycopg://user:hunter2@h/d"},
        {"dsn": ""},
        {"app_role": 'x"; DROP ROLE postgres; --'},
        {"app_role": ""},
        {"app_role": "دور"},
        {"app_role": "a" * 64},
        {"app_role": "1a"},
        {"app_role": "a\n"},
        {"isolation_variable": "namespace"},
        {"isolation_variable": "a.b.c"},
        {"isolation_variable": "dalil.namespace', true) OR ('1"},
        {"text_search_config": "english'"},
        {"embedding_dim": 0},
        {"embedding_dim": 2001},
        {"pool_size": 0},
        {"max_overflow": -1},
    ],
    ids=str,
)
def test_what_cannot_work_is_refused_without_showing_the_password(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        PostgresConfig(**{"dsn": DSN, **wrong})
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("dimension", [1, 2000])
def test_the_widths_that_the_graph_takes(dimension: int) -> None:
    assert PostgresConfig(DSN, embedding_dim=dimension).embedding_dim == dimension


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_the_config_needs_no_database_package() -> None:
    found = run(
        "import sys, dalil\n"
        "from dalil.stores.postgres import PostgresConfig, SchemaMismatch\n"
        "PostgresConfig('postgresql://h/d')\n"
        "print(sorted({'sqlalchemy', 'asyncpg', 'greenlet', 'numpy'} & set(sys.modules)))"
    )
    assert found == "[]"


@pytest.mark.parametrize("package", ["sqlalchemy", "asyncpg", "greenlet"])
@pytest.mark.parametrize("name", ["Database", "PostgresVectorStore"])
def test_a_missing_package_is_named_with_the_line_that_installs_it(package: str, name: str) -> None:
    found = run(
        f"import sys; sys.modules['{package}'] = None\n"
        "from dalil.errors import MissingExtraError\n"
        "try:\n"
        f"    from dalil.stores.postgres import {name}\n"
        "except MissingExtraError as error:\n"
        "    print(error)"
    )
    assert package in found
    assert "pip install 'dalil[postgres]'" in found
