"""Short plain text and Markdown are read without a worker, and take no time whatever they hold."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from dalil.errors import DocumentError, DocumentTooLargeError, LoaderError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits

MOST = 64 * 1024
UNITS = [
    *'#`|,"[{1=-_*<&;:!~\\/( \t\r\n',
    *("```\n~~~\n", "a: b\n", "<!--", "<a ", '",', '{"a":', "a\n", " \n", "a;b\n", "# a \n", "a\n=", "From: a\n", "# "),
    *(" #", "- ", "1. ", "[a](", "![", "\\|", "---\n", "|-", "a  ", "<?xml ", "\u0640", "\u064b", "((", "&amp", "a_"),
]
FRAMES = ["{}", "# x{}y", "---\na:{}b\n---\n", "a{}a"]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", ["a.md", "a.txt", "a"])
def test_no_pattern_takes_long(frame, name):
    slow = []
    for unit in UNITS:
        text = frame.format(unit * (MOST // len(unit.encode()) - 16))
        start = time.process_time()
        with suppress(DocumentError):
            HeuristicBackend(isolated=False).parse(RawSource(name, content=text))
        if time.process_time() - start > 2:
            slow.append(unit)
    assert slow == []


@pytest.mark.parametrize(
    ("name", "content", "documents"),
    [
        ("a.txt", "text", 0),
        ("a.md", "# Text", 0),
        ("a.txt", "text " * MOST, 1),
        ("a.txt", "text".encode("utf-16"), 1),
        ("a.html", "<html><body>text</body></html>", 1),
    ],
)
def test_only_those_stay_here(name, content, documents, pool):
    HeuristicBackend().parse(RawSource(name, content=content))
    assert sum(worker.served for worker in pool.workers()) == documents


def test_a_file_without_end_is_too_large():
    with pytest.raises(DocumentTooLargeError, match="more than 1000 bytes"):
        HeuristicBackend(ParsingLimits(file_bytes=1000)).parse(RawSource("a.txt", path="/dev/zero"))


def test_a_folder_cannot_be_read(tmp_path):
    with pytest.raises(LoaderError, match="could not be read"):
        HeuristicBackend().parse(RawSource("a", path=tmp_path))


def test_what_pages_depend_on_can_be_told():
    plain = HeuristicBackend().identity
    assert plain == HeuristicBackend(isolated=False).identity
    assert plain != HeuristicBackend(ParsingLimits(pages=3)).identity
