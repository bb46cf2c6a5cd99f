"""Whether follow-up questions find their passages: as they were asked, carried over, and after all earlier questions.

python -m benchmarks.followups [--profile fast] [--limit N] [--json]

The set is mtrag-un: conversations of people about documents, in English, 1,488 passages. A question with history is a
follow-up, one without is a first turn. The set holds no questions rewritten by people, so there is no ceiling to
compare with. A group marked `carried` holds only the questions to which something was added; `better` and `worse`
count the questions whose nDCG@10 differs from that of the question as it was asked, and `gain` is the mean difference
with its 95% interval (paired bootstrap).

The last rows are about changes of topic: questions that were written to be asked alone, each after another question
of its set, and how many of them got something added all the same. Some of them are no whole questions ("Who drew
it?"), so nought is not the aim. False alarms were looked for in own-en, arcd's train split and mlqa-ar-dev alone.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.data import RetrievalSet, load, load_own
from benchmarks.reporting import show
from benchmarks.retrieval import Ranking, measure, queries_of, rankings
from benchmarks.stores import PROFILES, ingest_passages, store_folder
from dalil.answering.carrying import CarryingRewriter
from dalil.models import Turn
from dalil.sage import RagSage

NAME = "mtrag-un"
ASKED = "as asked"
METHODS = ("words", "dense", "hybrid")
ALONE = ("xquad-en-ar", "arcd", "mlqa-ar-dev", "2wikimultihopqa-101", "scifact")
RESAMPLES = 2000


def history_of(query: Mapping[str, Any]) -> list[Turn]:
    """The earlier turns: what was asked, with what was answered before the next question."""
    turns: list[Turn] = []
    for said in query["history"]:
        if said["role"] == "user":
            turns.append(Turn(said["text"], ""))
        elif turns:
            turns[-1] = Turn(turns[-1].question, f"{turns[-1].answer} {said['text']}".strip())
    return turns


async def phrasings(queries: Sequence[dict[str, Any]]) -> tuple[dict[str, dict[str, str]], float]:
    """Each way of asking: the text by question; and the microseconds that carrying over takes."""
    rewriter = CarryingRewriter()
    turns = {query["id"]: history_of(query) for query in queries}
    asked = {query["id"]: query["text"] for query in queries}
    started = time.perf_counter()
    carried = {query["id"]: await rewriter.rewrite(query["text"], turns[query["id"]]) for query in queries}
    taken = (time.perf_counter() - started) / max(1, len(queries)) * 1e6
    concatenated = {
        identifier: " ".join([*(turn.question for turn in turns[identifier]), text])
        for identifier, text in asked.items()
    }
    return {ASKED: asked, "carried over": carried, "all questions": concatenated}, taken


async def run(profile: str, limit: int | None = None) -> list[dict[str, Any]]:
    """One row a group of questions, method and way of asking, and one for what carrying over did and took."""
    data = load(NAME)
    queries = data.queries[:limit]
    ways, taken = await phrasings(queries)
    async with await ingest_passages(store_folder(f"{NAME}-{profile}"), data.corpus, profile) as sage:
        found = {way: await searched(sage, queries, texts, profile) for way, texts in ways.items()}
    changed = {identifier for identifier, text in ways["carried over"].items() if text != ways[ASKED][identifier]}
    groups = {
        "all": [query["id"] for query in queries],
        "first turns": [query["id"] for query in queries if not query["history"]],
        "follow-ups": [query["id"] for query in queries if query["history"]],
        "follow-ups, carried": [query["id"] for query in queries if query["id"] in changed],
    }
    rows = [
        {"questions": group, "count": len(members), "profile": profile, "method": method, "asked": way}
        | compared(data.relevant, *(_of(found[each][method], members) for each in (way, ASKED)))
        for group, members in groups.items()
        if members
        for method in METHODS
        for way in ways
    ]
    rows.append({"questions": NAME, "count": len(queries), "carried": len(changed), "microseconds": round(taken, 1)})
    for other in (load_own(), *map(load, ALONE)):
        rows += await changes_of_topic(other, limit)
    return rows


async def changes_of_topic(data: RetrievalSet, limit: int | None = None) -> list[dict[str, Any]]:
    """How many questions of a set get something from the one that lies half the set away."""
    rewriter = CarryingRewriter()
    rows = []
    for label, queries in queries_of(data).items():
        texts = [query["text"] for query in queries[:limit]]
        before = texts[len(texts) // 2 :] + texts[: len(texts) // 2]
        added = [
            await rewriter.rewrite(text, [Turn(other, "")]) != text for text, other in zip(texts, before, strict=True)
        ]
        share = round(sum(added) / len(texts), 4)
        rows.append({"questions": f"{label}, alone", "count": len(texts), "carried": sum(added), "share": share})
    return rows


async def searched(
    sage: RagSage, queries: Sequence[dict[str, Any]], texts: Mapping[str, str], profile: str
) -> dict[str, dict[str, Ranking]]:
    """The rankings of the same questions in other words."""
    return await rankings(sage, [{**query, "text": texts[query["id"]]} for query in queries], profile)


def _of(found: Mapping[str, Ranking], members: Sequence[str]) -> dict[str, Ranking]:
    return {identifier: found[identifier] for identifier in members}


def compared(
    relevant: dict[str, dict[str, int]], found: dict[str, Ranking], asked: dict[str, Ranking]
) -> dict[str, Any]:
    """The measures of one ranking, and what it gains over that of the questions as asked."""
    row: dict[str, Any] = measure(relevant, found)
    if found == asked:
        return row
    ours, theirs = by_question(relevant, found), by_question(relevant, asked)
    gains = [ours[identifier] - theirs[identifier] for identifier in sorted(ours)]
    low, high = interval(gains)
    return row | {
        "better": sum(gain > 0 for gain in gains),
        "worse": sum(gain < 0 for gain in gains),
        "gain": f"{sum(gains) / len(gains):+.4f} [{low:+.4f}, {high:+.4f}]",
    }


def by_question(relevant: dict[str, dict[str, int]], found: dict[str, Ranking]) -> dict[str, float]:
    """nDCG@10 of each question."""
    import ir_measures
    from ir_measures import nDCG

    qrels = {query: relevant[query] for query in found}
    return {metric.query_id: float(metric.value) for metric in ir_measures.iter_calc([nDCG @ 10], qrels, found)}


def interval(gains: Sequence[float]) -> tuple[float, float]:
    """Where the mean lies in 95% of the resamples; always the same for the same gains."""
    chance = random.Random(0)
    means = sorted(sum(chance.choices(gains, k=len(gains))) / len(gains) for _ in range(RESAMPLES))
    return means[round(RESAMPLES * 0.025)], means[round(RESAMPLES * 0.975) - 1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.followups", description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="fast", choices=PROFILES)
    parser.add_argument("--limit", type=int, help="only the first so many questions")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show(asyncio.run(run(options.profile, options.limit)), as_json=options.json)


if __name__ == "__main__":
    main()
