"""The context of a local system keeps to its budget."""

from __future__ import annotations

import pytest

from dalil.rag.context import ContextManager
from tests.rag.conftest import Piece

SENTENCES = [(Piece(f"Rule {number} says that refunds take ten days. " * 3, f"d{number}"), 0.9) for number in range(40)]


@pytest.mark.parametrize("characters", [200, 1000, 4000])
def test_a_context_has_at_most_so_many_characters(characters: int):
    context = ContextManager(characters).build("refunds", SENTENCES)
    assert characters / 2 < len(context) <= characters
