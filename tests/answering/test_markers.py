"""However a model cuts its text into fragments, only markers that lead to a source are shown."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dalil.answering.markers import MarkerFilter

KNOWN = (1, 2, 3)


def shown_markers(text: str) -> list[int]:
    """The numbers in brackets that a reader sees."""
    return [int(number) for number in re.findall(r"\[\s*(\d+)\s*\]", text)]


def filtered(*fragments: str) -> tuple[str, int]:
    markers = MarkerFilter(KNOWN)
    text = "".join(markers.feed(fragment) for fragment in fragments) + markers.finish()
    return text, markers.dropped


@pytest.mark.parametrize(
    ("said", "shown", "dropped"),
    [
        ("Yes [2]. Also [2][7] and [1, 3].", "Yes [2]. Also [2] and [1][3].", 1),
        ("One [1].", "One [1].", 0),
        ("One [9].", "One.", 1),
        ("One[9] two", "One two", 1),
        ("One [2-4].", "One [2][3].", 1),
        ("One [2–3].", "One [2][3].", 0),
        ("One [3-1].", "One [3][1].", 0),
        ("One [1; 2، 3].", "One [1][2][3].", 0),
        ("One [1, 1].", "One [1].", 0),
        ("نعم [١].", "نعم [1].", 0),
        ("نعم [۲، ۳].", "نعم [2][3].", 0),
        ("نعم [٩].", "نعم.", 1),
        ("One [ 1 ].", "One [1].", 0),
        ("An [aside] stays, and [] too.", "An [aside] stays, and [] too.", 0),
        ("It ends with [", "It ends with [", 0),
        ("It ends with [1", "It ends with [1", 0),
        ("It ends with [1, ", "It ends with [1, ", 0),
        ("Year [2024] is no source.", "Year is no source.", 1),
        ("A list: a[0] = b[1]", "A list: a = b[1]", 1),
        ("", "", 0),
    ],
)
def test_what_is_shown(said: str, shown: str, dropped: int):
    assert filtered(said) == (shown, dropped)
    assert filtered(*said) == (shown, dropped)


def test_a_dead_marker_at_the_head_of_a_group_leaves_its_space():
    assert filtered("Also [7][2].") == ("Also [2].", 1)


@pytest.mark.parametrize("said", ["[[9]7]", "[9[9]]"])
def test_no_marker_arises_from_what_is_removed(said: str):
    assert shown_markers(filtered(said)[0]) == []


@pytest.mark.parametrize("said", ["word" + " " * 70 + "[9]", "[" + " " * 70 + "1]"])
def test_not_even_of_a_very_wide_marker(said: str):
    assert filtered(*said) == filtered(said)


PIECES = st.sampled_from(
    [*"[]()0129٣۴,،;-–. \t\n\u00a0x", "[1]", "[9]", " [2, 3]", "[2-4]", "[١]", "word ", "كلمة ", "[[1]", "[1]]", "[ 1"]
)
SAID = st.lists(PIECES, max_size=20).map("".join)


@settings(max_examples=300, deadline=None)
@given(SAID, st.data())
@example("a [1", None)
def test_the_fragments_do_not_matter(said: str, data: st.DataObject | None):
    whole = filtered(said)
    assert filtered(*said) == whole
    if data is not None:
        cuts = sorted(data.draw(st.lists(st.integers(0, len(said)), max_size=6)))
        assert filtered(*(said[i:j] for i, j in zip([0, *cuts], [*cuts, len(said)], strict=True))) == whole


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="["), max_size=40), st.integers(0, 40))
def test_text_without_brackets_passes_unchanged(said: str, cut: int):
    assert filtered(said[:cut], said[cut:]) == (said, 0)


@settings(max_examples=200, deadline=None)
@given(SAID.filter(lambda said: not re.search(r"\[[^\]]*\[", said)))
def test_every_marker_shown_is_known(said: str):
    shown, _ = filtered(said)
    assert all(number in KNOWN for number in shown_markers(shown))


def test_nothing_certain_is_held_back():
    markers = MarkerFilter(KNOWN)
    assert markers.feed("The answer") == "The answer"
    assert markers.feed(" is") == " is"
    assert markers.feed(" [1") == ""
    assert markers.feed("]") == ""  # another marker may follow it
    assert markers.feed(".") == " [1]."
    assert markers.feed("!") == "!"


def test_a_bracket_that_is_never_closed_is_let_go():
    markers = MarkerFilter(KNOWN)
    assert markers.feed("[" + "1, " * 40) + markers.feed("x") == "[" + "1, " * 40 + "x"

    assert re.search(r"\[", "".join(filtered("[9]")[0])) is None
