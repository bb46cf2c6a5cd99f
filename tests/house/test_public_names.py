"""What `from dalil import ...` offers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import dalil

SOURCE = Path(dalil.__file__)


@pytest.mark.parametrize("name", dalil.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(dalil, name) is not None


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(SOURCE.read_text("utf-8"))
    seen = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dalil.")
        for alias in node.names
    }
    assert seen == set(dalil.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Nothing"):
        _ = dalil.Nothing  # type: ignore[attr-defined]


def test_dir_lists_the_public_names() -> None:
    assert set(dalil.__all__) <= set(dir(dalil))
