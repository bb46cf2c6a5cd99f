"""Why one attempt at a call failed, in words that may be shown, and whether another may succeed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from math import isfinite


class Cause(StrEnum):
    """What kind of failure it was."""

    UNREACHABLE = "cannot be reached"
    TIMEOUT = "took too long"
    RATE_LIMIT = "takes no more requests for now"
    REFUSED = "refused the request"
    KEY = "refused the API key"
    NOT_FOUND = "does not know the model"
    FAILED = "failed"
    MALFORMED = "gave an answer that cannot be read"


class Failure(Exception):
    """One attempt that failed. It carries no request, no header and no key; `passing` failures may be tried again."""

    def __init__(
        self,
        cause: Cause,
        said: str = "",
        *,
        passing: bool = False,
        status: int | None = None,
        retry_after: float | None = None,
    ):
        super().__init__(f"{cause.value}: {said}" if said else cause.value)
        self.cause = cause
        self.passing = passing
        self.status = status
        self.retry_after = retry_after


_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_RATE_LIMITS = frozenset({429, 529})
_SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Codes of a 429 that waiting does not cure."""


def status_failure(status: int, headers: Mapping[str, str], said: str = "", code: str | None = None) -> Failure:
    """The failure that an HTTP answer other than 2xx is. `x-should-retry` is obeyed where a service sends it."""
    passing = status in _PASSING and code not in _SPENT
    advised = headers.get("x-should-retry")
    if advised in ("true", "false") and status not in (400, 401, 403, 404, 422):
        passing = advised == "true"
    if status in _RATE_LIMITS:
        cause = Cause.RATE_LIMIT
    elif status in (401, 403):
        cause = Cause.KEY
    elif status == 404:
        cause = Cause.NOT_FOUND
    elif status == 408:
        cause = Cause.TIMEOUT
    elif status < 500:
        cause = Cause.REFUSED
    else:
        cause = Cause.FAILED
    if cause is Cause.KEY:  # services repeat parts of the key in these messages
        said = f"HTTP {status}"
    else:
        said = f"HTTP {status}, {said}" if said else f"HTTP {status}"
    return Failure(cause, said, passing=passing, status=status, retry_after=seconds_to_wait(headers))


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """What `Retry-After` asks for, in seconds: it is a number or a date. None where it is missing or no sense."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    if asked is None:
        return None
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    until, now = _date(asked), _date(headers.get("date")) or datetime.now(UTC)  # the service's own clock, if it says
    return None if until is None else max(0.0, (until - now).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None
    return max(0.0, value) if value is not None and isfinite(value) else None


def _date(text: str | None) -> datetime | None:
    try:
        date = parsedate_to_datetime(text) if text is not None else None
    except (ValueError, TypeError):
        return None
    return date.replace(tzinfo=UTC) if date is not None and date.tzinfo is None else date
