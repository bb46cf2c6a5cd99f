"""The coarsest separator that works, and small pieces joined again."""

from __future__ import annotations

import pytest

from dalil.chunking import RecursiveChunker
from dalil.models import Page

from .conftest import DOCUMENT


def recursive_chunks(*texts: str, size: int, overlap: int = 0) -> list[str]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    return [chunk.text for chunk in RecursiveChunker().chunk(DOCUMENT, pages, size=size, overlap=overlap)]


@pytest.mark.parametrize(
    ("text", "size", "parts"),
    [
        ("# One\n\nalpha beta.\n\n# Two\n\ngamma delta.", 6, ["# One\n\nalpha beta.", "# Two\n\ngamma delta."]),
        ("alpha beta\ngamma.\n \nDelta epsilon\nzeta.", 5, ["alpha beta\ngamma.", "Delta epsilon\nzeta."]),
        ("alpha. Beta gamma\nDelta. Epsilon", 5, ["alpha. Beta gamma", "Delta. Epsilon"]),
        ("alpha, beta gamma. Delta, epsilon.", 5, ["alpha, beta gamma.", "Delta, epsilon."]),
        ("alpha beta gamma, delta epsilon", 5, ["alpha beta gamma,", "delta epsilon"]),
        ("ألفا باء، جيم دال", 5, ["ألفا باء،", "جيم دال"]),
        ("ألفا باء؛ جيم دال", 5, ["ألفا باء؛", "جيم دال"]),
        ("alphabet betabet", 2, ["alphabet", "betabet"]),
        ("alphabetagamma", 2, ["alphabetag", "amma"]),
    ],
    ids=[
        "headings",
        "blank lines",
        "lines",
        "sentences",
        "commas",
        "Arabic comma",
        "Arabic semicolon",
        "words",
        "none",
    ],
)
def test_the_coarsest_separator(text: str, size: int, parts: list[str]):
    assert recursive_chunks(text, size=size) == parts


def test_a_heading_stays_with_what_follows_it():
    text = "# One\n\n" + " ".join(["Something is said here."] * 6)
    assert recursive_chunks(text, size=20)[0].startswith("# One\n\nSomething is said here.")


def test_a_comment_in_code_is_no_heading():
    text = "```\nfirst = 1\n# more\nsecond = 2\n```"
    assert recursive_chunks(text, size=7) == ["```\nfirst = 1\n# more", "second = 2\n```"]


def test_small_pieces_are_joined():
    text = "\n\n".join(f"Paragraph {number}." for number in range(8))
    assert recursive_chunks(text, size=12) == [
        "\n\n".join(f"Paragraph {number}." for number in range(first, min(first + 3, 8))) for first in (0, 3, 6)
    ]


def test_neighbours_share_whole_pieces():
    text = "\n\n".join(f"Paragraph {number}." for number in range(5))
    assert recursive_chunks(text, size=12, overlap=4) == [
        "\n\n".join(f"Paragraph {number}." for number in range(first, first + 3)) for first in (0, 2)
    ]


def test_numbers_are_not_cut_at_their_commas():
    assert recursive_chunks("It cost 1,000,000 dollars", size=5) == ["It cost 1,000,000", "dollars"]
