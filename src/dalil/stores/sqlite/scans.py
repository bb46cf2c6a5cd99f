"""Two ways to look through all vectors at once: turbovec's 4-bit scan, and numpy where it has no wheel.

A scan only proposes; the caller scores its proposals exactly. Rows are unit vectors under 64-bit keys.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]
Matrix = NDArray[np.float32]


class Scan(Protocol):
    """A set of vectors by key. `propose` gives the best first."""

    def add(self, keys: Keys, vectors: Matrix) -> None: ...

    def remove(self, key: int) -> None: ...

    def propose(self, vector: Matrix, count: int, allowed: Keys | None) -> Keys: ...

    def write(self, file: Path) -> bool: ...


class TurbovecScan:
    """Vectors in four bits a dimension, scanned with SIMD."""

    def __init__(self, dimension: int, index: Any = None):
        from turbovec import IdMapIndex

        self._padding = -dimension % 8  # turbovec wants a multiple of eight
        self._index = index or IdMapIndex(dim=dimension + self._padding, bit_width=4)

    @classmethod
    def read(cls, file: Path, dimension: int) -> TurbovecScan:
        from turbovec import IdMapIndex

        return cls(dimension, IdMapIndex.load(str(file)))

    def add(self, keys: Keys, vectors: Matrix) -> None:
        if len(keys):
            self._index.add_with_ids(self._padded(vectors), keys.astype(np.uint64))

    def remove(self, key: int) -> None:
        self._index.remove(key)

    def propose(self, vector: Matrix, count: int, allowed: Keys | None) -> Keys:
        options = {} if allowed is None else {"allowlist": allowed.astype(np.uint64)}
        _, keys = self._index.search(self._padded(vector[None]), k=count, **options)
        found: Keys = keys[0].astype(np.int64)
        return found

    def write(self, file: Path) -> bool:
        self._index.write(str(file))
        return True

    def contains(self, key: int) -> bool:
        return bool(self._index.contains(key))

    def __len__(self) -> int:
        return len(self._index)

    def _padded(self, vectors: Matrix) -> Matrix:
        if self._padding:
            vectors = np.pad(vectors, ((0, 0), (0, self._padding)))
        return np.ascontiguousarray(vectors, dtype=np.float32)


class NumpyScan:
    """Vectors as they are, in one matrix; freed rows are used again."""

    def __init__(self, dimension: int):
        self._vectors: Matrix = np.zeros((0, dimension), dtype=np.float32)
        self._keys: Keys = np.zeros(0, dtype=np.int64)
        self._rows: dict[int, int] = {}
        self._free: list[int] = []

    def add(self, keys: Keys, vectors: Matrix) -> None:
        missing = len(keys) - len(self._free)
        if missing > 0:
            grown = max(missing, len(self._keys) // 2, 64)
            first = len(self._keys)
            self._free += range(first + grown - 1, first - 1, -1)
            self._vectors = np.vstack([self._vectors, np.zeros((grown, self._vectors.shape[1]), np.float32)])
            self._keys = np.concatenate([self._keys, np.full(grown, -1, np.int64)])
        for key, vector in zip(keys.tolist(), vectors, strict=True):
            row = self._free.pop()
            self._vectors[row], self._keys[row], self._rows[key] = vector, key, row

    def remove(self, key: int) -> None:
        row = self._rows.pop(key)
        self._vectors[row], self._keys[row] = 0.0, -1
        self._free.append(row)

    def propose(self, vector: Matrix, count: int, allowed: Keys | None) -> Keys:
        if allowed is None:
            rows = np.flatnonzero(self._keys >= 0)
        else:
            rows = np.fromiter((self._rows[key] for key in allowed.tolist()), np.int64, len(allowed))
        scores = self._vectors[rows] @ vector
        best = np.argpartition(scores, -count)[-count:] if len(rows) > count else np.arange(len(rows))
        found: Keys = self._keys[rows[best[np.argsort(-scores[best], kind="stable")]]]
        return found

    def write(self, file: Path) -> bool:
        return False  # nothing is gained over reading the vectors from the store


def new_scan(dimension: int) -> Scan:
    """The quickest scan that is installed."""
    try:
        return TurbovecScan(dimension)
    except ImportError:
        return NumpyScan(dimension)
