"""Lists, code, tables, and what introduces them, are not parted where a chunk can hold them whole."""

from __future__ import annotations

import pytest

from .conftest import Cut, cut_pages

FILLER = " ".join(f"Sentence {number} talks of something else." for number in range(9))
STEPS = "\n".join(f"- step number {number} is done by hand" for number in range(5))
NUMBERED = "\n".join(f"{number}. قم بالخطوة رقم {number} باليد" for number in range(1, 6))
CODE = "```python\nfor day in range(7):\n    print(day)\n    rest(day)\n```"
TABLE = "| Name | City |\n|---|---|\n| Mona | Cairo |\n| Omar | Amman |"


@pytest.mark.parametrize("kept", [STEPS, NUMBERED, CODE, TABLE])
def test_what_fits_into_a_chunk_is_whole_in_one(cut: Cut, kept: str) -> None:
    chunks = cut(f"{FILLER}\n\n{kept}\n\n{FILLER}", size=80)
    assert [kept in chunk.text for chunk in chunks].count(True) == 1


@pytest.mark.parametrize("kept", [STEPS, NUMBERED, CODE, TABLE])
def test_the_line_that_introduces_it_goes_with_it(cut: Cut, kept: str) -> None:
    [chunk] = [chunk for chunk in cut(f"{FILLER}\n\nThis is how:\n\n{kept}", size=80) if kept in chunk.text]
    assert chunk.text.startswith("This is how:")


@pytest.mark.parametrize("caption", ["Table 3: Who lives where", "جدول ٣: من يسكن أين", "**Exhibit IV** Cities"])
def test_a_caption_goes_with_its_table(cut: Cut, caption: str) -> None:
    before = [chunk for chunk in cut(f"{FILLER}\n\n{caption}\n\n{TABLE}", size=80) if TABLE in chunk.text]
    assert before[0].text.startswith(caption)
    after = [chunk for chunk in cut(f"{FILLER}\n\n{TABLE}\n\n{caption}\n\n{FILLER}", size=80) if TABLE in chunk.text]
    assert caption in after[0].text


def test_a_caption_goes_with_its_picture(cut: Cut) -> None:
    picture = "![a map of the old town with its gates and towers and the river that runs beside its walls](map.png)"
    text = f"{FILLER}\n\n{picture}\n\nFigure 2: The old town."
    [chunk] = [chunk for chunk in cut(text, size=100) if picture in chunk.text]
    assert "Figure 2: The old town." in chunk.text


def test_what_is_larger_than_a_chunk_is_cut_between_its_parts(cut: Cut) -> None:
    lines = [f"value_{number} = compute({number}, {number + 1}) + offset" for number in range(60)]
    chunks = cut("\n".join(["```", *lines, "```"]), size=60)
    assert len(chunks) > 3
    assert [line for chunk in chunks for line in chunk.text.split("\n")] == ["```", *lines, "```"]


def test_a_line_of_a_paragraph_that_begins_like_an_item_is_no_list(cut: Cut) -> None:
    text = "The rule that was made in the year\n1999. It holds to this day, and so do sections\n3. and 4. of the law."
    [chunk] = cut(text, size=200)
    assert chunk.text == text


def test_a_chunk_over_a_page_break_says_both_pages() -> None:
    [chunk] = cut_pages("It began here", "and ended there.", size=60)
    assert chunk.pages == (1, 2)
    assert chunk.text == "It began here\nand ended there."


def test_mixed_directions_keep_exact_places() -> None:
    text = "تستخدم شركة Acme Corp. نظام ERP منذ 2020 (الإصدار 3.1).\n\nThe كتاب word means book, and قلم means pen."
    for chunk in cut_pages(text, size=12, overlap=4):
        [span] = chunk.spans
        assert text[span.start : span.end] == chunk.text
