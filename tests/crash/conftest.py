from __future__ import annotations

from collections.abc import Iterator

import pytest

from .children import Children


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    children = Children()
    yield children
    children.close()
