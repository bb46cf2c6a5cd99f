"""Tracers: where the engine tells what each stage of its work produced.

`NoTracer` keeps nothing, `InMemoryTracer` everything; `JsonLinesTracer` writes for machines, `ConsoleTracer` for
people, `OpenTelemetryTracer` to whatever collects OpenTelemetry. `safe` keeps a tracer's failures from the engine.
"""

from dalil.tracing.console import ConsoleTracer
from dalil.tracing.jsonlines import JsonLinesTracer
from dalil.tracing.memory import InMemoryTracer
from dalil.tracing.none import NoTracer
from dalil.tracing.opentelemetry import OpenTelemetryTracer
from dalil.tracing.recording import RecordedSpan
from dalil.tracing.safe import SafeSpan, SafeTracer, safe

__all__ = [
    "ConsoleTracer",
    "InMemoryTracer",
    "JsonLinesTracer",
    "NoTracer",
    "OpenTelemetryTracer",
    "RecordedSpan",
    "SafeSpan",
    "SafeTracer",
    "safe",
]
