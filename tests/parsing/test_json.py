"""JSON becomes text that can be searched: each value with the path that leads to it."""

from __future__ import annotations

import json
import time

import pytest

from dalil.errors import DocumentTooLargeError


def text_of(parse, content: str) -> str:
    return parse(content, "a.json").pages[0].text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"name": "علي", "address": {"city": "Cairo"}}', "name: علي\naddress.city: Cairo"),
        ('{"tags": ["a", "b"], "on": true, "none": null}', "tags: a, b\non: true\nnone: null"),
        ('[{"a": 1, "b": "x"}, {"a": 2}]', "| a | b |\n| --- | --- |\n| 1 | x |\n| 2 |  |"),
        ('{"rows": [{"a": 1}, {"a": 2}], "b": 3}', "rows:\n\n| a |\n| --- |\n| 1 |\n| 2 |\n\nb: 3"),
        ('[{"a": {"b": 1}}, {"a": {"b": 2}}]', "a.b: 1\n\na.b: 2"),
        ('{"list": [{"a": {"b": 1}}, 5]}', "list[0].a.b: 1\nlist[1]: 5"),
        ('{"a": 1, "a": 2}', "a: 1\na: 2"),
        ('[{"a": 1, "a": 2}, {"a": 3}]', "a: 1\na: 2\n\na: 3"),
        ('{"n": 123456789012345678901234567890}', "n: 123456789012345678901234567890"),
        ('{"x": 1.50, "e": 1e400}', "x: 1.50\ne: 1e400"),
        ('"only words"', '"only words"'),
    ],
)  # fmt: skip
def test_values(parse, content, text):
    assert text_of(parse, content) == text


def test_a_document_may_have_a_title(parse):
    assert parse('{"title": "The Plan", "x": 1}', "a.json").document.metadata["title"] == "The Plan"


def test_records_with_long_texts_are_no_table(parse):
    long = "word " * 100
    assert text_of(parse, json.dumps([{"id": 1, "text": long}, {"id": 2, "text": long}])).startswith(
        "id: 1\ntext: word"
    )


def test_many_records_are_many_pages(parse):
    parsed = parse(json.dumps([{"id": number, "in": {"x": 1}} for number in range(1200)]), "a.json")
    assert [page.label for page in parsed.pages] == ["records 1-500", "records 501-1000", "records 1001-1200"]
    assert parsed.pages[2].text.endswith("id: 1199\nin.x: 1")


def test_json_lines_with_broken_ones(parse):
    parsed = parse('{"a": {"b": 1}}\n{"a": 2}\n{broken}\n', "a.jsonl")
    assert parsed.pages[0].text == "a.b: 1\n\na: 2\n\n{broken}"
    assert parsed.warnings == ("lines that are no valid JSON were read as text: 1, the first is line 3",)


def test_invalid_json_is_read_as_text_with_a_warning(parse):
    parsed = parse('{"a": 1, "b": }', "a.json")
    assert parsed.pages[0].text == '{"a": 1, "b": }'
    assert parsed.warnings[0].startswith("this is no valid JSON, and was read as text: ")


@pytest.mark.parametrize("content", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 600 + "1" + "}" * 600])
def test_deep_nesting_is_refused_or_read_as_text(parse, content):
    start = time.perf_counter()
    with pytest.raises(DocumentTooLargeError, match="deep"):
        parse(content, "a.json")
    assert time.perf_counter() - start < 10


def test_a_notebook_is_prose_and_code(parse):
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": ["2"]}}, {"text": "printed\n"}]},
    ]
    text = text_of(parse, json.dumps({"cells": cells, "nbformat": 4}))
    assert text == "# Title\nwords\n\n```\n1 + 1\n```\n\n```\n2\n```\n\n```\nprinted\n```"
