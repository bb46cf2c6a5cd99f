"""Headings, tables and code: what stands together stays together, and each chunk knows where it stood."""

from __future__ import annotations

import pytest

from .conftest import Cut


def test_a_heading_begins_a_chunk(cut: Cut):
    chunks = cut("# Rules\nBe kind.\n# Leave\nTake it.")
    assert [chunk.text for chunk in chunks] == ["# Rules\nBe kind.", "# Leave\nTake it."]
    assert [chunk.metadata["headings"] for chunk in chunks] == [["Rules"], ["Leave"]]


def test_headings_without_text_between_stand_together(cut: Cut):
    (chunk,) = cut("# Handbook\n## Leave\n\nTake it.")
    assert chunk.text == "# Handbook\n## Leave\n\nTake it."
    assert chunk.metadata["headings"] == ["Handbook", "Leave"]


def test_the_path_is_that_of_the_levels_above(cut: Cut):
    chunks = cut("# A\none.\n## B\ntwo.\n### C\nthree.\n## D\nfour.\n# E\nfive.")
    assert [chunk.metadata["headings"] for chunk in chunks] == [["A"], ["A", "B"], ["A", "B", "C"], ["A", "D"], ["E"]]


def test_headings_carry_over_to_the_next_page(cut: Cut):
    chunks = cut("# دليل\n## الإجازات\nأولا.", "\n\nثانيا.\n## الرواتب\nثالثا.", size=8)
    assert [chunk.metadata["headings"] for chunk in chunks if "ثانيا" in chunk.text] == [["دليل", "الإجازات"]]
    assert [chunk.metadata["headings"] for chunk in chunks if "ثالثا" in chunk.text] == [["دليل", "الرواتب"]]


def test_text_before_any_heading_has_no_path(cut: Cut):
    assert "headings" not in cut("Just text.")[0].metadata


@pytest.mark.parametrize("line", ["#hashtag is no heading", "####### seven", "a # b", "    # code, not a heading"])
def test_what_only_looks_like_a_heading(cut: Cut, line: str):
    (chunk,) = cut(f"Text.\n{line}\nMore.")
    assert "headings" not in chunk.metadata


def test_a_heading_without_a_title_adds_nothing_to_the_path(cut: Cut):
    assert [chunk.metadata.get("headings") for chunk in cut("# A\n## \ntext.")] == [["A"]]


def test_closing_marks_of_a_heading_are_not_its_title(cut: Cut):
    assert cut("## Leave ##\ntext.")[0].metadata["headings"] == ["Leave"]


HEADER = "| Name | City |\n|:---|---:|"
ROWS = [f"| person {number} | town of {number} |" for number in range(60)]


def test_rows_are_never_cut(cut: Cut):
    chunks = cut("\n".join([HEADER, *ROWS]), size=50, overlap=20)
    lines = [line for chunk in chunks for line in chunk.text.split("\n")]
    assert lines == [*HEADER.split("\n"), *ROWS]


def test_a_piece_of_a_table_keeps_its_header_beside_it(cut: Cut):
    first, *rest = cut("\n".join([HEADER, *ROWS]), size=50)
    assert "table_header" not in first.metadata
    assert rest
    assert all(chunk.metadata["table_header"] == HEADER for chunk in rest)
    assert all(HEADER not in chunk.text for chunk in rest)


def test_two_header_rows(cut: Cut):
    header = "| Leave |  |\n| from | to |\n|---|---|"
    _, *rest = cut("\n".join([header, *ROWS]), size=50)
    assert all(chunk.metadata["table_header"] == header for chunk in rest)
    row = next(chunk for chunk in rest if "person 57" in chunk.text)
    assert "| person 57 | town of 57 |" in row.text.split("\n")


def test_a_table_without_a_header(cut: Cut):
    chunks = cut("\n".join(ROWS), size=50)
    assert len(chunks) > 1
    assert all("table_header" not in chunk.metadata for chunk in chunks)


def test_two_tables_do_not_lend_each_other_headers(cut: Cut):
    other = "| Price | Year |\n|---|---|"
    text = "\n".join([HEADER, *ROWS[:30]]) + "\n\nBetween them.\n\n" + "\n".join([other, *ROWS[30:]])
    for chunk in cut(text, size=50):
        first = chunk.text.split("\n")[0]
        if first in ROWS:
            assert chunk.metadata["table_header"] == (HEADER if first in ROWS[:30] else other)
        else:
            assert "table_header" not in chunk.metadata


def test_a_row_larger_than_the_size_stays_whole(cut: Cut):
    row = "| " + "very wide " * 60 + "|"
    chunks = cut("\n".join([HEADER, ROWS[0], row, ROWS[1]]), size=30)
    assert row in [chunk.text for chunk in chunks]


def test_code_is_not_read_as_headings_or_sentences(cut: Cut):
    code = "```python\n# not a heading\nprint('One. Two.')\n\n| not | a table |\n```"
    (chunk,) = cut(f"Before.\n{code}\nAfter.", size=60)
    assert chunk.text == f"Before.\n{code}\nAfter."
    assert "headings" not in chunk.metadata


def test_code_that_is_never_closed_runs_to_the_end_of_its_page(cut: Cut):
    chunks = cut("```\n# inside\ncode", "# After\ntext.", size=60)
    assert [chunk.metadata.get("headings") for chunk in chunks] == [None, ["After"]]


def test_text_right_after_a_table(cut: Cut):
    text = f"Before\n{HEADER}\n{ROWS[0]}\nAfter."
    assert [chunk.text for chunk in cut(text, size=200)] == [text]
