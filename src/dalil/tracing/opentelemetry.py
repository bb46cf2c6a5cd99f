"""The tracer for OpenTelemetry, by its semantic conventions for generative AI (version 0.1, "development")."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from dalil.errors import MissingExtraError
from dalil.tracing.content import CONTENT
from dalil.tracing.plain import as_json, plain
from dalil.tracing.recording import was_abandoned

if TYPE_CHECKING:
    from opentelemetry.trace import Span as OtelSpan
    from opentelemetry.trace import TracerProvider

_OPERATIONS = {"query": "invoke_workflow", "retrieve": "retrieval", "generate": "chat", "converse": "chat"}
_MODEL_CALLS = ("generate", "converse")
_CONVENTIONAL = {
    "retrieve": {"k": "gen_ai.retrieval.top_k", "query": "gen_ai.retrieval.query.text"},
    "generate": {"model": "gen_ai.request.model", "tokens": "gen_ai.usage.output_tokens"},
    "converse": {"model": "gen_ai.request.model", "tokens": "gen_ai.usage.output_tokens"},
}


class OpenTelemetryTracer:
    """Spans of OpenTelemetry, under whichever one is current where a question is asked.

    Retrieval and calls of the model bear the names and attributes of the conventions; everything else that a stage
    says is an attribute `dalil.<name>`, the tenant `dalil.tenant` on every span. A point event is an event of its
    stage, or of the current span. Questions, passages, prompts, answers and messages of exceptions are recorded only
    with `record_content`; ids and numbers always.

    Raises:
        MissingExtraError: if OpenTelemetry is not installed.
    """

    def __init__(self, tracer_provider: TracerProvider | None = None, record_content: bool = False) -> None:
        try:
            from opentelemetry import trace
        except ImportError:
            raise MissingExtraError("OpenTelemetry", "pip install 'dalil[otel]'") from None
        self.records_content = record_content
        self._trace = trace
        self._tracer = trace.get_tracer("dalil", tracer_provider=tracer_provider)

    def event(self, name: str, **fields: Any) -> None:
        """An event of the current span; where there is none, nobody is told."""
        current = self._trace.get_current_span()
        if current.is_recording():
            current.add_event(f"dalil.{name}", self.attributes("event", fields))

    def span(self, name: str, **attributes: Any) -> OpenTelemetrySpan:
        """A span under the current one."""
        return self.begin(name, attributes.pop("tenant", None), attributes, None)

    def begin(self, name: str, tenant: Any, attributes: dict[str, Any], parent: OtelSpan | None) -> OpenTelemetrySpan:
        """A span under `parent`, or under the current one."""
        model_call = name in _MODEL_CALLS
        told = {**self._who(name, attributes), **self.attributes(name, attributes)}
        if tenant is not None:
            told["dalil.tenant"] = _attribute(tenant)
        span = self._tracer.start_span(
            _title(name, attributes),
            context=None if parent is None else self._trace.set_span_in_context(parent),
            kind=self._trace.SpanKind.CLIENT if model_call else self._trace.SpanKind.INTERNAL,
            attributes=told,
        )
        return OpenTelemetrySpan(span, name, tenant, self)

    def attributes(self, stage: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        """What a stage said, under the names of the conventions or ours."""
        names = _CONVENTIONAL.get(stage, {})
        told: dict[str, Any] = {}
        for name, value in attributes.items():
            if value is None or (name in CONTENT and not self.records_content):
                continue
            if stage in _MODEL_CALLS and name == "prompt":
                told["gen_ai.input.messages"] = as_json([_message("user", value)])
            elif stage in _MODEL_CALLS and name == "text":
                told["gen_ai.output.messages"] = as_json([{**_message("assistant", value), "finish_reason": "stop"}])
            elif name == "documents":
                told["gen_ai.retrieval.documents"] = as_json([found for found in value if "score" in found])
            elif not (stage in _MODEL_CALLS and name == "provider"):
                told[names.get(name, f"dalil.{name}")] = _attribute(value)
        return told

    def status(self, error: BaseException | None, kind: type[BaseException]) -> Any:
        """The status of a span that an exception left."""
        said = str(error) if self.records_content and error is not None else None
        return self._trace.Status(self._trace.StatusCode.ERROR, said or _type_name(kind))

    @staticmethod
    def _who(stage: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        """What the conventions want to know about every span of theirs."""
        told: dict[str, Any] = {}
        if stage in _OPERATIONS:
            told["gen_ai.operation.name"] = _OPERATIONS[stage]
        if stage == "query":
            told["gen_ai.agent.name"] = "dalil"
        if stage in _MODEL_CALLS:
            told["gen_ai.provider.name"] = str(attributes.get("provider") or "_OTHER")
            told["gen_ai.output.type"] = "text"
            told["gen_ai.request.stream"] = True
        return told


class OpenTelemetrySpan:
    """A span of OpenTelemetry behind the engine's port. It is never made the current span: a stream's reader runs
    between its steps, and must not find itself inside it."""

    def __init__(self, span: OtelSpan, name: str, tenant: Any, tracer: OpenTelemetryTracer) -> None:
        self._span = span
        self._name = name
        self._tenant = tenant
        self._tracer = tracer

    def set(self, **attributes: Any) -> None:
        """Say more about the stage."""
        self._span.set_attributes(self._tracer.attributes(self._name, attributes))

    def child(self, name: str, **attributes: Any) -> OpenTelemetrySpan:
        """A stage inside this one, of the same tenant."""
        return self._tracer.begin(name, attributes.pop("tenant", self._tenant), attributes, self._span)

    def record_event(self, name: str, fields: Mapping[str, Any]) -> None:
        """A point event that happened in this stage."""
        self._span.add_event(f"dalil.{name}", self._tracer.attributes("event", fields))

    def __enter__(self) -> OpenTelemetrySpan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if kind is not None and was_abandoned(kind):
                self._span.set_attribute("dalil.abandoned", True)
            elif kind is not None:
                self._failed(kind, error)
        finally:
            self._span.end()

    def _failed(self, kind: type[BaseException], error: BaseException | None) -> None:
        name = _type_name(kind)
        self._span.set_attribute("error.type", name)
        self._span.set_status(self._tracer.status(error, kind))
        if self._tracer.records_content and error is not None:
            self._span.record_exception(error)
        else:
            self._span.add_event("exception", {"exception.type": name})


def _title(stage: str, attributes: Mapping[str, Any]) -> str:
    """`<operation> <of what>` where there is an operation, else the stage's own name."""
    operation = _OPERATIONS.get(stage)
    if operation is None:
        return stage
    subject = "dalil" if stage == "query" else attributes.get("model") if stage in _MODEL_CALLS else None
    return f"{operation} {subject}" if subject else operation


def _message(role: str, text: Any) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": str(text)}]}


def _attribute(value: Any) -> Any:
    """What OpenTelemetry takes: a primitive, or a list of texts; anything else as JSON."""
    value = plain(value)
    if isinstance(value, list):
        return value if all(isinstance(item, str) for item in value) else as_json(value)
    return value if isinstance(value, (str, bool, int, float)) else as_json(value)


def _type_name(kind: type[BaseException]) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
