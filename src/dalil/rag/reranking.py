"""Putting retrieved chunks in a better order, by simple signs, by a language model's judgement, or by both."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dalil.errors import ConfigurationError
from dalil.rag.chunk_access import document_of, text_of
from dalil.rag.llm_scores import LANGUAGES, LLMScores
from dalil.rag.merging import by_score
from dalil.text import normalise

_log = logging.getLogger("dalil.rag")

# Words with the marks that are written on their letters (combining accents, harakat), which \w leaves out.
_MARKED_WORD = re.compile("[\\w\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]+")
_WORD = re.compile(r"\w+")


class RerankMode(StrEnum):
    """What a new order rests on."""

    HEURISTIC = "heuristic"
    LLM = "llm"
    HYBRID = "hybrid"


@dataclass(frozen=True)
class RerankerConfig:
    """The settings of a `Reranker`.

    Attributes:
        mode: a RerankMode or its string value.
        top_k: how many come back; None: as many as came in.
        original_score_weight, llm_score_weight, diversity_weight, length_weight: at least 0. See `effective_weights`.
        llm_eval_language: "ar" or "en", the language in which a model is asked.
        ideal_min_words, ideal_max_words: chunks of this many words get the whole length bonus.
        dedup_enabled: whether chunks with almost the same words are shown once.
        dedup_threshold: the Jaccard similarity of word sets, in [0, 1], from which two chunks are such twins.

    Raises:
        ConfigurationError: for a value outside these bounds.
    """

    mode: RerankMode = RerankMode.HEURISTIC
    top_k: int | None = None
    original_score_weight: float = 0.40
    llm_score_weight: float = 0.40
    diversity_weight: float = 0.10
    length_weight: float = 0.10
    llm_eval_language: str = "ar"
    ideal_min_words: int = 30
    ideal_max_words: int = 300
    dedup_enabled: bool = True
    dedup_threshold: float = 0.85

    def __post_init__(self) -> None:
        if self.mode not in list(RerankMode):
            raise ConfigurationError(f"mode must be one of {', '.join(RerankMode)}, not {self.mode!r}.")
        object.__setattr__(self, "mode", RerankMode(self.mode))
        if self.top_k is not None and self.top_k <= 0:
            raise ConfigurationError(f"top_k must be positive or None, not {self.top_k}.")
        for name in ("original_score_weight", "llm_score_weight", "diversity_weight", "length_weight"):
            weight = getattr(self, name)
            if not math.isfinite(weight) or weight < 0:
                raise ConfigurationError(f"{name} must be a finite number of at least 0, not {weight}.")
        if self.llm_eval_language not in LANGUAGES:
            raise ConfigurationError(
                f"llm_eval_language must be one of {', '.join(LANGUAGES)}, not {self.llm_eval_language!r}."
            )
        if not 0 <= self.ideal_min_words <= self.ideal_max_words or self.ideal_max_words == 0:
            raise ConfigurationError("ideal_min_words must be at least 0, and ideal_max_words positive and no smaller.")
        if not 0 <= self.dedup_threshold <= 1:
            raise ConfigurationError(f"dedup_threshold must lie in [0, 1], not {self.dedup_threshold}.")

    def effective_weights(self, mode: RerankMode | str | None = None) -> dict[str, float]:
        """The weights of the terms "original", "llm", "diversity" and "length" in `mode` (None: the mode set here).

        HEURISTIC gives the model's weight to the original score; LLM leaves diversity out; HYBRID uses all four.
        """
        mode = RerankMode(self.mode if mode is None else mode)
        weights = {
            "original": self.original_score_weight,
            "llm": self.llm_score_weight,
            "diversity": self.diversity_weight,
            "length": self.length_weight,
        }
        if mode is RerankMode.HEURISTIC:
            weights |= {"original": self.original_score_weight + self.llm_score_weight, "llm": 0.0}
        elif mode is RerankMode.LLM:
            weights["diversity"] = 0.0
        return weights


class Reranker:
    """Scores chunks anew and sorts them. Any number of threads may use it.

    Args:
        config: the defaults of RerankerConfig if None.
        llm: anything with `generate(prompt, **kwargs)`, synchronous or asynchronous. Without one, the modes LLM and
            HYBRID fall back to HEURISTIC, with a warning.
    """

    def __init__(self, config: RerankerConfig | None = None, llm: Any = None) -> None:
        self.config = config or RerankerConfig()
        self.llm = llm
        self.mode = self.config.mode
        if self.mode is not RerankMode.HEURISTIC and llm is None:
            _log.warning("Reranking by %s needs a language model; falling back to %s.", self.mode, RerankMode.HEURISTIC)
            self.mode = RerankMode.HEURISTIC
        self._llm_scores = LLMScores(llm, self.config.llm_eval_language)

    def rerank(
        self, query: str, chunks: Sequence[tuple[Any, float]], top_k: int | None = None
    ) -> list[tuple[Any, float]]:
        """The best `top_k` of `chunks` as (chunk, new score), by descending new score.

        Args:
            query: the question.
            chunks: (chunk, score) in any order and on any scale; not changed.
            top_k: None means the config's, and where that is None too, all.

        Returns:
            One candidate comes back as it is, and none gives []. Of near twins the one with the higher original score
            stays. Equal new scores keep the order of the original scores, and those the order of the input.
        """
        if top_k is None:
            top_k = self.config.top_k
        if len(chunks) > 1:
            chunks = self._scored(query, sorted(chunks, key=by_score))
        return list(chunks if top_k is None else chunks[: max(top_k, 0)])

    def effective_weights(self, mode: RerankMode | str | None = None) -> dict[str, float]:
        """The config's weights in `mode` (None: the mode in force here, after any fallback)."""
        return self.config.effective_weights(self.mode if mode is None else mode)

    def clear_cache(self) -> None:
        """Forget the scores that the language model gave."""
        self._llm_scores.clear()

    def _scored(self, query: str, chunks: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
        """`chunks`, which come by descending score, without twins and with new scores, best first."""
        texts = [text_of(chunk) for chunk, _ in chunks]
        if self.config.dedup_enabled:
            kept = _without_twins(texts, self.config.dedup_threshold)
            chunks, texts = [chunks[place] for place in kept], [texts[place] for place in kept]
        weights = self.effective_weights()
        judged = [0.0] * len(texts) if self.mode is RerankMode.HEURISTIC else self._llm_scores.of(query, texts)
        spread = [0.0] * len(texts) if self.mode is RerankMode.LLM else _diversity(query, chunks, texts)
        rescored = [
            (
                chunk,
                weights["original"] * score
                + weights["llm"] * judgement
                + weights["diversity"] * diversity
                + weights["length"] * self._length_bonus(text),
            )
            for (chunk, score), text, judgement, diversity in zip(chunks, texts, judged, spread, strict=True)
        ]
        return sorted(rescored, key=by_score)

    def _length_bonus(self, text: str) -> float:
        """1 between the ideal bounds; words/minimum below them; above, falling to 0 at twice the maximum."""
        words, least, most = len(text.split()), self.config.ideal_min_words, self.config.ideal_max_words
        if words < least:
            return words / least
        return 1.0 if words <= most else max(0.0, 2 - words / most)


def _diversity(query: str, chunks: Sequence[tuple[Any, float]], texts: Sequence[str]) -> list[float]:
    """For each chunk, half for a document not seen before in the list, and half by the query's words found in it.

    A chunk that names no document counts as one of its own.
    """
    asked = set(_WORD.findall(normalise(query)))
    seen: set[str] = set()
    terms = []
    for (chunk, _), text in zip(chunks, texts, strict=True):
        document = document_of(chunk)
        unseen = document is None or document not in seen
        if document is not None:
            seen.add(document)
        found = asked.intersection(_WORD.findall(normalise(text)))
        terms.append(0.5 * unseen + 0.5 * (len(found) / len(asked) if asked else 0.0))
    return terms


def _without_twins(texts: Sequence[str], threshold: float) -> list[int]:
    """The places of the texts that are no twin of an earlier one kept. Texts without words have no twins."""
    kept: list[int] = []
    words = [frozenset(_MARKED_WORD.findall(text.lower())) for text in texts]
    for place, own in enumerate(words):
        if not any(own and len(own & words[other]) >= threshold * len(own | words[other]) for other in kept):
            kept.append(place)
    return kept
