"""How long adding will take on this machine: words to embed, measured against the embedder's rate."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dalil.errors import DalilError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend
from dalil.ports import Embedder, SentenceEmbedder
from dalil.providers import embedder_by_name

WORTH_MEASURING = 5_000
"""Words below which adding is quick whatever the embedder."""
LONG = 300.0
"""Seconds from which the quicker embedder is offered."""
_SAMPLED_FILES = 5
_SAMPLED_BYTES = 400_000
_PASSAGE_WORDS = 150
_PASSAGES = 4
_WORDS = "the store keeps each page once and finds it by meaning and by words في كل صفحة نص محفوظ يجده البحث".split()


@dataclass(frozen=True)
class Estimate:
    """Words to embed in all, words a second of the embedder, and seconds with it and with the fast one.

    `fast_seconds` is None unless it is worth saying.
    """

    words: int
    words_per_second: float
    seconds: float
    fast_seconds: float | None = None


async def estimate(files: Sequence[Path], embedder: Embedder) -> Estimate | None:
    """What adding these files will take if all of them are new; None when it is not worth measuring."""
    words = estimated_words(files)
    if words < WORTH_MEASURING:
        return None
    rate = await words_per_second(embedder)
    seconds = words / rate
    if seconds < LONG or getattr(embedder, "profile", "") != "accurate":
        return Estimate(words, rate, seconds)
    return Estimate(words, rate, seconds, words / await words_per_second(embedder_by_name("fast")))


def estimated_words(files: Sequence[Path]) -> int:
    """About how many words these files hold: a few of each kind are read, the rest go by their size."""
    kinds: dict[str, list[Path]] = {}
    for file in files:
        kinds.setdefault(file.suffix.casefold(), []).append(file)
    return round(sum(_words_of_kind(same) for same in kinds.values()))


def _words_of_kind(files: Sequence[Path]) -> float:
    sizes = [_size(file) for file in files]
    sampled = sorted(zip(sizes, files, strict=True), key=lambda pair: (pair[0], str(pair[1])))
    words = read = 0
    for size, file in random.Random(len(files)).sample(sampled, min(_SAMPLED_FILES, len(sampled))):
        if read + size > _SAMPLED_BYTES and read:
            break
        words += _words(file)
        read += size
    return words / read * sum(sizes) if read else 0.0


def _words(file: Path) -> int:
    try:
        parsed = HeuristicBackend().parse(RawSource(file.name, path=file))
    except DalilError:
        return 0
    return sum(len(page.text.split()) for page in parsed.pages)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


async def words_per_second(embedder: Embedder) -> float:
    """The embedder's rate, on a few passages like those of documents, sentences included."""
    await embedder.embed(["warm"])
    chooser = random.Random(1)
    passages = [" ".join(chooser.choices(_WORDS, k=_PASSAGE_WORDS)) for _ in range(_PASSAGES)]
    started = time.perf_counter()
    await embedder.embed(passages)
    if isinstance(embedder, SentenceEmbedder):
        await embedder.embed_sentences([passage[:120] for passage in passages] * 5)
    return _PASSAGE_WORDS * _PASSAGES / (time.perf_counter() - started)


def duration(seconds: float) -> str:
    """A time as people say it: "40 s", "14 min", "2 h 5 min"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
