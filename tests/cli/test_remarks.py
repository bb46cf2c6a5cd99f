"""What is said of many pages is said once."""

from __future__ import annotations

from pathlib import Path

from dalil.cli.remarks import grouped

from .conftest import Run


def test_the_same_words_about_several_pages_become_one() -> None:
    warnings = [f"page {number} has no text layer: needs OCR" for number in (1, 2, 3, 7, 9, 10)]
    assert grouped(["digits are unreliable", *warnings, "page 4 has no text"]) == [
        "digits are unreliable",
        "pages 1-3, 7, 9-10: has no text layer: needs OCR",
        "page 4 has no text",
    ]


def test_shares_become_a_range() -> None:
    said = "page {} was read with little confidence ({})"
    assert grouped([said.format(1, "0.46"), said.format(2, "0.31"), said.format(3, "0.60")]) == [
        "pages 1-3: was read with little confidence (0.31 to 0.60)"
    ]
    assert grouped([said.format(4, "0.46")]) == ["page 4 was read with little confidence (0.46)"]


def test_the_table_of_add_says_which_pages(dalil: Run, tmp_path: Path) -> None:
    from PIL import Image

    white = Image.new("L", (300, 300), 255)
    white.save(tmp_path / "white.tiff", save_all=True, append_images=[white] * 2)
    ended = dalil("add", "white.tiff", "--embedder", "fast")
    assert ended.code == 1
    assert "white.tiff is made of pictures" in ended.out
