"""Text that is no table stays text."""

from __future__ import annotations

import pytest
from table_pages import tables, text_at

from dalil.parsing.formats.pdf.words import Word


def _lines(*lines: list[tuple[float, str]], pitch: float = 14) -> list[Word]:
    return [
        word for number, line in enumerate(lines) for x, text in line for word in text_at(x, 720 - pitch * number, text)
    ]


def test_prose_in_two_columns() -> None:
    line = [(50.0, "some words of the first column here"), (320.0, "and 12 of the second one in 2022")]
    assert tables(_lines(*[line] * 30)) == []


def test_a_numbered_list() -> None:
    assert tables(_lines(*[[(50.0, f"{n}."), (80.0, f"point {n} of the list")] for n in range(1, 12)])) == []


def test_a_table_of_contents() -> None:
    lines = [[(50.0, f"{n}"), (80.0, f"The chapter about {n}"), (500.0, str(n * 3))] for n in range(1, 12)]
    assert tables(_lines(*lines)) == []


def test_equations_with_their_numbers() -> None:
    assert tables(_lines(*[[(200.0, f"a + b = {n}c"), (500.0, f"({n})")] for n in range(1, 8)])) == []


def test_a_form() -> None:
    labels = ("Name:", "Street:", "City:", "Telephone:", "Signature:")
    values = ("Sarah Martinez", "12 North Road", "Springfield", "555 0100", "on file")
    assert tables(_lines(*[[(50.0, a), (200.0, b)] for a, b in zip(labels, values, strict=True)])) == []


def test_code() -> None:
    code = ["def f(x):", "    y = x + 1", "    for i in range(10):", "        y += i * 2", "    return y, 3"]
    assert tables(_lines(*[[(50.0 + 5 * (len(line) - len(line.lstrip())), line)] for line in code])) == []


def test_references() -> None:
    lines = [[(50.0, f"[{n}]"), (75.0, f"A. Author and B. Other. On things, 1{n}-2{n}. 20{n}0.")] for n in range(9)]
    assert tables(_lines(*lines)) == []


def test_justified_prose_with_years_at_the_ends_of_its_lines() -> None:
    words: list[Word] = []
    for number in range(20):
        x = 50.0
        for text in [*"the words of a line that is set very wide in".split(), "2022"]:
            words.append(Word(text, x, 720 - 14 * number, x + 5 * len(text), 731 - 14 * number))
            x += 5 * len(text) + 8
    assert tables(words) == []


@pytest.mark.parametrize(
    "name",
    [
        "multi-column-2p.pdf",
        "multi_page.pdf",
        "natural_arabic.pdf",
        "right_to_left_01.pdf",
        "BidiSample.pdf",
        "picture_classification.pdf",
        "vicksburg_ocr.pdf",
        "rotation.pdf",
        "zen_corrupted.pdf",
    ],
)
def test_real_pages_of_prose(real, name):
    assert not any("| --- |" in page.text for page in real(name).pages)
