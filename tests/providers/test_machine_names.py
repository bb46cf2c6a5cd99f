"""Models on this machine by name: what a name may be, what is refused, what is said without the extra."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dalil.errors import ConfigurationError
from dalil.providers import embedder_by_name, embedder_of_store, reranker_by_name
from dalil.providers.fastembed import FastembedEmbedder
from dalil.providers.fastembed.folder import model_file, pooling_of
from dalil.providers.machine.place import ModelPlace
from dalil.providers.sentence_transformers import SentenceTransformersEmbedder

PROVIDERS = ("fastembed", "sentence-transformers")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are taken as if the extras were installed; nothing is loaded by them."""
    monkeypatch.setattr("dalil.providers.catalogue.find_spec", lambda name: importlib.util.find_spec("json"))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_missing_extra_is_named_and_nothing_is_loaded_early(provider: str) -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_PACKAGES, provider], check=True, timeout=60)


WITHOUT_PACKAGES = """
import sys
heavy = ("fastembed", "onnxruntime", "sentence_transformers", "torch", "transformers", "tokenizers")
for name in heavy:
    sys.modules[name] = None
from dalil.errors import MissingExtraError
from dalil.providers import embedder_by_name, reranker_by_name
for by_name in (embedder_by_name, reranker_by_name):
    try:
        by_name(sys.argv[1] + ":a/model")
    except MissingExtraError as error:
        assert f"pip install 'dalil[{sys.argv[1]}]'" in str(error), error
    else:
        raise AssertionError(by_name)
import asyncio
from dalil.models import Chunk, ScoredChunk
from dalil.providers.fastembed import FastembedEmbedder, FastembedReranker
from dalil.providers.sentence_transformers import SentenceTransformersEmbedder, SentenceTransformersReranker
candidates = [ScoredChunk(Chunk("d:0", "d", "text", 1, 0), 0.0)]
for call in (
    lambda: FastembedEmbedder("a/model").embed(["text"]),
    lambda: SentenceTransformersEmbedder("a/model").embed_query("text"),
    lambda: FastembedReranker("a/model").rerank("?", candidates, top_k=1),
    lambda: SentenceTransformersReranker("a/model").rerank("?", candidates, top_k=1),
):
    try:
        asyncio.run(call())
    except MissingExtraError:
        pass
    else:
        raise AssertionError
"""


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("fastembed:BAAI/bge-m3", "fastembed:BAAI/bge-m3 dim=native unit query=model passage=model"),
        (
            "sentence-transformers:intfloat/multilingual-e5-small",
            "sentence-transformers:intfloat/multilingual-e5-small dim=native unit query='query: ' passage='passage: '",
        ),
        (
            "sentence-transformers:a/b@5f1c,dimensions=64",
            "sentence-transformers:a/b@5f1c dim=64 unit query=model passage=model",
        ),
    ],
)
def test_a_hub_model_says_who_it_is_and_is_found_by_its_stores(installed: None, name: str, identity: str) -> None:
    embedder: Any = embedder_by_name(name)
    assert embedder.identity == identity
    found: Any = embedder_of_store(identity)
    assert (type(found), found.identity) == (type(embedder), identity)
    assert (embedder._place.may_fetch, found._place.may_fetch) == (True, False)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_cannot_be_is_refused(installed: None, provider: str) -> None:
    for name, options, said in (
        ("a/b@http://host/v1", {}, "runs on this machine"),
        ("a/b", {"api_key": "k"}, "runs on this machine"),
        ("a/b", {"base_url": "http://host"}, "runs on this machine"),
        ("/no/such/folder", {}, "There is no folder"),
        ("./nothing", {}, "There is no folder"),
        ("a/b,width=3", {}, "no option"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            embedder_by_name(f"{provider}:{name}", **options)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="no dimensions"):
        reranker_by_name(f"{provider}:a/b,dimensions=3")
    with pytest.raises(ConfigurationError, match="blank"):
        ModelPlace.of(provider, " ")


def test_numbers_revisions_and_poolings_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="positive"):
        SentenceTransformersEmbedder("a/b", dimensions=0)
    with pytest.raises(ConfigurationError, match="revision"):
        FastembedEmbedder("a/b@main")
    with pytest.raises(ConfigurationError, match="no pooling"):
        FastembedEmbedder("a/b", pooling="mean")


def test_a_folder_by_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    (tmp_path / "models" / "tiny" / "config.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    place = ModelPlace.of("fastembed", "models/tiny")
    assert (place.source, place.may_fetch) == (str(tmp_path / "models" / "tiny"), False)
    before = place.identity
    (tmp_path / "models" / "tiny" / "README.md").write_text("It says nothing about the model's numbers.")
    assert ModelPlace.of("fastembed", "models/tiny").identity == before
    (tmp_path / "models" / "tiny" / "config.json").write_text("[]")
    assert ModelPlace.of("fastembed", "models/tiny").identity != before


@pytest.mark.parametrize(
    ("saved", "pooling"),
    [
        ('{"pooling_mode": "cls"}', "cls"),
        ('{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}', "mean"),
        ('{"pooling_mode_lasttoken": true}', "last"),
        ('{"pooling_mode_max_tokens": true}', None),
        ("[]", None),
        ("no json", None),
    ],
)
def test_the_pooling_that_was_saved_with_a_model(tmp_path: Path, saved: str, pooling: str | None) -> None:
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(saved)
    if pooling is not None:
        assert pooling_of(tmp_path) == pooling
        return
    with pytest.raises(ConfigurationError, match="Give pooling"):
        FastembedEmbedder(str(tmp_path))
    assert FastembedEmbedder(str(tmp_path), pooling="cls").identity.endswith(" pooling=cls")


def test_the_model_file_in_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no ONNX model"):
        model_file(tmp_path)
    (tmp_path / "model.onnx").touch()
    assert model_file(tmp_path) == "model.onnx"
