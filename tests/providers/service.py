"""A service on this machine that speaks the providers' protocols, and fails as it is told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from providers.protocols import Reply


@dataclass
class Request:
    """One request as it came in; `closed` is set when the client hangs up before the answer is complete."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    status: int = 200


Fault = Callable[["Service", Request, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bool]]
"""Does something in the place of the answer, and says whether it did."""


class Service:
    """`answer` makes the reply to a good request; `faults` are used up one by one, each by one request."""

    def __init__(self, answer: Callable[[Request], Reply]):
        self.answer = answer
        self.faults: list[Fault | None] = []
        self.fault_of: Callable[[int], Fault | None] | None = None
        self.requests: list[Request] = []
        self.complaints: list[AssertionError] = []
        self.open = 0
        self.most_open = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def answered(self) -> list[Request]:
        return [request for request in self.requests if request.status == 200]

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)

    async def stop(self) -> None:
        """Close all connections; raise what was wrong with any request."""
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.sleep(0)
        if self.complaints:
            raise self.complaints[0]

    async def has_open(self, requests: int) -> None:
        """Returns when so many requests are waiting for their answer."""
        async with asyncio.timeout(5):
            while self.open < requests:  # noqa: ASYNC110
                await asyncio.sleep(0.005)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while (request := await read_request(reader)) is not None:
                self.requests.append(request)
                self.open += 1
                self.most_open = max(self.most_open, self.open)
                try:
                    if not await self._serve(request, reader, writer):
                        break
                finally:
                    self.open -= 1
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _serve(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        fault = self.fault_of(len(self.requests)) if self.fault_of else self.faults.pop(0) if self.faults else None
        if fault is not None and await fault(self, request, reader, writer):
            return False
        try:
            reply = self.answer(request)
        except AssertionError as error:
            self.complaints.append(error)
            await send(writer, 422, b"{}")
            return True
        if reply.events is None:
            await send(writer, 200, json.dumps(reply.body).encode())
            return True
        await begin_stream(writer)
        for event in reply.events:
            await send_event(writer, event)
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(first.split()[1], headers, json.loads(body or b"{}"))


async def send(writer: asyncio.StreamWriter, status: int, body: bytes, headers: Sequence[str] = ()) -> None:
    lines = [f"HTTP/1.1 {status} X", "content-type: application/json", f"content-length: {len(body)}", *headers]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()


async def begin_stream(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    await writer.drain()


async def send_event(writer: asyncio.StreamWriter, event: str) -> None:
    data = event.encode()
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


# --- faults ------------------------------------------------------------------------------------------------


def refuse(status: int, *headers: str, message: str = "no", code: str | None = None) -> Fault:
    """An answer with another status than 200, with the error as all providers write it at once."""

    async def fault(
        service: Service, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        request.status = status
        error = {"message": message, "type": "some_error", "code": code}
        body = {"type": "error", "error": error, "message": message, "detail": message}
        await send(writer, status, json.dumps(body).encode(), headers)
        return True

    return fault


async def malformed(
    service: Service, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """An answer that is cut JSON."""
    request.status = 0
    await send(writer, 200, b'{"data": [{"embed')
    return True


async def hang_up(
    service: Service, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """No answer at all."""
    request.status = 0
    return True


async def silence(
    service: Service, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """Nothing, until the client hangs up."""
    request.status = 0
    await reader.read()
    request.closed.set()
    return True


def stream_then(events: int, after: Callable[[asyncio.StreamReader, Request], Awaitable[None]] | None) -> Fault:
    """The beginning of a stream, then `after`, then the connection is cut."""

    async def fault(
        service: Service, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        request.status = 0
        await begin_stream(writer)
        for event in (service.answer(request).events or ())[:events]:
            await send_event(writer, event)
        if after is not None:
            await after(reader, request)
        return True

    return fault


async def until_closed(reader: asyncio.StreamReader, request: Request) -> None:
    await reader.read()
    request.closed.set()
