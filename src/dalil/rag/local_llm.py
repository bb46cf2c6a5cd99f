"""The language model of a local system, behind the names that RAGSystem calls."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from dalil.answering.prompts import Prompt
from dalil.answering.replying import Reply
from dalil.assembly import ComputeKit
from dalil.offloop import off_loop_each
from dalil.rag.index import LOOP
from dalil.text.messages import not_found


class LocalLLM:
    """The engine's own model (extractive where none was given) for synchronous and asynchronous callers.

    Only markers of sources that the prompt holds are shown. Options that the engine's models do not know are ignored.
    """

    def __init__(self, compute: Callable[[], Awaitable[ComputeKit]], *, follows_prompts: bool):
        self._compute = compute  # chooses the model, on the loop that the store belongs to
        self.follows_prompts = follows_prompts
        """Whether it does what a prompt asks; the extractive answerer only quotes the evidence in it."""

    def generate(self, prompt: str, **options: Any) -> str:
        """The whole reply to `prompt`."""
        return LOOP.run(self.generate_async(prompt, **options))

    async def generate_async(self, prompt: str, **options: Any) -> str:
        """The whole reply to `prompt`, for asynchronous callers."""
        async with aclosing(self.astream(prompt, **options)) as pieces:
            return "".join([piece async for piece in pieces])

    async def astream(self, prompt: str, **options: Any) -> AsyncGenerator[str, None]:
        """The reply as it is made."""
        del options
        kit = await LOOP.arun(self._compute())
        fragments = off_loop_each(kit.llm.generate(prompt))
        async with aclosing(fragments):
            if not isinstance(prompt, Prompt):
                async for fragment in fragments:
                    yield fragment
                return
            reply = Reply(prompt, not_found(prompt.question))
            async for fragment in fragments:
                if said := reply.feed(fragment):
                    yield said
            if said := reply.finish():
                yield said
