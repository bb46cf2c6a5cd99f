"""Golden sets: documents, questions about them, and the thresholds to gate against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from dalil.evaluation.examples import EvalExample, EvalThresholds
from dalil.models import RawSource, Turn


@dataclass(frozen=True)
class GoldenExample:
    """A labelled question whose relevant documents are named by their file names. See EvalExample."""

    question: str
    expected_answer: str | None = None
    ground_truth_answer: str | None = None
    relevant_sources: frozenset[str] = frozenset()
    history: tuple[Turn, ...] = ()
    id: str = ""
    kind: str = ""
    lang: str = ""


@dataclass(frozen=True)
class GoldenSet:
    """A corpus (the bytes of each document by its file name), its labelled questions, and thresholds.

    Raises:
        ValueError: if a question names a document that is not in the corpus.
    """

    corpus: Mapping[str, bytes]
    examples: Sequence[GoldenExample]
    thresholds: EvalThresholds = field(default_factory=EvalThresholds)

    def __post_init__(self) -> None:
        for example in self.examples:
            unknown = sorted(example.relevant_sources - self.corpus.keys())
            if unknown:
                raise ValueError(f"No document of the golden set is called {unknown[0]!r}: {example.question!r}")

    @classmethod
    def load(cls, folder: str | Path) -> GoldenSet:
        """The golden set in a folder: `documents/`, `questions.jsonl`, and `thresholds.json` where there is one.

        Raises:
            ConfigurationError: if something of it is missing or malformed; the message names the line.
        """
        from dalil.evaluation.loading import load_examples, load_thresholds, read_corpus

        folder = Path(folder)
        corpus = read_corpus(folder / "documents")
        examples = load_examples(folder / "questions.jsonl", corpus)
        return cls(corpus, examples, load_thresholds(folder / "thresholds.json"))

    def sources(self) -> list[RawSource]:
        """The documents, ready to be ingested, by name."""
        return [RawSource(name, content) for name, content in sorted(self.corpus.items())]

    def labelled(self, document_ids: Mapping[str, str]) -> list[EvalExample]:
        """The questions with ids in the place of file names. `document_ids` tells under which id a file was stored."""
        return [
            EvalExample(
                question=example.question,
                expected_answer=example.expected_answer,
                ground_truth_answer=example.ground_truth_answer,
                relevant_document_ids=frozenset(document_ids[name] for name in example.relevant_sources),
                history=example.history,
                id=example.id,
                kind=example.kind,
                lang=example.lang,
            )
            for example in self.examples
        ]


def default_golden_set() -> GoldenSet:
    """The small built-in set: four questions that its documents answer, and one that they do not. A smoke test."""
    from dalil.evaluation.small_set import CORPUS, EXAMPLES

    return GoldenSet(CORPUS, EXAMPLES)


def full_golden_folder() -> Path | None:
    """Where the large built-in set lies; None where it was not installed."""
    folder = Path(str(files("dalil.evaluation"))) / "golden"
    return folder if (folder / "questions.jsonl").is_file() else None
