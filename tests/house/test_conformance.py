"""The table of documented statements names tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "conformance.md"
AT_LEAST = 370


def rows() -> list[tuple[str, list[str]]]:
    """Every statement with the tests that stand beside it."""
    cells = re.findall(r"^\| (.+) \| (`.+`) \|$", TABLE.read_text("utf-8"), re.MULTILINE)
    return [(statement, re.findall("`([^`]+)`", tests)) for statement, tests in cells]


@cache
def functions_in(file: str) -> set[str]:
    """The names of the test functions of a file."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("test", sorted({test for _, tests in rows() for test in tests}))
def test_each_named_test_exists(test: str) -> None:
    file, name = test.split("::")
    assert name.startswith("test_")
    assert name in functions_in(file)


def test_no_statement_is_listed_twice() -> None:
    statements = [statement.casefold() for statement, _ in rows()]
    assert sorted(statements) == sorted(set(statements))


def test_every_line_of_the_tables_is_a_statement_with_its_tests() -> None:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("|")]
    tables = lines.count("| statement | test |")
    assert len(rows()) == len(lines) - 2 * tables


def test_the_table_is_as_long_as_the_description() -> None:
    assert len(rows()) >= AT_LEAST
