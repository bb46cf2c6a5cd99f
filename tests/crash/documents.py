"""Documents whose every chunk tells its document and version, and an embedder that knows each text again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from dalil import IngestionConfig, RawSource, Scope
from dalil.identity import document_id
from dalil.ingestion import IngestStatus
from dalil.models import Chunk, Vector
from dalil.parsing import HeuristicBackend
from dalil.sage import RagSage

CONFIG = IngestionConfig(chunk_size=32, chunk_overlap=0)
SCOPES = (Scope("one"), Scope("two"))
DIMENSION, SENTENCE_DIMENSION = 32, 16
_WORDS = "tea mint lamp chair window paper river bread شاي نعناع مصباح كرسي نافذة ورقة نهر خبز".split()


class HashingEmbedder:
    """A direction of its own for every text, always the same; sentences have a space of their own."""

    identity = "tests: a direction for every text"

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [vector_of(text) for text in texts]

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [vector_of(text, SENTENCE_DIMENSION) for text in texts]


def vector_of(text: str, dimension: int = DIMENSION) -> list[float]:
    random = Random(text)
    return [random.gauss(0.0, 1.0) for _ in range(dimension)]


def open_sage(folder: Path) -> RagSage:
    return RagSage.open(folder, embedder=HashingEmbedder(), ingestion=CONFIG)


def name_of(number: int) -> str:
    return f"{number:05}.txt"


def id_of(number: int) -> str:
    return document_id(name_of(number))


def scope_of(number: int) -> Scope:
    """Three documents of four are in the first namespace."""
    return SCOPES[number % 4 == 0]


def mark_of(number: int, version: int) -> str:
    """The word that every sentence of this version contains, and no other text does."""
    return f"d{number}v{version}"


@lru_cache(maxsize=1 << 16)
def text_of(number: int, version: int) -> str:
    """Up to three pages; versions of one document differ in length, and share no sentence."""
    random = Random(f"{number} {version}")
    mark = mark_of(number, version)
    pages = [
        " ".join(
            f"The {mark} stands at {page}.{line} beside {' '.join(random.choices(_WORDS, k=6))}."
            for line in range(random.randint(1, 8))
        )
        for page in range(random.randint(1, 3))
    ]
    return "\f".join(pages)


def source_of(number: int, version: int) -> RawSource:
    return RawSource(name_of(number), content=text_of(number, version), metadata={"version": version})


@lru_cache(maxsize=1 << 16)
def chunks_of(number: int, version: int) -> tuple[Chunk, ...]:
    """The chunks that this version must have."""
    backend = HeuristicBackend()
    parsed = backend.parse(source_of(number, version))
    return tuple(backend.chunk(parsed.document, parsed.pages, size=CONFIG.chunk_size, overlap=CONFIG.chunk_overlap))


async def put(sage: RagSage, versions: Mapping[int, int]) -> AsyncIterator[tuple[int, int]]:
    """Puts these versions into the store, scope by scope; each document's number and chunks once it is stored."""
    for scope in SCOPES:
        numbers = [number for number in versions if scope_of(number) == scope]
        async for result in sage.ingest_many([source_of(number, versions[number]) for number in numbers], scope):
            assert result.status in (IngestStatus.ADDED, IngestStatus.REPLACED), result
            yield int(result.source.partition(".")[0]), result.chunk_count


async def fill(sage: RagSage, numbers: Iterable[int]) -> None:
    """Version 1 of each of these documents."""
    async for _ in put(sage, dict.fromkeys(numbers, 1)):
        pass
