"""When a call is made again, and how long that takes."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from dalil.errors import ConfigurationError
from dalil.providers.hosting.failures import Cause, Failure, seconds_to_wait
from dalil.providers.hosting.retrying import Attempts, RetryPolicy
from providers.conftest import Connect
from providers.service import refuse

DATE = "Tue, 05 May 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Tue, 05 May 2026 10:00:09 GMT", "date": DATE}, 9.0),
        ({"retry-after": DATE, "date": "Tue, 05 May 2026 10:00:09 GMT"}, 0.0),
    ],
)
def test_what_retry_after_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds_to_wait(headers) == seconds


def test_a_date_without_the_services_clock() -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    asked = seconds_to_wait({"retry-after": until})
    assert asked is not None
    assert 28 < asked <= 30


def test_waits_grow_and_vary_and_end() -> None:
    failure = Failure(Cause.FAILED, passing=True)
    runs = []
    for _ in range(50):
        attempts = Attempts(RetryPolicy(attempts=6, first_wait=1.0, longest_wait=5.0))
        waits = [attempts.wait_after(failure) for _ in range(6)]
        assert waits[-1] is None
        for wait, most in zip(waits[:-1], [1.0, 2.0, 4.0, 5.0, 5.0], strict=True):
            assert wait is not None
            assert most / 2 <= wait <= most
        runs.append(tuple(waits))
    assert len(set(runs)) == 50


def test_a_service_that_says_how_long_is_waited_for() -> None:
    attempts = Attempts(RetryPolicy(longest_wait=10.0))
    asked = attempts.wait_after(Failure(Cause.RATE_LIMIT, passing=True, retry_after=7.0))
    assert asked is not None
    assert 7.0 <= asked <= 7.7
    assert attempts.wait_after(Failure(Cause.RATE_LIMIT, passing=True, retry_after=11.0)) is None


@pytest.mark.parametrize(("cause", "allowed"), [(Cause.UNREACHABLE, 3), (Cause.TIMEOUT, 2), (Cause.RATE_LIMIT, 6)])
def test_some_failures_are_given_up_sooner(cause: Cause, allowed: int) -> None:
    attempts = Attempts(RetryPolicy())
    waits = [attempts.wait_after(Failure(cause, passing=True)) for _ in range(allowed)]
    assert [wait is None for wait in waits] == [False] * (allowed - 1) + [True]


@pytest.mark.parametrize("options", [{"attempts": 0}, {"timeout_attempts": 0}, {"first_wait": -1}])
def test_a_policy_that_cannot_work_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ConfigurationError):
        RetryPolicy(**options)


async def test_nobody_asks_while_the_service_wants_to_be_left_alone(connect: Connect) -> None:
    embedder, service = await connect("voyage-embedder", concurrency=4)
    service.faults = [refuse(429, "retry-after: 1")]
    begun = time.monotonic()
    await embedder.embed(["one"])
    assert time.monotonic() - begun >= 1.0
    assert len(service.requests) == 2
