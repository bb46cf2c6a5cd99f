"""Whether the quotes behind an answer support it, sentence by sentence.

Citation recall and precision as Gao et al. define them in "Enabling Large Language Models to Generate Text with
Citations" (EMNLP 2023), with words in the place of their entailment model, so that it runs offline and the same way
every time: a quote supports a sentence that it covers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dalil.evaluation.overlap import content_tokens, coverage, numbers, without_markers
from dalil.models import Answer, Citation
from dalil.text import split_sentences

SUPPORTED_FROM = 0.6
"""A sentence is supported by quotes that hold this share of its content tokens, and every number in it."""

_MARKERS = re.compile(r"(?:[ \t\u00a0]*\[\d+\])+")
_DIGITS = re.compile(r"\d+")
_STOPS = " \t\n.،,;؛:!?؟-–"


@dataclass(frozen=True)
class CitedSentence:
    """A sentence of an answer and the markers that stand behind it."""

    text: str
    markers: tuple[int, ...]


def cited_sentences(text: str) -> list[CitedSentence]:
    """The sentences of an answer with their markers, those that say nothing left out.

    A group of markers stands for all that was said since the group before it, as the engine reads it.
    """
    found: list[tuple[str, tuple[int, ...]]] = []
    position = 0
    for match in _MARKERS.finditer(text):
        statement = text[position : match.start()].lstrip(_STOPS).rstrip()
        markers = tuple(int(number) for number in _DIGITS.findall(match.group()))
        position = match.end()
        if statement or not found:
            found.append((statement, markers))
        else:  # a marker on either side of a full stop
            found[-1] = (found[-1][0], (*found[-1][1], *markers))
    found.append((text[position:].lstrip(_STOPS).rstrip(), ()))
    return [
        CitedSentence(statement[start:end], tuple(dict.fromkeys(markers)))
        for statement, markers in found
        for start, end in split_sentences(statement)
        if content_tokens(statement[start:end])
    ]


def supports(quotes: str, sentence: str) -> bool:
    """Whether the quotes hold enough of the sentence's words, and all of its numbers."""
    return coverage(sentence, quotes) >= SUPPORTED_FROM and numbers(sentence) <= numbers(quotes)


def sentence_citation_recall(answer: Answer) -> float | None:
    """The share of sentences that their quotes support together; None for an answer that rests on no documents."""
    sentences = cited_sentences(answer.text)
    if not answer.grounded or not sentences:
        return None
    supported = [
        bool(sentence.markers) and supports(_quotes(answer.citations, sentence.markers), sentence.text)
        for sentence in sentences
    ]
    return sum(supported) / len(supported)


def sentence_citation_precision(answer: Answer) -> float | None:
    """The share of citations that help to support their sentence; None where nothing is cited.

    One helps if the sentence is supported by all of its citations, and either by this one alone, or not without it.
    """
    if not answer.grounded:
        return None
    helping = [
        _helps(answer.citations, sentence, marker)
        for sentence in cited_sentences(answer.text)
        for marker in sentence.markers
    ]
    return sum(helping) / len(helping) if helping else None


def _helps(citations: Sequence[Citation], sentence: CitedSentence, marker: int) -> bool:
    text = without_markers(sentence.text)
    if not supports(_quotes(citations, sentence.markers), text):
        return False
    others = [other for other in sentence.markers if other != marker]
    return supports(_quotes(citations, [marker]), text) or not supports(_quotes(citations, others), text)


def _quotes(citations: Sequence[Citation], markers: Sequence[int]) -> str:
    return "\n".join(citation.quote for citation in citations if citation.marker in markers)
