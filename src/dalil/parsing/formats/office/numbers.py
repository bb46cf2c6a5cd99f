"""Numbers, dates and times of cells and charts as a reader expects them."""

from __future__ import annotations

import datetime as dt
import math

_LARGEST_WHOLE = 1e15


def number_text(number: float) -> str:
    """Whole numbers without a decimal point; others with the 15 digits that office programs keep."""
    if math.isfinite(number) and abs(number) < _LARGEST_WHOLE and number == int(number):
        return str(int(number))
    return f"{number:.15g}"


def moment_text(moment: dt.datetime | dt.date | dt.time) -> str:
    """A date or time in ISO form. Midnight is a day without a time; parts of a second only where there are some."""
    if isinstance(moment, dt.datetime):
        if moment.time() == dt.time():
            return moment.date().isoformat()
        return moment.isoformat(" ")
    return moment.isoformat()


def duration_text(duration: dt.timedelta) -> str:
    """Hours, minutes and seconds: `36:05:00`."""
    seconds = round(abs(duration.total_seconds()))
    sign = "-" if duration.total_seconds() < 0 else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
