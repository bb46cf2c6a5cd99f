"""Before a long run, `dalil add` says what it will take, and what the quicker embedder would."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalil.cli.estimating import duration, estimate, estimated_words
from dalil.providers.local import AccurateEmbedder, FastEmbedder

LINE = "The harvest of dates begins in autumn. يبدأ حصاد التمور في الخريف.\n"
WORDS_OF_LINE = 12


def corpus(folder: Path, files: int, lines: int) -> list[Path]:
    paths = [folder / f"{number}.txt" for number in range(files)]
    for path in paths:
        path.write_text(LINE * lines, "utf-8")
    return paths


def test_words_are_estimated_from_a_sample(tmp_path: Path) -> None:
    files = corpus(tmp_path, 40, 300)
    assert estimated_words(files) == pytest.approx(40 * 300 * WORDS_OF_LINE, rel=0.05)


def test_what_cannot_be_read_holds_no_words(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    assert estimated_words([tmp_path / "broken.pdf", tmp_path / "missing.txt"]) == 0
    assert estimated_words([]) == 0


async def test_small_runs_are_not_measured(tmp_path: Path) -> None:
    assert await estimate(corpus(tmp_path, 1, 10), AccurateEmbedder()) is None


async def test_a_long_run_names_what_the_fast_embedder_would_take(tmp_path: Path) -> None:
    expected = await estimate(corpus(tmp_path, 100, 3000), AccurateEmbedder())
    assert expected is not None
    assert expected.seconds > 300
    assert expected.fast_seconds is not None
    assert expected.seconds > 4 * expected.fast_seconds > 0


async def test_the_fast_embedder_itself_is_not_offered(tmp_path: Path) -> None:
    expected = await estimate(corpus(tmp_path, 100, 3000), FastEmbedder())
    assert expected is not None
    assert expected.fast_seconds is None


@pytest.mark.parametrize(("seconds", "said"), [(0.2, "1 s"), (40, "40 s"), (840, "14 min"), (7500, "2 h 5 min")])
def test_times_read_as_people_say_them(seconds: float, said: str) -> None:
    assert duration(seconds) == said
