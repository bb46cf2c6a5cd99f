"""A page's geometry: words packed without losing their order or place, and rectangles of any stretch of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.geometry import PageGeometry, PlacedWord

LINE = [PlacedWord(0, 4, 0.1, 0.10, 0.2, 0.12), PlacedWord(5, 9, 0.21, 0.10, 0.3, 0.12)]
NEXT = [PlacedWord(10, 14, 0.1, 0.13, 0.2, 0.15)]
shares = st.floats(0, 1, allow_nan=False)


@st.composite
def words(draw: st.DrawFn) -> list[PlacedWord]:
    position, found = 0, []
    for _ in range(draw(st.integers(0, 30))):
        start = position + draw(st.integers(0, 3))
        position = start + draw(st.integers(1, 12))
        left, right = sorted((draw(shares), draw(shares)))
        top, bottom = sorted((draw(shares), draw(shares)))
        found.append(PlacedWord(start, position, left, top, right, bottom))
    return found


def test_words_of_one_line_give_one_rectangle_and_another_line_another() -> None:
    geometry = PageGeometry.of(600, 800, LINE + NEXT)
    first, second = geometry.boxes(3, 0, 14)
    assert first == pytest.approx((3, 0.1, 0.10, 0.3, 0.12), abs=1e-4)
    assert second == pytest.approx((3, 0.1, 0.13, 0.2, 0.15), abs=1e-4)


def test_words_far_apart_on_one_line_are_not_joined() -> None:
    cells = [PlacedWord(0, 4, 0.1, 0.1, 0.2, 0.12), PlacedWord(5, 9, 0.7, 0.1, 0.8, 0.12)]
    assert len(PageGeometry.of(600, 800, cells).boxes(1, 0, 9)) == 2


def test_right_to_left_lines_join_too() -> None:
    line = [PlacedWord(0, 4, 0.8, 0.1, 0.9, 0.12), PlacedWord(5, 9, 0.69, 0.1, 0.79, 0.12)]
    [box] = PageGeometry.of(600, 800, line).boxes(1, 0, 9)
    assert box == pytest.approx((1, 0.69, 0.1, 0.9, 0.12), abs=1e-4)


def test_a_stretch_touches_only_its_own_words() -> None:
    geometry = PageGeometry.of(600, 800, LINE + NEXT)
    assert geometry.boxes(1, 4, 5) == ()
    assert [round(box.left, 3) for box in geometry.boxes(1, 6, 7)] == [0.21]


@given(words())
def test_packing_loses_nothing(placed: list[PlacedWord]) -> None:
    back = list(PageGeometry.of(600, 800, placed).placed_words())
    assert [word[:2] for word in back] == [word[:2] for word in placed]
    for word, before in zip(back, placed, strict=True):
        assert word[2:] == pytest.approx(before[2:], abs=1e-4)


@given(words(), st.integers(0, 200), st.integers(0, 50))
def test_rectangles_cover_every_word_of_the_stretch(placed: list[PlacedWord], start: int, length: int) -> None:
    geometry = PageGeometry.of(600, 800, placed)
    boxes = geometry.boxes(1, start, start + length)
    for word in geometry.placed_words():
        if word.start < start + length and word.end > start:
            assert any(
                box.left <= word.left and box.top <= word.top and word.right <= box.right and word.bottom <= box.bottom
                for box in boxes
            )
