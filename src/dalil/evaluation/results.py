"""One question, asked and scored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dalil.evaluation.citations import sentence_citation_precision, sentence_citation_recall
from dalil.evaluation.examples import EvalExample
from dalil.evaluation.overlap import contains, coverage
from dalil.evaluation.ranking import ndcg, recall, reciprocal_rank
from dalil.models import Answer, Outcome


@dataclass(frozen=True)
class EvalCaseResult:
    """The scored outcome of one example.

    `ranking` holds the documents that the search found for it, best first; None where it was not asked. `judged` is
    what a judge made of the answer, from 0 to 1.
    """

    example: EvalExample
    answer: Answer
    answer_matched: bool
    faithfulness: float
    answer_relevancy: float
    context_precision: float
    context_recall: float
    ranking: tuple[str, ...] | None = None
    judged: float | None = None

    @property
    def citation_precision(self) -> float:
        """The share of the cited documents that are relevant: the same as the context precision."""
        return self.context_precision

    @property
    def citation_recall(self) -> float:
        """The share of the relevant documents that are cited: the same as the context recall."""
        return self.context_recall

    @property
    def declined(self) -> bool:
        """Whether the engine said that the documents hold no answer."""
        return self.answer.outcome is Outcome.NOT_FOUND

    @property
    def correct(self) -> bool | None:
        """Answered as expected where there is an answer, declined where there is none; None without labels."""
        wanted = self.example.should_answer
        if wanted is None:
            return None
        return self.answer.grounded and self.answer_matched if wanted else self.declined

    @property
    def sentence_citation_precision(self) -> float | None:
        """See `dalil.evaluation.citations`."""
        return sentence_citation_precision(self.answer)

    @property
    def sentence_citation_recall(self) -> float | None:
        """See `dalil.evaluation.citations`."""
        return sentence_citation_recall(self.answer)

    @property
    def ndcg(self) -> float | None:
        """nDCG at 10 of the documents found; None without labels or without a ranking."""
        return None if self._unranked else ndcg(self.ranking or (), self.example.relevant_document_ids)

    @property
    def recall(self) -> float | None:
        """Recall at 10 of the documents found."""
        return None if self._unranked else recall(self.ranking or (), self.example.relevant_document_ids)

    @property
    def reciprocal_rank(self) -> float | None:
        """1 / the rank of the first relevant document found."""
        return None if self._unranked else reciprocal_rank(self.ranking or (), self.example.relevant_document_ids)

    @property
    def _unranked(self) -> bool:
        return self.ranking is None or not self.example.relevant_document_ids


def score(
    example: EvalExample, answer: Answer, *, ranking: Sequence[str] | None = None, judged: float | None = None
) -> EvalCaseResult:
    """The answer to an example, measured against its labels."""
    cited = {citation.document_id for citation in answer.citations}
    return EvalCaseResult(
        example=example,
        answer=answer,
        answer_matched=example.expected_answer is None or contains(example.expected_answer, answer.text),
        faithfulness=faithfulness(answer),
        answer_relevancy=coverage(example.reference, answer.text),
        context_precision=_shared(cited, example.relevant_document_ids, cited),
        context_recall=_shared(cited, example.relevant_document_ids, example.relevant_document_ids),
        ranking=None if ranking is None else tuple(ranking),
        judged=judged,
    )


def faithfulness(answer: Answer) -> float:
    """How much of the answer its quotes cover; 1.0 where it rests on no documents, 0.0 where it should and cites none.

    Es et al., "RAGAS" (2024), ask a model whether the context supports each statement; here words stand in for it.
    """
    if not answer.grounded:
        return 1.0
    return (
        coverage(answer.text, "\n".join(citation.quote for citation in answer.citations)) if answer.citations else 0.0
    )


def _shared(cited: Collection[str], relevant: Collection[str], of: Collection[str]) -> float:
    """The share `of` the cited or the relevant documents that are both; 1.0 without labels, 0.0 with nothing cited."""
    if not relevant:
        return 1.0
    return len(set(cited) & set(relevant)) / len(of) if cited else 0.0
