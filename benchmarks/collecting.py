"""What the fitting works on: for every tuning question, its candidates' signals, their sentences, and what is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import RetrievalSet, load
from benchmarks.stores import SCOPE, engine_parts, ingest_passages, passage_id, store_folder
from dalil.answering.evidence import bare, number_evidence
from dalil.models import Chunk
from dalil.profiles import load_profile
from dalil.retrieval import Candidate, Retrieval
from dalil.text import normalise

DEPTH = 100
QUOTED = 10  # candidates whose sentences are kept
SIGNALS = ("dense", "lexical", "coverage", "sentence")
TUNING_SETS = ("arcd", "mlqa-ar-dev", "scifact")


@dataclass(frozen=True)
class Sentence:
    """A quotable sentence of a candidate (its row), with its signals, and whether it holds the answer."""

    row: int
    similarity: float
    coverage: float
    words: int
    right: bool


@dataclass(frozen=True)
class Question:
    """One tuning question with what was found for it.

    `group` (its article) keeps related questions in one fold, `titles` tells the candidates' articles.
    """

    text: str
    group: str
    candidates: tuple[Candidate, ...]
    relevant: NDArray[np.bool_]
    titles: tuple[str, ...]
    gold_titles: frozenset[str]
    gold: int
    sentences: tuple[Sentence, ...]

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
    passages = {passage["id"]: passage for passage in data.corpus}
    questions = []
    async with (
        await ingest_passages(store_folder(f"{name}-{profile}"), data.corpus, profile) as sage,
        engine_parts(sage, load_profile(profile).fusion) as (retriever, _),
    ):
        for query in data.queries:
            retrieval = await retriever.retrieve(query["text"], SCOPE, k=DEPTH)
            questions.append(_question(query, retrieval, data.relevant[query["id"]], passages))
    return questions


def _question(
    query: dict[str, Any], retrieval: Retrieval, wanted: dict[str, int], passages: dict[str, dict[str, Any]]
) -> Question:
    found = [passage_id(item.chunk.source) for item in retrieval.candidates]
    titles = {identifier: passages[identifier].get("title") or identifier for identifier in {*found, *wanted}}
    gold_titles = frozenset(titles[identifier] for identifier in wanted)
    return Question(
        text=query["text"],
        group=min(gold_titles),
        candidates=tuple(retrieval.candidates),
        relevant=np.array([identifier in wanted for identifier in found]),
        titles=tuple(titles[identifier] for identifier in found),
        gold_titles=gold_titles,
        gold=len(wanted),
        sentences=tuple(_sentences(query, retrieval, passages)),
    )


def _sentences(query: dict[str, Any], retrieval: Retrieval, passages: dict[str, dict[str, Any]]) -> Sequence[Sentence]:
    best = [candidate.scored for candidate in retrieval.candidates[:QUOTED]]
    evidence = number_evidence(query["text"], best, matches=retrieval.sentences, weights=retrieval.weights)
    rows = []
    for row, item in enumerate(evidence):
        right = _right_texts(query, item.chunk, passages)
        for sentence in item.sentences:
            text = item.text[slice(*bare(item.text, sentence.start, sentence.end))]
            said = " ".join(normalise(text).split())
            if said:
                hit = any(wanted in said or said in wanted for wanted in right if wanted)
                rows.append(Sentence(row, sentence.similarity, sentence.coverage, len(text.split()), hit))
    return rows


def _right_texts(query: dict[str, Any], chunk: Chunk, passages: dict[str, dict[str, Any]]) -> list[str]:
    """What the right sentence of this chunk holds: a gold answer, or for claims a rationale sentence."""
    texts = list(query.get("answers") or ())
    identifier = passage_id(chunk.source)
    for evidence in query.get("evidence") or ():
        if str(evidence["doc"]) == identifier:
            texts += [passages[identifier]["sentences"][number] for number in evidence["sentences"]]
    return [" ".join(normalise(text).split()) for text in texts]
