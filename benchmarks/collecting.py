"""What the fitting works on: for every tuning question, its candidates' signals, their sentences, and what is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import RetrievalSet, load, load_own
from benchmarks.stores import SCOPE, engine_parts, ingest_passages, passage_id, store_folder
from dalil.answering.evidence import Evidence, EvidenceSentence, bare, number_evidence
from dalil.answering.extractive import EMBEDDED, SentenceWeights
from dalil.models import Chunk
from dalil.profiles import load_profile
from dalil.retrieval import Candidate, Retrieval
from dalil.text import normalise

DEPTH = 100
SIGNALS = ("dense", "lexical", "coverage", "sentence")
FUSION_SETS = ("arcd", "mlqa-ar-dev", "scifact")
"""What fusion is fitted on: shelves of hundreds to thousands of passages."""
QUESTION_SETS = ("arcd", "mlqa-ar-dev", "own-en")
"""What answers and the gate are fitted on: questions. scifact holds claims, which are no measure of either."""
TUNING_SETS = tuple(dict.fromkeys((*FUSION_SETS, *QUESTION_SETS)))
SOURCES = 3  # passages that an answer is taken from


@dataclass(frozen=True)
class Sentence:
    """A sentence that the answerer would consider, with its signals, and whether it holds the answer."""

    similarity: float
    coverage: float
    passage: float
    embedded: float
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
    if name == "own-en":
        return load_own()
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
            weights = load_profile(profile).answer
            sentences = await _sentences(query, retrieval, passages, sage.embedder, weights)
            questions.append(_question(query, retrieval, data.relevant[query["id"]], passages, sentences))
    return questions


def _question(
    query: dict[str, Any],
    retrieval: Retrieval,
    wanted: dict[str, int],
    passages: dict[str, dict[str, Any]],
    sentences: Sequence[Sentence],
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
        sentences=tuple(sentences),
    )


async def _sentences(
    query: dict[str, Any],
    retrieval: Retrieval,
    passages: dict[str, dict[str, Any]],
    embedder: Any,
    weights: SentenceWeights,
) -> list[Sentence]:
    """The best sentences by what is stored, as the answerer ranks them, with their cosines in the embedder's space."""
    best = [candidate.scored for candidate in retrieval.candidates[:SOURCES]]
    evidence = number_evidence(query["text"], best, matches=retrieval.sentences, weights=retrieval.weights)
    found: dict[str, tuple[float, Evidence, EvidenceSentence]] = {}
    for item in evidence:
        for sentence in item.sentences:
            text = " ".join(item.text[slice(*bare(item.text, sentence.start, sentence.end))].split())
            score = weights.similarity * sentence.similarity + weights.coverage * sentence.coverage
            score += weights.passage * item.score
            if text and (text not in found or score > found[text][0]):
                found[text] = (score, item, sentence)
    chosen = sorted(found.items(), key=lambda pair: -pair[1][0])[:EMBEDDED]
    vectors = await embedder.embed([text for text, _ in chosen])
    asked = np.asarray(await embedder.embed_query(query["text"]))
    sentences = []
    for (text, (_, item, sentence)), vector in zip(chosen, vectors, strict=True):
        said = " ".join(normalise(text).split())
        right = any(wanted in said or said in wanted for wanted in _right_texts(query, item.chunk, passages) if wanted)
        sentences.append(
            Sentence(
                sentence.similarity,
                sentence.coverage,
                item.score,
                float(np.asarray(vector) @ asked),
                len(text.split()),
                right,
            )
        )
    return sentences


def _right_texts(query: dict[str, Any], chunk: Chunk, passages: dict[str, dict[str, Any]]) -> list[str]:
    """What the right sentence of this chunk holds: a gold answer, or for claims a rationale sentence."""
    texts = list(query.get("answers") or ())
    identifier = passage_id(chunk.source)
    for evidence in query.get("evidence") or ():
        if str(evidence["doc"]) == identifier:
            texts += [passages[identifier]["sentences"][number] for number in evidence["sentences"]]
    return [" ".join(normalise(text).split()) for text in texts]
