"""The data sets in their one normal form."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


def data_folder() -> Path:
    """`DALIL_DATA`, or `../shared/data` beside the project; ends the program with a reason when it is absent."""
    folder = Path(os.environ.get("DALIL_DATA") or Path(__file__).parents[1].parent / "shared" / "data")
    if not folder.is_dir():
        sys.exit(f"The benchmark data is not at {folder}. Set DALIL_DATA to the folder that holds it.")
    return folder


@dataclass(frozen=True)
class RetrievalSet:
    """Passages, questions, and which passages answer which question (`relevant[question][passage] = grade`)."""

    name: str
    corpus: list[dict[str, Any]]
    queries: list[dict[str, Any]]
    relevant: dict[str, dict[str, int]]


def load(name: str, *, queries: str = "queries.jsonl", qrels: str = "qrels.tsv") -> RetrievalSet:
    """One set, with only the questions that its qrels know."""
    with gzip.open(data_folder() / name / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        corpus = [json.loads(line) for line in lines]
    return replace(load_questions(name, queries=queries, qrels=qrels), corpus=corpus)


def load_questions(name: str, *, queries: str = "queries.jsonl", qrels: str = "qrels.tsv") -> RetrievalSet:
    """One set without its passages: for those whose documents are files."""
    folder = data_folder() / name
    relevant: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / qrels).read_text(encoding="utf-8").splitlines()[1:]:
        query, passage, grade = line.split("\t")
        relevant[query][passage] = int(grade)
    asked = [json.loads(line) for line in (folder / queries).read_text(encoding="utf-8").splitlines()]
    return RetrievalSet(name, [], [query for query in asked if query["id"] in relevant], dict(relevant))


def load_own() -> RetrievalSet:
    """The English tuning questions that were written for this project: see tuning/README.md."""
    folder = Path(__file__).parent / "tuning"
    corpus, queries = (
        [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        for name in ("passages", "questions")
    )
    return RetrievalSet("own-en", corpus, queries, {query["id"]: {query["passage"]: 1} for query in queries})
