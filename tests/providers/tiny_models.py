"""Tiny models made on the spot, in the files that real ones have: a few thousand numbers from a fixed seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WIDTH = 32
WORDS = "query passage : . , tower bridge moon water price is how high the of in برج جسر ماء قمر كم".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءآأإؤئ"
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
LONGEST = 64


def bert(folder: Path, *, labels: int | None = None) -> Path:
    """A BERT of two layers as transformers saves it; with labels, one that classifies pairs."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), "utf-8")
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
        initializer_range=0.4,
        num_labels=labels or 2,
    )
    model = BertModel(config) if labels is None else BertForSequenceClassification(config)
    model.eval().save_pretrained(folder)
    tokenizer = BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=LONGEST)
    tokenizer.save_pretrained(folder)
    return folder


def sentence_transformer(folder: Path) -> Path:
    """A SentenceTransformer with prompts of its own, saved by the package itself."""
    from sentence_transformers import SentenceTransformer

    plain = bert(folder.with_name(f"{folder.name}-bert"))
    prompts = {"query": "query : ", "document": "passage : "}
    SentenceTransformer(str(plain), prompts=prompts, local_files_only=True, device="cpu").save(str(folder))
    return folder


def cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A CrossEncoder, saved by the package itself."""
    from sentence_transformers import CrossEncoder

    plain = bert(folder.with_name(f"{folder.name}-bert"), labels=labels)
    CrossEncoder(str(plain), local_files_only=True, device="cpu").save_pretrained(str(folder))
    return folder


def table() -> Any:
    """The vector of each token of the ONNX models."""
    import numpy as np

    return np.random.default_rng(7).normal(size=(len(VOCABULARY), WIDTH)).astype(np.float32)


def onnx_embedder(folder: Path, *, pooling: bool = True) -> Path:
    """An ONNX model that gives each token its vector, and the file that says that their mean is meant."""
    from onnx import TensorProto, helper

    numbers = [
        helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"]),
    ]
    out = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", WIDTH])
    _save_onnx(folder, numbers, out, ["input_ids", "attention_mask"])
    if pooling:
        (folder / "1_Pooling").mkdir()
        saved = {"word_embedding_dimension": WIDTH, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(saved))
    return folder


def onnx_cross_encoder(folder: Path) -> Path:
    """An ONNX model whose score is the product of the question's and the passage's mean vectors."""
    from onnx import TensorProto, helper

    def node(kind: str, inputs: list[str], output: str, **options: Any) -> Any:
        return helper.make_node(kind, inputs, [output], **options)

    nodes = [
        node("Gather", ["table", "input_ids"], "vectors"),
        node("Cast", ["token_type_ids"], "second", to=TensorProto.FLOAT),
        node("Cast", ["attention_mask"], "shown", to=TensorProto.FLOAT),
        node("Sub", ["shown", "second"], "first"),
    ]
    for part in ("first", "second"):
        nodes += [
            node("Unsqueeze", [part, "last_axis"], f"{part}_mask"),
            node("Mul", ["vectors", f"{part}_mask"], f"{part}_vectors"),
            node("ReduceSum", [f"{part}_vectors", "tokens_axis"], f"{part}_sum", keepdims=0),
            node("ReduceSum", [f"{part}_mask", "tokens_axis"], f"{part}_count", keepdims=0),
            node("Div", [f"{part}_sum", f"{part}_count"], f"{part}_mean"),
        ]
    nodes += [
        node("Mul", ["first_mean", "second_mean"], "products"),
        node("ReduceSum", ["products", "tokens_axis"], "logits", keepdims=1),
    ]
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    _save_onnx(folder, nodes, out, ["input_ids", "attention_mask", "token_type_ids"])
    return folder


def _save_onnx(folder: Path, nodes: list[Any], out: Any, inputs: list[str]) -> None:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import BertWordPieceTokenizer

    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
    constants = [
        numpy_helper.from_array(table(), "table"),
        numpy_helper.from_array(np.array([-1]), "last_axis"),
        numpy_helper.from_array(np.array([1]), "tokens_axis"),
    ]
    model = helper.make_model(
        helper.make_graph(nodes, "tiny", given, [out], constants), opset_imports=[helper.make_opsetid("", 17)]
    )
    model.ir_version = 8
    onnx.checker.check_model(model)
    (folder / "onnx").mkdir(parents=True)
    onnx.save(model, str(folder / "onnx" / "model.onnx"))
    tokenizer = BertWordPieceTokenizer({word: at for at, word in enumerate(VOCABULARY)}, lowercase=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": LONGEST, "pad_token": "[PAD]"}))
    (folder / "config.json").write_text(json.dumps({"hidden_size": WIDTH, "pad_token_id": 0}))
