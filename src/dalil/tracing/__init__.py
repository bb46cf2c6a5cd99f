"""Tracers: `NoTracer` keeps nothing."""

from dalil.tracing.none import NoTracer

__all__ = ["NoTracer"]
