"""What the fitting works on: for every tuning question, its candidates' signals and which of them are relevant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import RetrievalSet, load
from benchmarks.stores import SCOPE, ingest_passages, passage_id, store_folder
from dalil.profiles import load_profile
from dalil.retrieval import Candidate, Retriever
from dalil.sage import RagSage

DEPTH = 100
SIGNALS = ("dense", "lexical", "coverage", "sentence")


@dataclass(frozen=True)
class Question:
    """One tuning question with what was found for it.

    `group` keeps questions of one article together when folds are made, `titles` tells the candidates' articles.
    """

    text: str
    group: str
    candidates: tuple[Candidate, ...]
    relevant: NDArray[np.bool_]
    titles: tuple[str, ...]
    gold_titles: frozenset[str]
    gold: int

    @cached_property
    def signals(self) -> NDArray[np.float64]:
        """The signals of each document's best chunk: shape (documents, 4), in the order of `SIGNALS`."""
        rows = [[getattr(self.candidates[row].signals, name) for name in SIGNALS] for row in self._first]
        return np.array(rows, dtype=np.float64).reshape(-1, len(SIGNALS))

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Which of those documents are relevant."""
        found: NDArray[np.bool_] = self.relevant[self._first]
        return found

    @cached_property
    def _first(self) -> list[int]:
        """The rows of the candidates that are the first chunk of their document."""
        first: dict[str, int] = {}
        for row, candidate in enumerate(self.candidates):
            first.setdefault(candidate.chunk.document_id, row)
        return list(first.values())


TUNING_SETS = ("arcd", "mlqa-ar-dev", "scifact")


def load_tuning(name: str) -> RetrievalSet:
    """The questions of one set that may be tuned on; its reported questions are left out."""
    if name == "scifact":
        return load(name, queries="queries.train.jsonl", qrels="qrels.train.tsv")
    data = load(name)
    allowed = [query for query in data.queries if query.get("split", "train") == "train"]
    return RetrievalSet(name, data.corpus, allowed, data.relevant)


async def collect(name: str, profile: str) -> list[Question]:
    """The tuning questions of one set, asked of the real engine."""
    data = load_tuning(name)
    titles = {passage["id"]: passage.get("title") or passage["id"] for passage in data.corpus}
    async with await ingest_passages(store_folder(f"{name}-{profile}"), data.corpus, profile) as sage:
        return await _ask(sage, data.queries, data, titles, profile)


async def _ask(
    sage: RagSage, queries: list[dict[str, Any]], data: RetrievalSet, titles: dict[str, str], profile: str
) -> list[Question]:
    questions = []
    await sage.migrate()
    async with sage.database.session(SCOPE, read_only=True) as session:
        retriever = Retriever(
            embedder=sage._kit().embedder,
            vector_store=sage._stores.vector_store(session),
            lexical_store=sage._stores.lexical_store(session),
            fusion=load_profile(profile).fusion,
        )
        for query in queries:
            retrieval = await retriever.retrieve(query["text"], SCOPE, k=DEPTH)
            passages = [passage_id(item.chunk.source) for item in retrieval.candidates]
            wanted = data.relevant[query["id"]]
            gold_titles = frozenset(titles[passage] for passage in wanted)
            questions.append(
                Question(
                    text=query["text"],
                    group=min(gold_titles),
                    candidates=tuple(retrieval.candidates),
                    relevant=np.array([passage in wanted for passage in passages]),
                    titles=tuple(titles[passage] for passage in passages),
                    gold_titles=gold_titles,
                    gold=len(wanted),
                )
            )
    return questions
