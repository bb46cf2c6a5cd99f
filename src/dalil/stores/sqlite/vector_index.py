"""The derived vector index of one process: a scan over all vectors, kept in step with the change log.

Nothing on disk depends on it. Its file only saves the time of reading every vector again; when the file is lost,
stale or damaged, the index is built from the store.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import threading
from collections import deque
from pathlib import Path

import numpy as np

from dalil.stores.sqlite import changes
from dalil.stores.sqlite.changes import START, Position
from dalil.stores.sqlite.rankings import Candidates
from dalil.stores.sqlite.rows import select_in
from dalil.stores.sqlite.scans import Keys, Matrix, NumpyScan, Scan, TurbovecScan, new_scan

_LOG = logging.getLogger("dalil.stores")

EXACT_BELOW = 512
"""So few vectors are read and scored at once, without asking the scan."""
MOST = 2.5
"""Up to so many times as many vectors as may be found are looked at without a list of those."""
_WRITTEN_AFTER = 2048  # changed vectors that make a new index file worth its while

_REMEMBERED = 8192
"""Keys that left and are still offered to readers whose snapshot is older; beyond that, these read the store."""


class VectorIndex:
    """Proposes chunks near a vector. Safe to use from several threads."""

    def __init__(self, folder: Path):
        self._description = folder / "vectors.json"
        self._folder = folder
        self._lock = threading.RLock()
        self._position = START
        self._scan: Scan | None = None
        self._dimension = 0
        self._homes: dict[int, tuple[int, int]] = {}  # key -> namespace, document
        self._arrays: dict[int, tuple[Keys, Keys]] = {}  # namespace -> keys, their documents; made when asked for
        self._gone: deque[tuple[int, int, int, int]] = deque()  # seq, namespace, document, key
        self._forgotten = 0  # what left up to this seq is no longer in `_gone`
        self._unwritten = 0

    def sync(self, connection: sqlite3.Connection) -> None:
        """Catch up with the state that `connection` sees; never goes back."""
        with self._lock:
            now = changes.latest(connection)
            if self._scan is None:
                self._open(connection, now)
            elif now.seq > self._position.seq:
                if changes.known(connection, self._position):
                    self._catch_up(connection, now)
                else:
                    self._open(connection, now)

    def propose(
        self,
        connection: sqlite3.Connection,
        namespace: int,
        allowed: set[int] | None,
        vector: Matrix,
        count: int,
    ) -> Candidates | None:
        """Keys that may be among the nearest `count` of the namespace, in the documents of `allowed` if given.

        None for a snapshot too old to be answered from here.
        """
        with self._lock:
            seen = changes.latest(connection).seq
            if seen < self._forgotten:
                return None
            # What left after the caller's snapshot was taken is still there for the caller.
            recent = [
                key
                for seq, home, document, key in self._gone
                if seq > seen and home == namespace and (allowed is None or document in allowed)
            ]
            keys = self._allowed(namespace, allowed)
            if len(keys) <= max(EXACT_BELOW, count):
                return Candidates(keys.tolist(), recent, complete=True)
            return Candidates(self._nearest(namespace, allowed, keys, vector, count), recent)

    def _nearest(self, namespace: int, allowed: set[int] | None, keys: Keys, vector: Matrix, count: int) -> list[int]:
        """The scan's best among `keys`. Where they are most of all vectors, looking at all and leaving the others
        out is quicker than telling the scan which ones it may look at.
        """
        assert self._scan is not None
        crowd = len(self._homes) / len(keys)
        if crowd == 1:
            return [int(key) for key in self._scan.propose(vector, count, None)]
        if crowd <= MOST:
            everyone = self._scan.propose(vector, round(count * crowd * 1.5), None).tolist()
            homes = (self._homes[key] for key in everyone)
            inside = [
                key
                for key, (home, document) in zip(everyone, homes, strict=True)
                if home == namespace and (allowed is None or document in allowed)
            ]
            if len(inside) >= count:
                return inside[:count]
        return [int(key) for key in self._scan.propose(vector, count, keys)]

    def _allowed(self, namespace: int, allowed: set[int] | None) -> Keys:
        if namespace not in self._arrays:
            pairs = [(key, home[1]) for key, home in self._homes.items() if home[0] == namespace]
            table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
            self._arrays[namespace] = (np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1]))
        keys, documents = self._arrays[namespace]
        if allowed is None:
            return keys
        chosen: Keys = keys[np.isin(documents, np.fromiter(allowed, np.int64, len(allowed)))]
        return chosen

    # --- keeping in step ---------------------------------------------------------------------------------

    def _catch_up(self, connection: sqlite3.Connection, now: Position) -> None:
        coming: list[int] = []
        for change in changes.since(connection, self._position, "vector"):
            self._unwritten += len(change.keys)
            if change.came:
                coming += change.keys
                continue
            leaving = set(change.keys)
            coming = [key for key in coming if key not in leaving]
            self._remove(leaving, change.seq)
        self._remove(set(coming), now.seq)  # an older snapshot knows them by another vector
        self._read(connection, coming)
        self._position = now

    def _remove(self, keys: set[int], seq: int) -> None:
        for key in keys:
            home = self._homes.pop(key, None)
            if home is None:
                continue
            assert self._scan is not None
            self._scan.remove(key)
            self._arrays.pop(home[0], None)
            self._gone.append((seq, *home, key))
        while len(self._gone) > _REMEMBERED:
            self._forgotten = self._gone.popleft()[0]

    def _read(self, connection: sqlite3.Connection, keys: list[int] | None) -> None:
        """Add vectors from the store: these keys', or all."""
        query = "SELECT v.chunk, v.namespace, c.document, v.data FROM vector v JOIN chunk c ON c.key = v.chunk"
        if keys is None:
            cursor = connection.execute(query)
            while rows := cursor.fetchmany(4096):
                self._add(rows)
        else:
            self._add(list(select_in(connection, f"{query} WHERE v.chunk IN", keys)))

    def _add(self, rows: list[tuple[int, int, int, bytes]]) -> None:
        if not rows:
            return
        matrix = np.frombuffer(b"".join(row[3] for row in rows), dtype=np.float32).reshape(len(rows), -1)
        if self._scan is None or (not self._homes and matrix.shape[1] != self._dimension):
            self._dimension = matrix.shape[1]
            self._scan = new_scan(self._dimension)
        self._scan.add(np.array([row[0] for row in rows], dtype=np.int64), matrix)
        for key, namespace, document, _ in rows:
            self._homes[key] = (namespace, document)
            self._arrays.pop(namespace, None)

    # --- opening, and the file ---------------------------------------------------------------------------

    def _open(self, connection: sqlite3.Connection, now: Position) -> None:
        self._homes.clear()
        self._arrays.clear()
        self._gone.clear()
        self._scan = None
        self._position, self._forgotten = now, now.seq
        try:
            if self._load(connection):
                return
            self._scan, self._dimension = NumpyScan(0), 0
            self._read(connection, None)
        except BaseException:  # the caller was cancelled: half an index is none
            self._scan = None
            raise
        self._unwritten = len(self._homes)
        if self._unwritten >= _WRITTEN_AFTER:
            _LOG.info("Built the vector index from the store.")

    def _load(self, connection: sqlite3.Connection) -> bool:
        try:
            described = json.loads(self._description.read_text("utf-8"))
            position = Position(*described["position"])
            file = self._folder / described["file"]
            if hashlib.sha256(file.read_bytes()).hexdigest() != described["sha256"]:
                raise ValueError("its checksum differs")
            if not changes.known(connection, position) or position.seq > changes.latest(connection).seq:
                raise ValueError("it belongs to another state of the store")
            self._dimension = described["dimension"]
            scan = TurbovecScan.read(file, self._dimension)
        except FileNotFoundError:
            return False
        except Exception as error:
            _LOG.warning("The vector index file cannot be used (%s); building it again from the store.", error)
            return False
        fresh = {key for change in changes.since(connection, position, "vector") for key in change.keys}
        rows = connection.execute(
            "SELECT v.chunk, v.namespace, c.document FROM vector v JOIN chunk c ON c.key = v.chunk"
        ).fetchall()
        held = {key: (namespace, document) for key, namespace, document in rows if key not in fresh}
        self._scan = scan
        # What changed since the file was written: the scan may still hold its old vector.
        for key in fresh:
            if scan.contains(key):
                scan.remove(key)
        if len(scan) != len(held):
            _LOG.warning("The vector index file holds other vectors than the store; building it again.")
            self._scan = None
            return False
        self._homes = held
        self._read(connection, [key for key, *_ in rows if key in fresh])
        return True

    def write(self) -> None:
        """Write the index file when enough has changed since the last time. Failure only costs time later."""
        with self._lock:
            if self._scan is None or self._unwritten < _WRITTEN_AFTER:
                return
            name = f"vectors-{self._position.seq}-{self._position.token:x}.index"
            file, part = self._folder / name, self._folder / f"{name}.{os.getpid()}.part"
            try:
                if not self._scan.write(part):
                    return
                described = {
                    "file": name,
                    "sha256": hashlib.sha256(part.read_bytes()).hexdigest(),
                    "position": list(self._position),
                    "dimension": self._dimension,
                }
                os.replace(part, file)
                temporary = self._description.with_suffix(f".{os.getpid()}.part")
                temporary.write_text(json.dumps(described), "utf-8")
                os.replace(temporary, self._description)
                for other in self._folder.glob("vectors-*.index"):
                    if other.name != name:
                        other.unlink(missing_ok=True)
                self._unwritten = 0
            except OSError as error:
                _LOG.warning("The vector index file could not be written: %s.", error)
