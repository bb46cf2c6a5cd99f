"""Whatever a reader does in a worker, one document is lost, with a typed error, and the next one is read."""

from __future__ import annotations

import time

import pytest

from dalil.errors import (
    CorruptDocumentError,
    DocumentTimeoutError,
    DocumentTooLargeError,
    LoaderError,
    MissingExtraError,
)

QUICK = {"stall_seconds": 1.0}


def assert_next_document_is_read(strange):
    assert strange("page").pages[0].text.startswith("text of page 1")


@pytest.mark.parametrize("way", ["hang", "spin"])
def test_one_that_hangs_is_killed(strange, way):
    start = time.monotonic()
    with pytest.raises(DocumentTimeoutError, match="after page 2") as caught:
        strange(f"page page {way}", **QUICK)
    assert 1 <= time.monotonic() - start < 5
    assert caught.value.details["page"] == 2
    assert_next_document_is_read(strange)


def test_one_that_gets_on_is_given_time(strange):
    assert len(strange("look page look page look page look page", **QUICK).pages) == 4


def test_one_that_looks_at_all_pages_first_is_given_time(strange):
    assert len(strange("look look look look page", **QUICK).pages) == 1
    with pytest.raises(DocumentTimeoutError, match="after page 40"):
        strange("look hang", **QUICK)


def test_limits_may_be_endless(strange):
    endless = float("inf")
    reading = strange("look page", stall_seconds=endless, document_seconds=endless, memory_bytes=1 << 80)
    assert len(reading.pages) == 1


def test_no_document_takes_longer_than_it_may_in_all(strange):
    start = time.monotonic()
    with pytest.raises(DocumentTimeoutError):
        strange("look page " * 100, document_seconds=1.5)
    assert 1.5 <= time.monotonic() - start < 6


@pytest.mark.parametrize(("way", "named"), [("crash", "SIGSEGV"), ("abort", "SIGABRT"), ("exit", "exit status 3")])
def test_one_that_crashes_costs_its_document(strange, way, named):
    with pytest.raises(CorruptDocumentError, match=rf"its reader crashed .{named}. after page 1"):
        strange(f"page {way}")
    assert_next_document_is_read(strange)


@pytest.mark.parametrize("way", ["fill", "abort_full"])
def test_one_that_takes_too_much_memory_is_stopped(strange, way, endings):
    with pytest.raises(DocumentTooLargeError, match="more memory"):
        strange(f"page {way}", memory_bytes=200 * 1024 * 1024)
    assert_next_document_is_read(strange)
    assert endings[0].peak_bytes < 400 * 1024 * 1024


def test_memory_may_grow_with_the_file(strange):
    with pytest.raises(DocumentTooLargeError):
        strange("fill", memory_bytes=40_000_000)
    assert len(strange("page" + " " * 30_000_000, memory_bytes=80_000_000).pages) == 1


def test_an_error_nobody_foresaw_is_typed(strange):
    with pytest.raises(CorruptDocumentError, match="ZeroDivisionError"):
        strange("page divide")
    with pytest.raises(DocumentTooLargeError, match="nested"):
        strange("recurse")
    assert_next_document_is_read(strange)


def test_an_error_of_the_tree_arrives_as_it_was(strange):
    with pytest.raises(MissingExtraError) as caught:
        strange("lack")
    assert str(caught.value) == "A part is not installed. Run: pip install part"
    assert caught.value.details == {"install": "pip install part"}


def test_being_stopped_from_outside_is_not_called_damage(strange):
    with pytest.raises(LoaderError, match=r"stopped from outside .SIGTERM.") as caught:
        strange("stop")
    assert type(caught.value) is LoaderError


def test_what_it_prints_goes_nowhere(strange, capfd):
    assert len(strange("babble page babble").pages) == 1
    assert capfd.readouterr() == ("", "")


def test_more_text_than_allowed_is_refused(strange):
    with pytest.raises(DocumentTooLargeError, match="more than 2 megabytes"):
        strange("large large large", output_bytes=2 * 1024 * 1024)
    assert_next_document_is_read(strange)


@pytest.mark.parametrize("deed", ["connect", "resolve", "run", "fork", "write", "remove"])
def test_the_network_other_processes_and_files_are_out_of_reach(strange, deed):
    with pytest.raises(CorruptDocumentError, match="PermissionError: a reader of documents may not"):
        strange(deed)


def test_temporary_files_may_be_written(strange):
    assert len(strange("temporary page").pages) == 1
