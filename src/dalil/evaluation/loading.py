"""Golden sets on disk: a folder of documents, and a line of JSON for each question."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from dalil.errors import ConfigurationError
from dalil.evaluation.examples import EvalThresholds
from dalil.evaluation.goldens import GoldenExample
from dalil.models import Turn
from dalil.text import detect_language
from dalil.text.messages import not_found

WITHOUT_ANSWER = ("near_miss", "unanswerable")
"""Kinds of question that are to be declined, unless an answer is expected all the same."""

KINDS = ("answerable", "table", "number", "follow_up", *WITHOUT_ANSWER)


def read_corpus(folder: Path) -> dict[str, bytes]:
    """The bytes of every document under `folder`, by its path there.

    Raises:
        ConfigurationError: if there is none.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    shown = [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not shown:
        raise ConfigurationError(f"There are no documents in {folder}.", advice=_ADVICE)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in shown}


def load_examples(file: Path, sources: Collection[str]) -> list[GoldenExample]:
    """The questions of a file, in order.

    Raises:
        ConfigurationError: if it cannot be read, or a line of it is no question about `sources`.
    """
    examples: dict[str, GoldenExample] = {}
    for number, line in enumerate(_text(file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            example = _example(json.loads(line), f"{number}", sources)
        except ValueError as error:
            raise ConfigurationError(f"{file.name}, line {number}: {error}.", advice=_ADVICE) from error
        if example.id in examples:
            raise ConfigurationError(f"{file.name}, line {number}: the id {example.id!r} was given before.")
        examples[example.id] = example
    if not examples:
        raise ConfigurationError(f"There are no questions in {file}.", advice=_ADVICE)
    return list(examples.values())


def load_thresholds(file: Path) -> EvalThresholds:
    """The thresholds of a file, {"faithfulness": 0.8, ...}; the usual ones where there is no file.

    Raises:
        ConfigurationError: for a name or a value that is none.
    """
    if not file.is_file():
        return EvalThresholds()
    try:
        given = json.loads(_text(file))
    except ValueError as error:
        raise ConfigurationError(f"{file.name} is no JSON: {error}.") from error
    names = {entry.name for entry in fields(EvalThresholds)}
    for name, value in given.items() if isinstance(given, dict) else [("It", given)]:
        if name not in names or isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise ConfigurationError(
                f"{file.name}: {name}: {value!r} is no threshold.", advice=f"There are: {', '.join(sorted(names))}."
            )
    return EvalThresholds(**given)


_ADVICE = "docs/evaluation.md shows what a golden set looks like."


def _example(entry: Any, number: str, sources: Collection[str]) -> GoldenExample:
    if not isinstance(entry, dict):
        raise ValueError("it is no JSON object")
    question = _string(entry, "question")
    if not question:
        raise ValueError("it has no question")
    kind = _string(entry, "kind") or "answerable"
    if kind not in KINDS:
        raise ValueError(f"there is no kind {kind!r}, only {', '.join(KINDS)}")
    expected = _string(entry, "expected_answer")
    relevant = _strings(entry, "relevant_sources")
    for name in relevant:
        if name not in sources:
            raise ValueError(f"there is no document {name!r}")
    answerable = expected is not None or kind not in WITHOUT_ANSWER
    return GoldenExample(
        question=question,
        expected_answer=expected,
        ground_truth_answer=_string(entry, "ground_truth_answer") if answerable else not_found(question),
        relevant_sources=frozenset(relevant) if answerable else frozenset(),
        history=_history(entry.get("history") or []),
        id=_string(entry, "id") or number,
        kind=kind,
        lang=_string(entry, "lang") or detect_language(question),
    )


def _history(turns: Any) -> tuple[Turn, ...]:
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        raise ValueError("history holds {question, answer} objects")
    return tuple(Turn(_string(turn, "question") or "", _string(turn, "answer") or "") for turn in turns)


def _string(entry: Mapping[str, Any], name: str) -> str | None:
    value = entry.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value.strip() or None if value else None


def _strings(entry: Mapping[str, Any], name: str) -> list[str]:
    value = entry.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{name} is no list of texts")
    return value


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}.", advice=_ADVICE) from error
