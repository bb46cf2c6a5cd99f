"""Values to the form in which PostgreSQL holds them, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalil.errors import EmbeddingDimensionError
from dalil.models import EmbeddedSentence, Vector

Matrix = NDArray[np.float32]


def stored(text: str) -> str:
    """The text as it is stored. PostgreSQL holds no NUL: U+0001 escapes it, and itself, in an order-keeping way.

    Raises:
        UnicodeEncodeError: for lone surrogates.
    """
    text.encode()
    if "\x00" in text or "\x01" in text:
        return text.replace("\x01", "\x01\x02").replace("\x00", "\x01\x01")
    return text


def restored(text: str) -> str:
    """The text that was stored as `text`."""
    if "\x01" in text:
        return text.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01")
    return text


def findable(texts: Iterable[str]) -> list[str]:
    """The stored forms of those texts that can be stored: the others are certainly not there."""
    return [stored(text) for text in texts if is_encodable(text)]


def is_encodable(text: str) -> bool:
    """Whether PostgreSQL can hold the text: lone surrogates are no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def to_json(value: Any) -> str:
    """Compact JSON that keeps Arabic readable; values that JSON lacks become strings."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    text.encode()
    return text


def digest(*parts: str | bytes) -> bytes:
    """128 bits that stand for these parts, in order."""
    hashed = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        hashed.update(len(data).to_bytes(8, "little"))
        hashed.update(data)
    return hashed.digest()


def unit_rows(vectors: Sequence[Vector]) -> Matrix:
    """The vectors as rows of length one (zero vectors stay zero).

    Raises:
        EmbeddingDimensionError: if they differ in width, are empty or not finite.
    """
    width = len(vectors[0])
    if width == 0 or any(len(vector) != width for vector in vectors):
        raise EmbeddingDimensionError("The embedder gave vectors of different widths, or empty ones.")
    matrix = np.array([np.asarray(vector, dtype=np.float64) for vector in vectors])
    if not np.isfinite(matrix).all():
        raise EmbeddingDimensionError("The embedder gave a vector that is not finite.")
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    rows: Matrix = (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return rows


def vector_texts(matrix: Matrix) -> list[str]:
    """Each row as pgvector reads it; nine digits give every float32 back exactly."""
    form = f"[{','.join(['%.9g'] * matrix.shape[1])}]"
    return [form % tuple(row) for row in matrix.tolist()]


def vector_rows(sent: Sequence[bytes]) -> Matrix:
    """Vectors in pgvector's binary form: two 16-bit numbers (the width first), then big-endian float32."""
    if not sent:
        return np.zeros((0, 0), dtype=np.float32)
    rows = np.frombuffer(b"".join(sent), dtype=np.uint8).reshape(len(sent), -1)[:, 4:]
    return np.ascontiguousarray(rows).view(">f4").astype(np.float32)


def cosines(sent: Sequence[bytes], query: Matrix) -> list[float]:
    """Exact cosines with unit vectors in pgvector's binary form, in double precision so that they do not depend on
    what stands beside them."""
    if not sent:
        return []
    scores: list[float] = (vector_rows(sent).astype(np.float64) @ query.astype(np.float64)).tolist()
    return scores


def packed_sentences(sentences: Sequence[EmbeddedSentence]) -> tuple[bytes, bytes, bytes]:
    """Places (int32 pairs), scales (float32) and vectors (int8, times their scale: the unit vector).

    Raises:
        EmbeddingDimensionError: if the vectors differ in width, are empty or not finite.
    """
    matrix = unit_rows([sentence.vector for sentence in sentences])
    greatest = np.abs(matrix).max(axis=1, keepdims=True)
    scales = (np.where(greatest > 0, greatest, 1) / 127).astype("<f4")
    places = np.array([(sentence.start, sentence.end) for sentence in sentences], dtype="<i4")
    return places.tobytes(), scales.tobytes(), np.rint(matrix / scales).astype(np.int8).tobytes()


def unpacked_sentences(
    places: bytes, scales: bytes, data: bytes
) -> tuple[list[tuple[int, int]], NDArray[np.float32], NDArray[np.int8]]:
    """What `packed_sentences` packed: (start, end) of each sentence, its scale, and its row."""
    factors = np.frombuffer(scales, "<f4")
    rows = np.frombuffer(data, np.int8).reshape(len(factors), -1)
    pairs = [(start, end) for start, end in np.frombuffer(places, "<i4").reshape(-1, 2).tolist()]
    return pairs, factors, rows
