"""Pages come back from a spool, and out of a worker, as they went in."""

from __future__ import annotations

import copy
import gc
import io
import os
import pickle
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.geometry import PageGeometry, PlacedWord
from dalil.models import Page, PageImage, PageLayout, RawSource
from dalil.parsing.worker.frames import read_frame, write_frame
from dalil.parsing.worker.records import attachment_of, attachment_record, page_of, page_record
from dalil.parsing.worker.spool import SpooledPages

texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
shares = st.floats(0, 1)
words = st.builds(
    lambda start, length, *edges: PlacedWord(start, start + length, *edges),
    st.integers(0, 1 << 31),
    st.integers(0, 65535),
    *[shares] * 4,
)
numbers = st.floats(allow_nan=False)
geometries = st.builds(PageGeometry.of, numbers, numbers, st.lists(words, max_size=5))
pages = st.builds(
    Page,
    number=st.integers(1, 1 << 40),
    text=texts,
    image=st.none() | st.builds(PageImage, texts, st.none() | st.binary(max_size=50)),
    layout=st.none() | st.builds(PageLayout, st.integers(0, 1 << 40), numbers, numbers),
    label=texts,
    reason=texts,
    confidence=st.none() | numbers,
    geometry=st.none() | geometries,
)


def spooled(pages: Sequence[Page], **limits: int) -> SpooledPages:
    spool = SpooledPages(**limits)
    for page in pages:
        spool.append(page)
    return spool


@given(page=pages)
def test_a_page_crosses_the_pipe_unchanged(page):
    stream = io.BytesIO()
    write_frame(stream, *page_record(page))
    stream.seek(0)
    frame = read_frame(stream)
    assert frame is not None
    assert page_of(*frame) == page
    assert read_frame(stream) is None


@given(name=texts, content=texts | st.binary(max_size=50), media_type=st.none() | texts)
def test_an_attachment_crosses_the_pipe_unchanged(name, content, media_type):
    attachment = RawSource(name, content=content, media_type=media_type, metadata={"subject": name})
    stream = io.BytesIO()
    write_frame(stream, *attachment_record(attachment))
    stream.seek(0)
    frame = read_frame(stream)
    assert frame is not None
    assert attachment_of(*frame) == attachment


@settings(max_examples=50)
@given(given=st.lists(pages, max_size=8), in_memory=st.sampled_from([1, 200, 1 << 20]))
def test_a_spool_is_a_sequence_of_its_pages(given, in_memory):
    spool = spooled(given, in_memory_bytes=in_memory)
    assert len(spool) == len(given)
    assert list(spool) == given
    assert spool == given
    assert spool == tuple(given)
    assert spool != [*given, Page(1)]
    assert [spool[index] for index in range(-len(given), len(given))] == [*given, *given]
    assert spool[1:-1] == tuple(given[1:-1])
    assert spool[::-2] == tuple(given[::-2])
    assert list(reversed(spool)) == given[::-1]
    assert all(page in spool for page in given)
    with pytest.raises(IndexError):
        spool[len(given)]


def test_a_copy_is_a_tuple():
    spool = spooled([Page(1, "one"), Page(2, "two")])
    assert pickle.loads(pickle.dumps(spool)) == copy.deepcopy(spool) == (Page(1, "one"), Page(2, "two"))  # noqa: S301


def test_threads_read_and_write_it_at_once():
    given = [Page(number, f"text {number} " * number) for number in range(1, 200)]
    spool = SpooledPages(in_memory_bytes=1000)

    def look(number: int) -> bool:
        return all(page == given[index] for index, page in enumerate(spool[: len(spool)]))

    with ThreadPoolExecutor(8) as threads:
        looking = [threads.submit(look, number) for number in range(24)]
        for page in given:
            spool.append(page)
        assert all(look.result() for look in looking)
    assert spool == given


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the test counts open files in /proc")
def test_its_file_goes_with_it():
    def open_files() -> int:
        return len(os.listdir("/proc/self/fd"))

    gc.collect()
    before = open_files()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spool = spooled([Page(1, "text" * 1000)], in_memory_bytes=10)
        assert open_files() == before + 1
        del spool
        gc.collect()
    assert open_files() == before


@pytest.mark.parametrize("cut", [1, 5, 13, 40])
def test_a_frame_cut_short_is_noticed(cut):
    stream = io.BytesIO()
    write_frame(stream, *page_record(Page(1, "text")))
    with pytest.raises(EOFError):
        read_frame(io.BytesIO(stream.getvalue()[:cut]))


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 100,
        b"\x02\0\0\0" + bytes(8) + b"[]",
        b"\x02\0\0\0" + bytes(8) + b"{]",
        b"\x02\0\0\0" + b"\x01" * 8 + b"{}",
    ],
)
def test_what_is_no_frame_is_refused(data):
    with pytest.raises((ValueError, EOFError)):
        read_frame(io.BytesIO(data), limit=1000)


def test_what_stands_beside_the_pages_arrives(strange):
    reading = strange("page page")
    assert reading.title == "A title \ud800"
    assert reading.warnings == ["page 1 was made", "page 2 was made"]
    assert [source.read() for source in reading.attachments] == [
        b"inner \xff",
        "note \ud800".encode("utf-8", "surrogatepass"),
    ]
    assert [source.name for source in reading.attachments] == ["inner.txt", "note.txt"]
