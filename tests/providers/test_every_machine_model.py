"""What every provider keeps that runs models on this machine: real packages, over tiny models in folders."""

from __future__ import annotations

import asyncio
import math
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dalil import RagSage, RawSource, Scope
from dalil.errors import (
    EmbedderMismatchError,
    EmbeddingDimensionError,
    EmbeddingError,
    EmbeddingModelNotFoundError,
    LLMGenerationError,
)
from dalil.models import Chunk, ScoredChunk
from dalil.ports import Embedder, Identified, QueryEmbedder, Reranker
from dalil.providers import embedder_by_name, embedder_of_store, reranker_by_name
from dalil.providers.hosting.batching import Limits
from providers import machine_models
from providers.machine_models import NEEDED, Made
from providers.tiny_models import WIDTH

TEXTS = ["the tower is high", "كم برج", "water", "the price of the bridge in the moon is high , how high", "😀"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # theirs, while they load
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module", params=list(NEEDED))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return machine_models.make(request.param, tmp_path_factory.mktemp(request.param))


def close(found: Sequence[float], wanted: Any) -> bool:
    return bool(np.allclose(np.asarray(found), wanted, atol=1e-5))


def candidates(texts: Sequence[str]) -> list[ScoredChunk]:
    return [ScoredChunk(Chunk(f"d:{at}", "d", text, 1, at), 0.0) for at, text in enumerate(texts)]


# --- embedding -----------------------------------------------------------------------------------------------


async def test_one_vector_for_each_text_in_order(made: Made) -> None:
    embedder = embedder_by_name(made.embedder_name)
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, Identified)
    found = await embedder.embed(TEXTS)
    assert len(found) == len(TEXTS)
    for text, vector in zip(TEXTS, found, strict=True):
        assert len(vector) == WIDTH
        assert close(vector, made.vector(made.prompts[1] + text))


async def test_no_texts_load_nothing(made: Made) -> None:
    embedder: Any = embedder_by_name(made.embedder_name)
    assert list(await embedder.embed([])) == []
    assert embedder._model is None


async def test_questions_are_told_apart(made: Made) -> None:
    embedder = embedder_by_name(made.embedder_name)
    assert isinstance(embedder, QueryEmbedder)
    assert close(await embedder.embed_query("how high"), made.vector(f"{made.prompts[0]}how high"))
    named: Any = embedder_by_name(made.embedder_name, query_prefix="query : ", passage_prefix="passage : ")
    assert close(await named.embed_query("how high"), made.vector("query : how high"))
    assert close((await named.embed(["how high"]))[0], made.vector("passage : how high"))
    assert "query='query : ' passage='passage : '" in named.identity


async def test_dimensions_cut_vectors_and_are_part_of_the_identity(made: Made) -> None:
    embedder: Any = embedder_by_name(f"{made.embedder_name},dimensions=8")
    (vector,) = await embedder.embed(["water"])
    assert close(vector, machine_models.unit(made.vector(f"{made.prompts[1]}water")[:8]))
    assert " dim=8 " in embedder.identity
    wide = embedder_by_name(f"{made.embedder_name},dimensions={WIDTH * 2}")
    with pytest.raises(EmbeddingDimensionError):
        await wide.embed(["water"])


@pytest.mark.parametrize("text", ["", " \n", "a\x00b", "\ud800 lone", "😀", "ـَُِ", "x" * 200_000, "كلمة " * 60_000])
async def test_no_text_is_too_strange(made: Made, text: str) -> None:
    (vector,) = await embedder_by_name(made.embedder_name).embed([text])
    assert len(vector) == WIDTH
    assert all(map(math.isfinite, vector))


async def test_batches_are_bounded_and_all_arrive(made: Made) -> None:
    embedder: Any = embedder_by_name(made.embedder_name, limits=Limits(texts=7, tokens=1000, longest_text=100))
    sizes: list[int] = []
    encode = embedder._encode
    embedder._encode = lambda model, texts, side: sizes.append(len(texts)) or encode(model, texts, side)
    texts = [f"the tower {number} is high {'water ' * (number % 9)}" for number in range(100)]
    found = await embedder.embed(texts)
    assert sizes == [7] * 14 + [2]
    assert all(close(vector, made.vector(made.prompts[1] + text)) for text, vector in zip(texts, found, strict=True))


@pytest.mark.parametrize(
    ("spoiled", "kind"),
    [
        (lambda rows: rows[:-1], EmbeddingDimensionError),
        (lambda rows: [*rows, rows[0]], EmbeddingDimensionError),
        (lambda rows: [rows[0], rows[1][:5]], EmbeddingDimensionError),
        (lambda rows: [row[:0] for row in rows], EmbeddingDimensionError),
        (lambda rows: [rows[0] * math.nan, rows[1]], EmbeddingError),
        (lambda rows: [rows[0] * math.inf, rows[1]], EmbeddingError),
        (lambda rows: [None, rows[1]], EmbeddingError),
        (lambda rows: 1 / 0, EmbeddingError),
    ],
)
async def test_what_the_model_gives_is_checked(made: Made, spoiled: Any, kind: type[Exception]) -> None:
    embedder: Any = embedder_by_name(made.embedder_name)
    encode = embedder._encode
    embedder._encode = lambda model, texts, side: spoiled(list(encode(model, texts, side)))
    with pytest.raises(kind, match=made.provider):
        await embedder.embed(["one", "two"])


async def test_a_width_that_changes_is_noticed(made: Made) -> None:
    embedder: Any = embedder_by_name(made.embedder_name)
    await embedder.embed(["one"])
    embedder._encode = lambda model, texts, side: [[1.0, 2.0]]
    with pytest.raises(EmbeddingDimensionError):
        await embedder.embed(["two"])


async def test_one_model_serves_all_adapters_and_threads(made: Made) -> None:
    adapters: list[Any] = [embedder_by_name(made.embedder_name) for _ in range(4)]
    found: list[Any] = []

    def ask(adapter: Any) -> None:
        found.append(asyncio.run(adapter.embed(TEXTS)))

    threads = [threading.Thread(target=ask, args=(adapter,)) for adapter in adapters for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(adapter._model) for adapter in adapters}) == 1
    assert len(found) == 8
    assert all(list(map(list, vectors)) == list(map(list, found[0])) for vectors in found)
    await adapters[0].aclose()
    assert adapters[0]._model is None
    assert len(await adapters[0].embed(TEXTS)) == len(TEXTS)


async def test_the_loop_is_not_blocked(made: Made) -> None:
    embedder = embedder_by_name(made.embedder_name)
    await embedder.embed(["warm"])
    work = asyncio.create_task(embedder.embed(["the tower of water is high " * 40] * 256))
    gaps, last = [], time.perf_counter()
    while not work.done():
        await asyncio.sleep(0.002)
        gaps.append(time.perf_counter() - last)
        last = time.perf_counter()
    assert len(gaps) > 3


async def test_a_cancelled_call_ends_with_its_batch(made: Made) -> None:
    embedder: Any = embedder_by_name(made.embedder_name, limits=Limits(1, 1000, 1000))
    calls: list[int] = []

    def slow(model: Any, texts: list[str], side: str) -> Any:
        calls.append(1)
        time.sleep(0.05)
        return [[1.0] * WIDTH]

    embedder._encode = slow
    call = asyncio.create_task(embedder.embed(TEXTS * 20))
    await asyncio.sleep(0.2)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    begun = len(calls)
    await asyncio.sleep(0.2)
    assert begun <= len(calls) <= begun + 1 < 100


# --- identity --------------------------------------------------------------------------------------------------


def test_the_same_files_elsewhere_are_the_same_model(made: Made, tmp_path: Path) -> None:
    before: Any = embedder_by_name(made.embedder_name)
    copy = tmp_path / "copy"
    shutil.copytree(made.embedder, copy)
    moved: Any = embedder_by_name(f"{made.provider}:{copy}")
    assert moved.identity == before.identity
    assert before.identity.startswith(f"{made.provider}-folder:")
    assert str(made.embedder) not in before.identity
    weights = max((path for path in copy.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    content = bytearray(weights.read_bytes())
    content[len(content) // 2] ^= 255
    weights.write_bytes(content)
    changed: Any = embedder_by_name(f"{made.provider}:{copy}")
    assert changed.identity != before.identity


async def test_a_store_needs_the_folder_named_again(made: Made, tmp_path: Path) -> None:
    scope = Scope("default")
    async with RagSage.open(tmp_path, embedder=made.embedder_name) as sage:
        await sage.ingest(RawSource("tower.txt", "The tower of Amra is 41 metres high."), scope)
    async with RagSage.open(tmp_path) as sage:
        assert len(await sage.documents(scope)) == 1
        with pytest.raises(ValueError, match=rf"Name the embedder: {made.provider}:FOLDER"):
            await sage.query("How high is the tower?", scope)
    async with RagSage.open(tmp_path, embedder=made.embedder_name, reranker=made.reranker_name) as sage:
        (found, *_) = await sage.search("How high is the tower of Amra?", scope)
        assert found.chunk.source == "tower.txt"
        assert 0 < found.score < 1
    with pytest.raises(EmbedderMismatchError):
        async with RagSage.open(tmp_path, embedder="fast") as sage:
            await sage.query("How high is the tower?", scope)


async def test_a_model_is_not_fetched_for_a_store(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    name = {"fastembed": "BAAI/bge-small-en-v1.5", "sentence-transformers": "nobody/nothing"}[made.provider]
    wanted: Any = embedder_by_name(f"{made.provider}:{name}")
    found: Any = embedder_of_store(wanted.identity)
    assert found.identity == wanted.identity
    tried: list[Any] = []

    def refuse(*given: Any, **_: Any) -> Any:
        tried.append(given)
        raise OSError("no network here")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(EmbeddingModelNotFoundError, match="not on this machine"):
        await found.embed(["one"])
    assert not tried


async def test_a_model_that_was_fetched_before_serves_its_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = machine_models.make("sentence-transformers", tmp_path_factory.mktemp("fetched"))
    kept = tmp_path / "models--somebody--tiny"
    shutil.copytree(made.embedder, kept / "snapshots" / ("a" * 40))
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text("a" * 40)
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path))
    tried: list[Any] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **_: tried.append(given))
    identity = "sentence-transformers:somebody/tiny dim=native unit query=model passage=model"
    (vector,) = await embedder_of_store(identity).embed(["water"])
    assert close(vector, made.vector("passage : water"))
    assert not tried


# --- reranking -------------------------------------------------------------------------------------------------

QUESTION = "how high is the tower"


async def test_the_best_come_first_with_the_models_scores(made: Made) -> None:
    reranker = reranker_by_name(made.reranker_name)
    assert isinstance(reranker, Reranker)
    found = await reranker.rerank(QUESTION, candidates(TEXTS), top_k=3)
    wanted = sorted(((1 / (1 + math.exp(-made.score(QUESTION, text))), text) for text in TEXTS), reverse=True)[:3]
    assert [scored.chunk.text for scored in found] == [text for _, text in wanted]
    assert [scored.score for scored in found] == pytest.approx([score for score, _ in wanted], abs=1e-5)


async def test_what_is_read_is_the_passage_in_its_place(made: Made) -> None:
    chunk = Chunk("d:0", "d", "water", 1, 0, embed_text="the tower\nwater")
    (found,) = await reranker_by_name(made.reranker_name).rerank(QUESTION, [ScoredChunk(chunk, 0.0)], top_k=5)
    assert found.score == pytest.approx(1 / (1 + math.exp(-made.score(QUESTION, "the tower\nwater"))), abs=1e-5)


@pytest.mark.parametrize(("texts", "top_k"), [([], 3), (TEXTS, 0), (TEXTS, -1)])
async def test_nothing_to_rank_loads_nothing(made: Made, texts: list[str], top_k: int) -> None:
    reranker: Any = reranker_by_name(made.reranker_name)
    assert list(await reranker.rerank(QUESTION, candidates(texts), top_k=top_k)) == []
    assert reranker._model is None


async def test_many_candidates_are_ranked_in_parts(made: Made) -> None:
    reranker: Any = reranker_by_name(made.reranker_name, limits=Limits(7, 1000, 1000))
    texts = [f"{TEXTS[number % 4]} {number}" for number in range(50)]
    found = await reranker.rerank(QUESTION, candidates(texts), top_k=50)
    assert sorted(scored.chunk.ordinal for scored in found) == list(range(50))
    scores = [made.score(QUESTION, texts[scored.chunk.ordinal]) for scored in found]
    assert all(left >= right - 1e-4 for left, right in pairwise(scores))


async def test_strange_passages_and_questions_are_ranked(made: Made) -> None:
    reranker = reranker_by_name(made.reranker_name)
    strange = ["", "\ud800", "a\x00b", "x" * 50_000]
    for question in ("", "how", "ـَُِ"):
        assert len(await reranker.rerank(question, candidates(strange), top_k=4)) == 4


@pytest.mark.parametrize("scores", [[], [1.0], [1.0, math.nan], [1.0, None], "text"])
async def test_scores_are_checked(made: Made, scores: Any) -> None:
    reranker: Any = reranker_by_name(made.reranker_name)
    reranker._score = lambda *_: scores
    with pytest.raises(LLMGenerationError, match=made.provider):
        await reranker.rerank(QUESTION, candidates(["one", "two"]), top_k=2)


# --- loading ---------------------------------------------------------------------------------------------------


async def test_a_folder_that_holds_no_model(made: Made, tmp_path: Path) -> None:
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode": "mean"}')
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises((EmbeddingModelNotFoundError, ValueError)):
        await embedder_by_name(f"{made.provider}:{tmp_path}").embed(["one"])
    with pytest.raises((LLMGenerationError, ValueError)):
        await reranker_by_name(f"{made.provider}:{tmp_path}").rerank("?", candidates(["one"]), top_k=1)


def test_a_folder_asks_no_network(made: Made) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", OFFLINE, made.embedder_name, made.reranker_name],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr


async def test_several_labels_are_no_ranking(tmp_path: Path) -> None:
    from providers.tiny_models import cross_encoder

    machine_models.skip_unless_installed("sentence-transformers")
    folder = cross_encoder(tmp_path / "three", labels=3)
    with pytest.raises(LLMGenerationError, match="3 scores"):
        await reranker_by_name(f"sentence-transformers:{folder}").rerank("?", candidates(["one"]), top_k=1)


OFFLINE = """
import asyncio, os, sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        os.write(2, f"network: {event} {arguments}\\n".encode())
        os._exit(9)

sys.addaudithook(refuse)
from dalil.models import Chunk, ScoredChunk
from dalil.providers import embedder_by_name, reranker_by_name

before = dict(os.environ)
embedder, reranker = embedder_by_name(sys.argv[1]), reranker_by_name(sys.argv[2])
embedder.identity
heavy = ("torch", "transformers", "onnxruntime", "sentence_transformers", "tokenizers", "fastembed")
assert not [name for name in heavy if name in sys.modules]

async def main():
    assert len(await embedder.embed(["one", "two"])) == 2
    assert len(await embedder.embed_query("three"))
    assert len(await reranker.rerank("?", [ScoredChunk(Chunk("d:0", "d", "one", 1, 0), 0.0)], top_k=1)) == 1

asyncio.run(main())
kept = {name: value for name, value in os.environ.items() if name in before}
assert kept == before
assert "HF_HUB_OFFLINE" not in os.environ
"""
