"""Fits a profile's fusion weights, gate and sentence weights on the tuning sets, cross-validated by article.

python -m benchmarks.fit --profile accurate [--write]

Tuning sets: arcd (train split), mlqa-ar-dev, scifact (train), and our own English questions. Nothing that is reported
is touched. With --write the result becomes the profile's file in the package.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.collecting import FUSION_SETS, QUESTION_SETS, SIGNALS, TUNING_SETS, collect
from benchmarks.fit_answer import SENTENCE_SIGNALS, fit_answer, fit_margin, found
from benchmarks.fit_fusion import Sets, Weights, fit_fusion, mean_ndcg
from benchmarks.fit_gate import Example, examples, fit_gate, refuses
from benchmarks.fit_relevance import fit_relevance
from benchmarks.stores import PROFILES
from dalil.profiles import VERSION
from dalil.retrieval import FusionWeights, WeightedFusion

FOLDS = 5


def fold_of(group: str) -> int:
    """The fold of a question, by its article, the same in every run."""
    return zlib.crc32(group.encode()) % FOLDS


def split(sets: Sets) -> Iterator[tuple[Sets, Sets]]:
    """Each fold's training and held-out questions."""
    for fold in range(FOLDS):
        yield (
            {name: [q for q in questions if fold_of(q.group) != fold] for name, questions in sets.items()},
            {name: [q for q in questions if fold_of(q.group) == fold] for name, questions in sets.items()},
        )


def fit_profile(profile: str, sets: Sets) -> tuple[dict[str, Any], dict[str, Any]]:
    """The profile's file, and the report of how good it is on the tuning sets and on held-out folds of them."""
    searched, asked = _chosen(sets, FUSION_SETS), _chosen(sets, QUESTION_SETS)
    fusion = np.round(fit_fusion(searched), 4)
    answer = np.round(fit_answer(asked, profile), 4)
    weighted = WeightedFusion(FusionWeights(**_named(SIGNALS, fusion)))
    rows = [row for name, questions in sets.items() for row in examples(name, questions, weighted)]
    gate = fit_gate([row for row in rows if row.tuning_set in QUESTION_SETS and row.kind in ("en", "ar")])
    fitted = {
        "version": VERSION,
        "tuned_on": [f"{name} ({len(questions)})" for name, questions in sets.items()],
        "fusion": _named(SIGNALS, fusion),
        "answer": {**_named(SENTENCE_SIGNALS, answer), "margin": fit_margin(asked, answer)},
        "gate": gate,
        "relevance": fit_relevance(asked, weighted),
    }
    report = {
        "nDCG@10": _by_set(sets, lambda one: mean_ndcg(one, fusion)),
        "nDCG@10 held out": _held_out(searched, fit_fusion, mean_ndcg),
        **{
            f"nDCG@10 {signal} alone": _by_set(sets, lambda one, row=row: mean_ndcg(one, row))  # type: ignore[misc]
            for signal, row in zip(SIGNALS, np.eye(len(SIGNALS)), strict=True)
        },
        "answers right": _by_set(asked, lambda one: _answers(one, answer)),
        "answers right held out": _held_out(asked, lambda train: fit_answer(train, profile), _answers),
        "refused held out": _gate_held_out(rows),
    }
    return fitted, report


def _chosen(sets: Sets, names: Sequence[str]) -> Sets:
    return {name: sets[name] for name in names}


def _answers(sets: Sets, weights: Weights) -> float:
    return float(np.mean([found(questions, weights) for questions in sets.values()]))


def _by_set(sets: Sets, measure: Callable[[Sets], float]) -> dict[str, float]:
    return {name: round(measure({name: questions}), 4) for name, questions in sets.items()}


def _held_out(sets: Sets, fit: Callable[[Sets], Weights], measure: Callable[[Sets, Weights], float]) -> float:
    return round(float(np.mean([measure(test, fit(train)) for train, test in split(sets)])), 4)


def _gate_held_out(rows: Sequence[Example]) -> dict[str, float]:
    refused: dict[str, list[bool]] = {}
    for fold in range(FOLDS):
        gate = fit_gate([row for row in rows if row.tuning_set in QUESTION_SETS and fold_of(row.group) != fold])
        for row in rows:
            if fold_of(row.group) == fold:
                refused.setdefault(f"{row.tuning_set} {row.topic}", []).append(refuses(gate[row.kind], row.features))
    return {name: round(float(np.mean(kept)), 4) for name, kept in sorted(refused.items())}


def _named(names: Sequence[str], values: Weights) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


async def run(profile: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Collect the tuning questions and fit."""
    sets: Sets = {}
    for name in TUNING_SETS:
        sets[name] = await collect(name, profile)
    return fit_profile(profile, sets)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.fit", description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--write", action="store_true", help="store the result in the package")
    options = parser.parse_args()
    fitted, report = asyncio.run(run(options.profile))
    if options.write:
        file = Path(__file__).parents[1] / "src" / "dalil" / "fitted" / f"{options.profile}.json"
        file.write_text(json.dumps(fitted, indent=2) + "\n", "utf-8")
    print(json.dumps({"profile": options.profile, "fitted": fitted, "report": report}, indent=2))


if __name__ == "__main__":
    main()
