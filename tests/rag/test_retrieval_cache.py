"""What was retrieved is remembered for a while, up to a number of questions, under any number of threads."""

from __future__ import annotations

import math
import random
import threading
import time
import timeit
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import ConfigurationError
from dalil.rag.caching import RetrievalCache

FOUND = [("chunk a", 0.9), ("chunk b", 0.5)]


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


def test_the_documented_defaults():
    stats = RetrievalCache().stats()
    assert stats == {"size": 0, "maxsize": 256, "ttl": 300.0, "hits": 0, "misses": 0, "hit_rate": 0.0}


def test_what_was_set_is_got():
    cache = RetrievalCache()
    assert cache.get("q", 5) is None
    cache.set("q", 5, FOUND)
    assert cache.get("q", 5) == FOUND


@pytest.mark.parametrize("same", ["What IS it?", "  what is it? ", "what\t is \n it?", "WHAT IS IT?"])
def test_a_question_is_trimmed_lower_cased_and_its_white_space_folded(same: str):
    cache = RetrievalCache()
    cache.set("What is it?", 5, FOUND)
    assert cache.get(same, 5) == FOUND
    assert cache.invalidate(same, 5)


@pytest.mark.parametrize(("query", "top_k"), [("what is it", 5), ("What is it?", 6), ("Whatis it?", 5)])
def test_other_words_or_another_top_k_are_another_entry(query: str, top_k: int):
    cache = RetrievalCache()
    cache.set("What is it?", 5, FOUND)
    assert cache.get(query, top_k) is None


def test_changing_the_list_that_was_stored_changes_nothing():
    cache, found = RetrievalCache(), list(FOUND)
    cache.set("q", 5, found)
    found.clear()
    assert cache.get("q", 5) == FOUND


def test_changing_the_list_that_was_got_changes_nothing():
    cache = RetrievalCache()
    cache.set("q", 5, FOUND)
    got = cache.get("q", 5)
    assert got is not None
    got.clear()
    assert cache.get("q", 5) == FOUND


def test_the_least_recently_used_goes_first():
    cache = RetrievalCache(maxsize=2)
    cache.set("a", 1, FOUND)
    cache.set("b", 1, FOUND)
    cache.get("a", 1)
    cache.set("c", 1, FOUND)
    assert [cache.get(query, 1) is not None for query in "abc"] == [True, False, True]


def test_setting_again_counts_as_use_and_replaces():
    cache = RetrievalCache(maxsize=2)
    cache.set("a", 1, FOUND)
    cache.set("b", 1, FOUND)
    cache.set("a", 1, [])
    cache.set("c", 1, FOUND)
    assert cache.get("a", 1) == []
    assert cache.get("b", 1) is None


def test_an_entry_lives_for_ttl_seconds(clock: Clock):
    cache = RetrievalCache(ttl=10.0)
    cache.set("q", 5, FOUND)
    clock.now += 9.9
    assert cache.get("q", 5) == FOUND
    clock.now += 0.2
    assert cache.get("q", 5) is None
    assert cache.stats() | {"size": 0, "hits": 1, "misses": 1} == cache.stats()


def test_being_read_does_not_prolong_a_life_but_being_set_does(clock: Clock):
    cache = RetrievalCache(ttl=10.0)
    cache.set("read", 5, FOUND)
    cache.set("set", 5, FOUND)
    clock.now += 6
    cache.get("read", 5)
    cache.set("set", 5, FOUND)
    clock.now += 6
    assert cache.get("read", 5) is None
    assert cache.get("set", 5) == FOUND


@pytest.mark.parametrize("ttl", [None, 0, 0.0, -1.0, math.inf])
def test_without_a_positive_ttl_entries_never_expire(clock: Clock, ttl: float | None):
    cache = RetrievalCache(ttl=ttl)
    cache.set("q", 5, FOUND)
    clock.now += 1e12
    assert cache.get("q", 5) == FOUND
    assert cache.stats()["ttl"] == ttl


def test_invalidate_forgets_one_entry_and_tells_whether_it_was_there():
    cache = RetrievalCache()
    cache.set("a", 5, FOUND)
    cache.set("b", 5, FOUND)
    assert cache.invalidate("a", 5) is True
    assert cache.invalidate("a", 5) is False
    assert cache.get("a", 5) is None
    assert cache.get("b", 5) == FOUND


def test_clear_forgets_everything_and_zeroes_the_counters():
    cache = RetrievalCache()
    cache.set("a", 5, FOUND)
    cache.get("a", 5)
    cache.get("b", 5)
    cache.clear()
    assert cache.stats() == {"size": 0, "maxsize": 256, "ttl": 300.0, "hits": 0, "misses": 0, "hit_rate": 0.0}


def test_stats_count_hits_and_misses():
    cache = RetrievalCache(maxsize=9, ttl=7.0)
    cache.set("a", 5, FOUND)
    for query in ("a", "a", "a", "b"):
        cache.get(query, 5)
    assert cache.stats() == {"size": 1, "maxsize": 9, "ttl": 7.0, "hits": 3, "misses": 1, "hit_rate": 0.75}


@pytest.mark.parametrize("forget", [RetrievalCache.clear, lambda cache: cache.invalidate("another", 1)])
def test_what_was_retrieved_before_something_was_forgotten_is_not_stored_after(forget):
    cache = RetrievalCache()
    epoch = cache.epoch
    forget(cache)
    assert cache.epoch > epoch
    cache.set("q", 5, FOUND, epoch=epoch)
    assert cache.get("q", 5) is None
    cache.set("q", 5, FOUND, epoch=cache.epoch)
    assert cache.get("q", 5) == FOUND


@pytest.mark.parametrize("settings", [{"maxsize": 0}, {"maxsize": -1}, {"ttl": math.nan}])
def test_settings_that_cannot_work_are_refused(settings: dict[str, float]):
    with pytest.raises(ConfigurationError, match=next(iter(settings))):
        RetrievalCache(**settings)


@pytest.mark.usefixtures("hasty_threads")
def test_eight_threads_lose_no_count():
    cache = RetrievalCache(maxsize=2)
    ready = threading.Barrier(8)

    def work(seed: int) -> int:
        chance, gets = random.Random(seed), 0
        ready.wait()
        for _ in range(10_000):
            query, step = f"q{chance.randrange(4)}", chance.random()
            if step < 0.5:
                found = cache.get(query, 5)
                assert found is None or found == [(query, 0.5)]
                gets += 1
            elif step < 0.9:
                cache.set(query, 5, [(query, 0.5)], epoch=cache.epoch)
            elif step < 0.95:
                cache.invalidate(query, 5)
            else:
                assert cache.stats()["size"] <= 2
        return gets

    with ThreadPoolExecutor(8) as pool:
        gets = sum(pool.map(work, range(8)))
    stats = cache.stats()
    assert stats["hits"] + stats["misses"] == gets
    assert stats["hits"] > 0


def test_a_hit_takes_less_than_fifty_microseconds():
    cache = RetrievalCache()
    query = "How many days of annual leave does an employee get in the first year of work?"
    cache.set(query, 20, [(f"chunk {number}", 0.5) for number in range(20)])
    assert min(timeit.repeat(lambda: cache.get(query, 20), number=1000, repeat=5)) / 1000 < 50e-6


class Model:
    """The same cache, as plainly as it can be written."""

    def __init__(self, maxsize: int):
        self.maxsize, self.entries, self.hits, self.misses = maxsize, OrderedDict(), 0, 0

    def get(self, key: tuple[str, int]):
        if key in self.entries:
            self.hits += 1
            self.entries.move_to_end(key)
            return self.entries[key]
        self.misses += 1
        return None

    def set(self, key: tuple[str, int], results: list[tuple[str, float]]) -> None:
        self.entries.pop(key, None)
        self.entries[key] = results
        if len(self.entries) > self.maxsize:
            self.entries.popitem(last=False)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["get", "set", "set", "get", "invalidate", "clear"]), st.sampled_from("abcd"), st.integers(1, 2)
    ),
    max_size=60,
)


@given(st.integers(1, 4), STEPS)
def test_the_cache_does_what_its_model_does(maxsize: int, steps: list[tuple[str, str, int]]):
    cache, model = RetrievalCache(maxsize=maxsize), Model(maxsize)
    for number, (step, query, top_k) in enumerate(steps):
        if step == "get":
            assert cache.get(query, top_k) == model.get((query, top_k))
        elif step == "set":
            cache.set(query, top_k, [(query, number)])
            model.set((query, top_k), [(query, number)])
        elif step == "invalidate":
            assert cache.invalidate(query, top_k) == (model.entries.pop((query, top_k), None) is not None)
        else:
            cache.clear()
            model = Model(maxsize)
        stats = cache.stats()
        assert (stats["size"], stats["hits"], stats["misses"]) == (len(model.entries), model.hits, model.misses)
