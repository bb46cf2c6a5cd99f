"""Retrieved chunks are put in a better order, by the documented formulas."""

from __future__ import annotations

import copy
import logging
import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import ConfigurationError
from dalil.rag.reranking import Reranker, RerankerConfig, RerankMode


def chunk(text: str, doc_id: str | None = None) -> SimpleNamespace:
    return SimpleNamespace(text=text) if doc_id is None else SimpleNamespace(text=text, doc_id=doc_id)


def words(number: int, name: str = "word") -> str:
    """So many words, each a different one."""
    return " ".join(f"{name}{place}" for place in range(number))


class ScoringLLM:
    """Gives every text the number that follows its word `score`."""

    def generate(self, prompt: str, **kwargs: Any) -> str:
        return prompt.split("score=")[1].split()[0]


def score_of(config: RerankerConfig, query: str, text: str, score: float = 0.0, llm: Any = None) -> float:
    """The new score of a chunk without a document, reranked beside one that has nothing in common with it."""
    own = chunk(text)
    other = chunk("score=0 " + words(40, "other"))
    reranked = Reranker(config, llm).rerank(query, [(own, score), (other, -9.0)])
    return next(new for found, new in reranked if found is own)


def only(**weights: float) -> dict[str, float]:
    names = ("original_score_weight", "llm_score_weight", "diversity_weight", "length_weight")
    return dict.fromkeys(names, 0.0) | weights


def test_the_documented_defaults():
    config = RerankerConfig()
    assert vars(config) == {
        "mode": RerankMode.HEURISTIC,
        "top_k": None,
        "original_score_weight": 0.40,
        "llm_score_weight": 0.40,
        "diversity_weight": 0.10,
        "length_weight": 0.10,
        "llm_eval_language": "ar",
        "ideal_min_words": 30,
        "ideal_max_words": 300,
        "dedup_enabled": True,
        "dedup_threshold": 0.85,
    }
    assert Reranker().config == config


def test_none_gives_an_empty_list():
    assert Reranker().rerank("q", []) == []


def test_one_candidate_comes_back_as_it_is():
    alone = chunk("short")
    assert Reranker().rerank("q", [(alone, 0.123)]) == [(alone, 0.123)]


def test_the_heuristic_formula():
    # 0.8 * 0.5 (original and model) + 0.1 * 15/30 (length) + 0.1 * (0.5 unseen + 0.5 * half of the query's words)
    text = words(14) + " leave"
    assert score_of(RerankerConfig(), "annual leave", text, 0.5) == pytest.approx(0.8 * 0.5 + 0.1 * 0.5 + 0.1 * 0.75)


def test_the_llm_formula_has_no_diversity():
    config = RerankerConfig(mode=RerankMode.LLM)
    text = "score=9 " + words(14)
    assert score_of(config, "score", text, 0.5, ScoringLLM()) == pytest.approx(0.4 * 0.5 + 0.4 * 0.9 + 0.1 * 0.5)


def test_the_hybrid_formula_adds_diversity():
    config = RerankerConfig(mode=RerankMode.HYBRID)
    text = "score=9 " + words(14)
    expected = 0.4 * 0.5 + 0.4 * 0.9 + 0.1 * 0.5 + 0.1 * (0.5 + 0.5 * 0.5)
    assert score_of(config, "score elsewhere", text, 0.5, ScoringLLM()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("number", "bonus"),
    [(0, 0.0), (15, 0.5), (29, 29 / 30), (30, 1.0), (300, 1.0), (450, 0.5), (600, 0.0), (900, 0.0)],
)
def test_the_length_bonus(number: int, bonus: float):
    config = RerankerConfig(**only(length_weight=1.0))
    assert score_of(config, "q", words(number) or " ") == pytest.approx(bonus)


def test_diversity_gives_half_for_a_document_not_seen_before_the_better_chunk_first():
    first, second, third, nameless = chunk("a b", "1"), chunk("c d", "1"), chunk("e f", "2"), chunk("g h")
    given_ = [(second, 0.3), (third, 0.1), (first, 0.9), (nameless, 0.0)]
    reranked = Reranker(RerankerConfig(**only(diversity_weight=1.0))).rerank("nothing in common", given_)
    assert [(found.text, score) for found, score in reranked] == [
        ("a b", 0.5),
        ("e f", 0.5),
        ("g h", 0.5),
        ("c d", 0.0),
    ]


def test_document_ids_of_either_name_are_seen():
    chunks = [
        (SimpleNamespace(content="a", document_id="1"), 0.9),
        (SimpleNamespace(page_content="b", doc_id="1"), 0.8),
    ]
    reranked = Reranker(RerankerConfig(**only(diversity_weight=1.0))).rerank("q", chunks)
    assert [score for _, score in reranked] == [0.5, 0.0]


@pytest.mark.parametrize(
    ("query", "text", "share"),
    [
        ("annual leave", "LEAVE that is Annual.", 1.0),
        ("annual leave days left", "your leave", 0.25),
        ("annual", "biannual", 0.0),
        ("الإجازة السنوية", "تحسب الاجازه السنويه بالأيام", 1.0),
        ("مُدَرِّسَة", "هي مدرسة", 1.0),
        ("عام ٢٠٢٦", "في عام 2026", 1.0),
        ("؟ !", "text", 0.0),
    ],
)
def test_diversity_gives_half_by_the_share_of_query_words_in_the_chunk(query: str, text: str, share: float):
    config = RerankerConfig(**only(diversity_weight=1.0))
    assert score_of(config, query, text) == pytest.approx(0.5 + 0.5 * share)


def test_effective_weights():
    config = RerankerConfig(
        original_score_weight=0.5, llm_score_weight=0.3, diversity_weight=0.15, length_weight=0.05, mode=RerankMode.LLM
    )
    both = {"original": 0.5, "llm": 0.3, "diversity": 0.15, "length": 0.05}
    assert config.effective_weights(RerankMode.HYBRID) == both
    assert config.effective_weights(RerankMode.LLM) == config.effective_weights() == both | {"diversity": 0.0}
    assert config.effective_weights("heuristic") == both | {"original": 0.8, "llm": 0.0}
    assert Reranker(config, ScoringLLM()).effective_weights() == both | {"diversity": 0.0}


@pytest.mark.parametrize("mode", ["llm", "hybrid"])
def test_without_an_llm_it_falls_back_to_heuristic_with_a_warning(mode: str, caplog: pytest.LogCaptureFixture):
    chunks = [(chunk("a b c", "1"), 0.5), (chunk(words(40), "2"), 0.4)]
    with caplog.at_level(logging.WARNING, logger="dalil.rag"):
        reranker = Reranker(RerankerConfig(mode=mode))
        reranked = reranker.rerank("a", chunks)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert reranked == Reranker().rerank("a", chunks)
    assert reranker.effective_weights() == Reranker().effective_weights()


def test_of_near_twins_the_higher_scored_stays():
    text = words(20)
    low, high = chunk(text), chunk(text.upper())
    reranked = Reranker().rerank("q", [(low, 0.2), (high, 0.7), (chunk("something else"), 0.1)])
    assert [found for found, _ in reranked if found in (low, high)] == [high]
    assert len(reranked) == 2


@pytest.mark.parametrize(("shared", "kept"), [(17, 1), (16, 2)])
def test_twins_share_eighty_five_hundredths_of_their_words(shared: int, kept: int):
    # The union is 20 words in both cases: 17/20 is the threshold, 16/20 is below it.
    text, twin = words(20), words(shared)
    assert len(Reranker().rerank("q", [(chunk(text), 0.7), (chunk(twin), 0.2)])) == kept


def test_twins_are_found_in_arabic_with_marks():
    text = "يَحِقُّ لِلْمُوَظَّفِ ثَلَاثُونَ يَوْمًا"
    assert len(Reranker().rerank("q", [(chunk(text), 0.7), (chunk(text + "."), 0.2)])) == 1
    assert len(Reranker().rerank("q", [(chunk(text), 0.7), (chunk("لا تحسب العطل الرسمية"), 0.2)])) == 2


def test_the_threshold_can_be_set_and_deduplication_turned_off():
    chunks = [(chunk("a b c d"), 0.7), (chunk("a b c e"), 0.2)]
    assert len(Reranker(RerankerConfig(dedup_threshold=0.6)).rerank("q", chunks)) == 1
    assert len(Reranker(RerankerConfig(dedup_threshold=0.7)).rerank("q", chunks)) == 2
    same = [(chunk("a b"), 0.7), (chunk("a b"), 0.2)]
    assert len(Reranker(RerankerConfig(dedup_enabled=False)).rerank("q", same)) == 2


def test_chunks_without_words_are_no_twins():
    assert len(Reranker().rerank("q", [(chunk(""), 0.7), (chunk("..."), 0.2)])) == 2


def test_top_k_none_gives_as_many_as_came_in():
    chunks = [(chunk(words(5, name), name), 0.5) for name in "abcdef"]
    assert len(Reranker().rerank("q", chunks)) == 6
    assert len(Reranker(RerankerConfig(top_k=4)).rerank("q", chunks)) == 4
    assert len(Reranker(RerankerConfig(top_k=4)).rerank("q", chunks, top_k=2)) == 2
    assert Reranker().rerank("q", chunks, top_k=0) == []
    assert Reranker().rerank("q", chunks, top_k=3) == Reranker().rerank("q", chunks)[:3]


def test_ties_keep_the_order_of_the_original_scores_and_then_of_the_input():
    config = RerankerConfig(**only(length_weight=1.0))
    texts = ["c1 c2", "a1 a2", "b1 b2", "d1 d2"]
    reranked = Reranker(config).rerank(
        "q", [(chunk(text), score) for text, score in zip(texts, [1, 2, 1, 2], strict=True)]
    )
    assert [found.text for found, _ in reranked] == ["a1 a2", "d1 d2", "c1 c2", "b1 b2"]


def test_strange_scores_do_not_crash_it():
    scores = [math.nan, 7.5, -3.0, math.inf, 0.2, -math.inf]
    chunks = [(chunk(words(5, name)), score) for name, score in zip("abcdef", scores, strict=True)]
    reranked = Reranker().rerank("q", chunks)
    assert [found.text[0] for found, _ in reranked] == ["d", "b", "e", "c", "f", "a"]


def test_bare_strings_and_strange_chunks_can_be_reranked():
    assert len(Reranker().rerank("q", [("a string", 0.5), (None, 0.4), (7, 0.3), (object(), 0.2)])) == 4


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "magic"},
        {"original_score_weight": -0.1},
        {"llm_score_weight": math.nan},
        {"diversity_weight": math.inf},
        {"length_weight": -1},
        {"top_k": 0},
        {"llm_eval_language": "fr"},
        {"ideal_min_words": -1},
        {"ideal_min_words": 10, "ideal_max_words": 9},
        {"ideal_min_words": 0, "ideal_max_words": 0},
        {"dedup_threshold": 1.1},
        {"dedup_threshold": math.nan},
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any]):
    with pytest.raises(ConfigurationError, match=next(iter(settings))):
        RerankerConfig(**settings)


def test_a_mode_may_be_given_by_its_value():
    assert RerankerConfig(mode="hybrid").mode is RerankMode.HYBRID
    assert [mode.value for mode in RerankMode] == ["heuristic", "llm", "hybrid"]


CANDIDATES = st.lists(
    st.tuples(
        st.builds(chunk, st.text(alphabet="ab ِكتاب", max_size=12), st.sampled_from(["1", "2", None])),
        st.floats(allow_nan=True),
    ),
    max_size=8,
)


@given(CANDIDATES, st.text(max_size=8), st.one_of(st.none(), st.integers(0, 9)))
def test_what_comes_out_is_ordered_drawn_from_what_came_in_and_the_same_each_time(candidates, query, top_k):
    before = copy.copy(candidates)
    reranked = Reranker().rerank(query, candidates, top_k)
    assert all(a is b for a, b in zip(candidates, before, strict=True))
    assert len(reranked) <= (len(candidates) if top_k is None else top_k)
    assert {id(found) for found, _ in reranked} <= {id(found) for found, _ in candidates}
    numbers = [score for _, score in reranked if not math.isnan(score)]
    assert numbers == sorted(numbers, reverse=True)
    again = Reranker().rerank(query, candidates, top_k)
    assert [id(found) for found, _ in again] == [id(found) for found, _ in reranked]
