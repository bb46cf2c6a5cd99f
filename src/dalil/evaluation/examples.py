"""Labelled questions, and the floors that a run has to reach."""

from __future__ import annotations

from dataclasses import dataclass

from dalil.models import Turn
from dalil.text.messages import is_not_found


@dataclass(frozen=True)
class EvalExample:
    """One labelled question: what to ask, and what a right answer looks like.

    `expected_answer` is what the answer should contain, `ground_truth_answer` the reference that it is compared with,
    `relevant_document_ids` the documents that it should rest on. Any may be left out; what needs it is then not
    measured. The ground truth of a question that the documents do not answer is the engine's not-found message.

    `history` is the conversation before the question. `id`, `kind` and `lang` name the case and its groups in reports.
    """

    question: str
    expected_answer: str | None = None
    ground_truth_answer: str | None = None
    relevant_document_ids: frozenset[str] = frozenset()
    history: tuple[Turn, ...] = ()
    id: str = ""
    kind: str = ""
    lang: str = ""

    @property
    def should_answer(self) -> bool | None:
        """Whether the documents hold an answer, as far as the labels tell; None where they do not."""
        if self.ground_truth_answer is not None:
            return not is_not_found(self.ground_truth_answer)
        return True if self.expected_answer is not None or self.relevant_document_ids else None

    @property
    def reference(self) -> str:
        """What answer relevancy is measured against: the ground truth, else what is expected, else the question."""
        if self.ground_truth_answer is not None:
            return self.ground_truth_answer
        return self.question if self.expected_answer is None else self.expected_answer


@dataclass(frozen=True)
class EvalThresholds:
    """The least mean of each measure that a run must reach; None: it is not looked at.

    The first four are checked always. The others are named as in `dalil.evaluation.measures`.
    """

    faithfulness: float = 0.7
    answer_relevancy: float = 0.6
    context_precision: float = 0.7
    context_recall: float = 0.7
    correct: float | None = None
    answer_accuracy: float | None = None
    refusal_precision: float | None = None
    refusal_recall: float | None = None
    sentence_citation_precision: float | None = None
    sentence_citation_recall: float | None = None
    ndcg: float | None = None
    recall: float | None = None
    mrr: float | None = None
    judged: float | None = None


@dataclass(frozen=True)
class ThresholdCheck:
    """Whether a report cleared its thresholds, and what did not."""

    passed: bool
    failures: tuple[str, ...]
