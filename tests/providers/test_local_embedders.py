"""The bundled models: what they give, and what they survive."""

from __future__ import annotations

import asyncio
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

from dalil import ConfigurationError
from dalil.ports import Embedder, Identified, QueryEmbedder, SentenceEmbedder
from dalil.providers import embedder_by_name, embedder_of_store
from dalil.providers.local import AccurateEmbedder, FastEmbedder

WIDTHS = {"accurate": 384, "fast": 512}
PROFILES = list(WIDTHS)


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize("name", PROFILES)
async def test_one_unit_vector_for_each_text_in_order(name: str) -> None:
    embedder = embedder_by_name(name)
    texts = ["A long sentence about the harvest of dates in autumn.", "قصير", "Short.", "نص عن حصاد التمور في الخريف."]
    vectors = await embedder.embed(texts)
    assert [len(vector) for vector in vectors] == [WIDTHS[name]] * 4
    assert all(math.isclose(cosine(vector, vector), 1.0, abs_tol=1e-3) for vector in vectors)
    alone = [(await embedder.embed([text]))[0] for text in texts]
    assert all(cosine(one, other) > 0.9999 for one, other in zip(vectors, alone, strict=True))


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("text", ["", " ", "a\x00b", "\ud800 lone", "😀", "ـَُِ", "x" * 200_000, "كلمة " * 60_000])
async def test_no_text_is_too_strange(name: str, text: str) -> None:
    vectors = await embedder_by_name(name).embed([text])
    assert all(math.isfinite(value) for value in vectors[0])


async def test_text_after_a_nul_counts() -> None:
    embedder = AccurateEmbedder()
    cut, whole, other = await embedder.embed(
        ["", "The capital of Jordan is Amman.", "The\x00 capital of Jordan is Amman."]
    )
    assert cosine(whole, other) > 0.99 > cosine(cut, whole)


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("What is the capital of Egypt?", "Cairo is the capital of Egypt.", "Bees make honey in summer."),
        ("ما هي عاصمة مصر؟", "القاهرة هي عاصمة مصر.", "يصنع النحل العسل في الصيف."),
        ("ما هي عاصمة مصر؟", "Cairo is the capital of Egypt.", "Bees make honey in summer."),
    ],
)
async def test_the_right_passage_is_nearer(name: str, question: str, right: str, wrong: str) -> None:
    embedder = embedder_by_name(name)
    passages = await embedder.embed([right, wrong])
    if isinstance(embedder, QueryEmbedder):
        asked = await embedder.embed_query(question)
    else:
        asked = (await embedder.embed([question]))[0]
    assert cosine(asked, passages[0]) > cosine(asked, passages[1])
    assert isinstance(embedder, SentenceEmbedder)
    sentences = await embedder.embed_sentences([question, right, wrong])
    assert cosine(sentences[0], sentences[1]) > cosine(sentences[0], sentences[2])


def test_profiles_have_ports_and_identities_of_their_own() -> None:
    accurate, fast = AccurateEmbedder(), FastEmbedder()
    assert isinstance(accurate, Embedder)
    assert isinstance(fast, Embedder)
    assert isinstance(accurate, Identified)
    assert accurate.identity != fast.identity
    assert isinstance(embedder_of_store(fast.identity), FastEmbedder)
    assert isinstance(embedder_of_store(None), AccurateEmbedder)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="accurate, fast"):
        embedder_by_name("fats")


async def test_embedding_does_not_block_the_loop() -> None:
    embedder = FastEmbedder()
    await embedder.embed(["warm"])
    work = asyncio.create_task(embedder.embed(["some words of a passage " * 40] * 64))
    gaps, last = [], time.perf_counter()
    while not work.done():
        await asyncio.sleep(0.002)
        gaps.append(time.perf_counter() - last)
        last = time.perf_counter()
    assert len(gaps) > 3


def test_loading_leaves_the_environment_alone() -> None:
    code = (
        "import asyncio, os; from dalil.providers import embedder_by_name; before = dict(os.environ);"
        "asyncio.run(embedder_by_name('accurate').embed(['x'])); assert dict(os.environ) == before"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=60)
