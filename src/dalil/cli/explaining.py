"""`dalil ask --explain`: where each candidate stood in every stage, and which stage lost a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dalil.cli.failures import printable
from dalil.cli.output import print_table
from dalil.models import Document
from dalil.tracing import RecordedSpan


@dataclass(frozen=True)
class Candidate:
    """A chunk that a channel found. Ranks begin at 1; None: not among those of that stage."""

    chunk_id: str
    document_id: str
    source: str
    page: int
    dense_rank: int | None
    word_rank: int | None
    fused_rank: int | None
    kept_rank: int | None
    in_context: bool
    cited: bool

    @property
    def progress(self) -> tuple[int, ...]:
        """How far it went: which stages it passed, the last one first, then its best rank; the further, the greater."""
        ranks = (self.kept_rank, self.fused_rank, self.dense_rank, self.word_rank)
        best = min((rank for rank in ranks[-2:] if rank is not None), default=0)
        passed = (self.cited, self.in_context, *(rank is not None for rank in ranks[:2]))
        return *passed, -(self.kept_rank or 0), -(self.fused_rank or 0), -best

    @property
    def found(self) -> str:
        """How it was found, in words."""
        ranks = {"by meaning": self.dense_rank, "by words": self.word_rank}
        return "found " + " and ".join(f"{how} at rank {rank}" for how, rank in ranks.items() if rank is not None)


@dataclass(frozen=True)
class Fate:
    """What became of a document: the stage that lost it (None: it is cited), and that in a sentence."""

    stage: str | None
    sentence: str


class Explanation:
    """What the trace of one question says. Made from the root span of a tracer that records content."""

    def __init__(self, root: RecordedSpan, *, reranked: bool) -> None:
        self.reranked = reranked
        self._spans = {span.name: span.attributes for span in root.walk()}
        self._retrieved = self._spans.get("retrieve", {})
        self.found = [self._candidate(document) for document in self._retrieved.get("documents", ())]

    @property
    def confidence(self) -> float | None:
        """The gate's estimate that there is an answer; None where no gate judged."""
        confidence = self._retrieved.get("confidence")
        return None if confidence is None else float(confidence)

    @property
    def answerable(self) -> bool | None:
        """The gate's verdict; None where no gate judged."""
        return self._retrieved.get("answerable")

    def candidates(self, expected: Document | None) -> list[Candidate]:
        """Those that fusion kept, best first, then the other chunks of the expected document."""
        wanted = expected.id if expected else None
        return [one for one in self.found if one.fused_rank is not None or one.document_id == wanted]

    def fate(self, document: Document) -> Fate:
        """Which stage lost the document, by its chunk that went furthest."""
        if "retrieve" not in self._spans:
            return Fate("retrieve", "nothing was retrieved: this is no question to the documents")
        mine = [one for one in self.found if one.document_id == document.id]
        if not mine:
            most = max(self._retrieved.get("dense", 0), self._retrieved.get("lexical", 0))
            among = f" among the best {most}" if most else ""
            return Fate("retrieve", f"never retrieved: neither its words nor its meaning match{among}")
        return self._fate(max(mine, key=lambda one: one.progress))

    def _fate(self, best: Candidate) -> Fate:
        if best.cited:
            return Fate(None, "cited")
        if best.in_context:
            said = self._spans.get("generate", {}).get("grounded")
            did = "the answer did not cite it" if said else "the model declined to answer"
            return Fate("generate", f"in the context, but {did}")
        if best.kept_rank is not None and "prompt" in self._spans:
            count = len(self._spans["prompt"].get("context_ids", ()))
            return Fate("prompt", f"kept at rank {best.kept_rank}, but only {count} went into the context")
        if best.kept_rank is not None:
            sure = "" if self.confidence is None else f" (confidence {self.confidence:.2f})"
            return Fate("gate", f"kept at rank {best.kept_rank}, but the evidence gate declined{sure}")
        if best.fused_rank is not None:
            kept = self._spans.get("rerank", {}).get("kept", 0)
            how = "kept by the reranker" if self.reranked else "kept as evidence"
            lost = f"not among the {kept} {how}" if kept else "where nothing scored enough to be kept"
            return Fate("rerank", f"at rank {best.fused_rank} after fusion, {lost}")
        count = self._retrieved.get("fused", 0)
        return Fate("fusion", f"{best.found}, not among the {count} that were kept after fusion")

    def _candidate(self, document: Mapping[str, Any]) -> Candidate:
        own = document["id"]
        names = {own, document.get("parent_id")}  # what is read of a small chunk may be its parent
        return Candidate(
            chunk_id=own,
            document_id=document["document_id"],
            source=document["source"],
            page=document["page"],
            dense_rank=_rank(own, self._retrieved.get("dense_ids", ())),
            word_rank=_rank(own, self._retrieved.get("lexical_ids", ())),
            fused_rank=_rank(own, self._retrieved.get("fused_ids", ())),
            kept_rank=_rank(own, self._spans.get("rerank", {}).get("kept_ids", ())),
            in_context=not names.isdisjoint(self._spans.get("prompt", {}).get("context_ids", ())),
            cited=not names.isdisjoint(self._spans.get("generate", {}).get("cited_ids", ())),
        )


def explanation_json(explanation: Explanation, expected: Document | None) -> dict[str, Any]:
    """An explanation as the command's JSON."""
    judged = explanation.confidence is not None
    gate = {"answerable": explanation.answerable, "confidence": explanation.confidence} if judged else None
    return {
        "gate": gate,
        "candidates": [
            {
                "source": one.source,
                "document_id": one.document_id,
                "chunk_id": one.chunk_id,
                "page": one.page,
                "dense_rank": one.dense_rank,
                "word_rank": one.word_rank,
                "fused_rank": one.fused_rank,
                "reranked_rank": one.kept_rank if explanation.reranked else None,
                "in_context": one.in_context,
                "cited": one.cited,
            }
            for one in explanation.candidates(expected)
        ],
        "expected": _expected_json(expected, explanation.fate(expected)) if expected else None,
    }


def print_explanation(out: Console, explanation: Explanation, expected: Document | None) -> None:
    """The candidates in a table, the gate's verdict, and the fate of the expected document."""
    candidates = explanation.candidates(expected)
    out.print()
    if candidates:
        print_table(out, _table(candidates, reranked=explanation.reranked))
    else:
        out.print("Nothing was retrieved.")
    if explanation.confidence is not None:
        verdict = "answerable" if explanation.answerable else "declined"
        out.print(f"Evidence gate: {verdict}, confidence {explanation.confidence:.2f}")
    elif candidates:
        out.print("Evidence gate: none for this embedder")
    if expected:
        fate = explanation.fate(expected)
        where = f" [{fate.stage}]" if fate.stage else ""
        out.print(Text(f"{printable(expected.source)}: {fate.sentence}{where}", style="bold"))


def _table(candidates: Sequence[Candidate], *, reranked: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("document")
    for name in ("page", "meaning", "words", "fused", *(["reranked"] if reranked else [])):
        table.add_column(name, justify="right")
    table.add_column("in context")
    table.add_column("cited")
    for one in candidates:
        ranks = [one.dense_rank, one.word_rank, one.fused_rank, *([one.kept_rank] if reranked else [])]
        table.add_row(
            Text(printable(one.source), overflow="fold"),
            str(one.page),
            *("-" if rank is None else str(rank) for rank in ranks),
            "yes" if one.in_context else "-",
            "yes" if one.cited else "-",
        )
    return table


def _expected_json(document: Document, fate: Fate) -> dict[str, Any]:
    return {
        "source": document.source,
        "document_id": document.id,
        "stage": fate.stage,
        "sentence": fate.sentence,
    }


def _rank(chunk_id: str, ranked: Sequence[str]) -> int | None:
    return ranked.index(chunk_id) + 1 if chunk_id in ranked else None
