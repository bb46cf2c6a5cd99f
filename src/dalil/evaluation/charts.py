"""Bars for the page, as SVG: a mean from 0 to 1, its interval, and the threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WIDTH, HEIGHT = 240, 18


def bar(measured: Mapping[str, Any], threshold: float | None) -> str:
    """One bar: filled up to the mean, a thin line over the interval, a tick at the threshold."""
    value = measured["value"]
    if value is None:
        return ""
    low, high = measured["low"] * WIDTH, measured["high"] * WIDTH
    colour = "missed" if threshold is not None and value < threshold else "reached"
    parts = [
        f'<svg class="bar" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{value:.3f}, interval {measured["low"]:.3f} to {measured["high"]:.3f}">',
        f'<rect class="track" x="0" y="3" width="{WIDTH}" height="12" rx="2"/>',
        f'<rect class="{colour}" x="0" y="3" width="{value * WIDTH:.1f}" height="12" rx="2"/>',
        f'<path class="interval" d="M{low:.1f} 9H{high:.1f}M{low:.1f} 6V12M{high:.1f} 6V12"/>',
    ]
    if threshold is not None:
        at = threshold * WIDTH
        parts.append(f'<path class="threshold" d="M{at:.1f} 0V{HEIGHT}"/>')
    return "".join([*parts, "</svg>"])
