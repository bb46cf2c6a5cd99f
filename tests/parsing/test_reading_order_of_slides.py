"""Boxes on a slide are read in the order in which people read them."""

from __future__ import annotations

import pptx
import pytest
from office_files import saved
from pptx.util import Inches

from dalil.parsing.formats.pptx.order import Box, reading_order

LEFT, RIGHT = Box(0, 20, 40, 100), Box(60, 20, 100, 100)


def test_columns_are_read_one_after_the_other():
    boxes = [Box(60, 60, 100, 100), Box(0, 60, 40, 100), Box(60, 20, 100, 55), Box(0, 20, 40, 55)]
    assert reading_order(boxes) == [3, 1, 2, 0]
    assert reading_order(boxes, right_to_left=True) == [2, 0, 3, 1]


def test_what_is_above_comes_first():
    assert reading_order([LEFT, RIGHT, Box(0, 0, 100, 10)]) == [2, 0, 1]


def test_rows_of_a_grid_are_read_row_by_row():
    boxes = [Box(x, y, x + 10, y + 10) for y in (0, 20, 40) for x in (0, 20, 40)]
    assert reading_order(boxes) == list(range(9))
    assert reading_order(boxes, right_to_left=True) == [2, 1, 0, 5, 4, 3, 8, 7, 6]


def test_boxes_that_overlap_are_read_from_the_top():
    assert reading_order([Box(30, 30, 80, 80), Box(0, 0, 50, 50), Box(10, 60, 60, 90)]) == [1, 0, 2]
    assert reading_order([]) == []


@pytest.mark.parametrize(
    ("texts", "expected"), [(("one", "two"), ["one", "two"]), (("واحد", "اثنان"), ["اثنان", "واحد"])]
)
def test_arabic_slides_are_read_from_the_right(parse, texts, expected):
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for text, left in zip(texts, (1, 5), strict=True):
        box = slide.shapes.add_textbox(Inches(left), Inches(2), Inches(3), Inches(1))
        box.text_frame.text = text
    assert parse(saved(deck), "a.pptx").pages[0].text.split("\n\n")[1:] == expected


def test_many_boxes_take_no_time():
    boxes = [Box(i % 50, i // 50, i % 50 + 2, i // 50 + 2) for i in range(2500)]
    assert sorted(reading_order(boxes)) == list(range(2500))
