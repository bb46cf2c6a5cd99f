"""The query façade: a question in, a grounded, cited answer out, streamed or buffered."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing

from dalil.answering.citing import cite
from dalil.answering.evidence import Evidence, number_evidence
from dalil.answering.prompts import Prompt, answer_prompt, conversation_prompt
from dalil.answering.replying import Reply
from dalil.answering.smalltalk import is_small_talk
from dalil.config import QueryOptions
from dalil.models import (
    Answer,
    AnswerComplete,
    AnswerEvent,
    AnswerToken,
    Citation,
    Outcome,
    ScoredChunk,
    Turn,
    Usage,
)
from dalil.offloop import off_loop, off_loop_each
from dalil.ports import (
    Embedder,
    LexicalStore,
    LLMClient,
    PageStore,
    QueryRewriter,
    Reranker,
    Tracer,
    VectorStore,
)
from dalil.retrieval import Gate, Retrieval, Retriever, Verdict, WeightedFusion, reciprocal_rank_fusion
from dalil.retrieval.parents import parent_sentences, parents_of
from dalil.retrieval.traced import retrieval_attributes
from dalil.scope import Scope
from dalil.text import estimate_tokens
from dalil.text.messages import NOT_FOUND_MESSAGE, not_found
from dalil.tracing import SafeSpan, safe

__all__ = ["NOT_FOUND_MESSAGE", "QueryEngine", "reciprocal_rank_fusion"]


class QueryEngine:
    """Answers questions against a scope's stores through injected adapters.

    `fusion` and `gate` carry an embedder's calibration; without a gate, not-found is what the plain rule says:
    nothing retrieved, nothing above `min_score`, or the model's own refusal. `page_store` lets citations be checked
    against the stored pages, and the model read the parents of what was found (see `dalil.retrieval.parents`).
    """

    def __init__(
        self,
        *,
        embedder: Embedder,
        vector_store: VectorStore,
        lexical_store: LexicalStore,
        reranker: Reranker | None,
        llm: LLMClient,
        rewriter: QueryRewriter | None = None,
        tracer: Tracer | None = None,
        fusion: WeightedFusion | None = None,
        gate: Gate | None = None,
        page_store: PageStore | None = None,
    ):
        self._retriever = Retriever(
            embedder=embedder, vector_store=vector_store, lexical_store=lexical_store, fusion=fusion
        )
        self._reranker = reranker
        self._llm = llm
        self._rewriter = rewriter
        self._tracer = safe(tracer)
        self._gate = gate
        self._pages = page_store

    async def query(
        self, question: str, scope: Scope, options: QueryOptions | None = None, *, history: Sequence[Turn] = ()
    ) -> Answer:
        """The whole answer: what `stream` says, gathered."""
        complete: AnswerComplete | None = None
        async for event in self.stream(question, scope, options, history=history):
            if isinstance(event, AnswerComplete):
                complete = event
        assert complete is not None
        return Answer(complete.text, complete.citations, complete.outcome)

    async def retrieve(self, question: str, scope: Scope, *, k: int = 10) -> Retrieval:
        """The best `k` candidates for a question with all the evidence about them, before any reranking."""
        return await self._retriever.retrieve(question, scope, k=k)

    async def in_parents(self, kept: Sequence[ScoredChunk], scope: Scope) -> list[ScoredChunk]:
        """What is read in the place of `kept`: children become their parents, each once; others stay."""
        return list(kept) if self._pages is None else await parents_of(scope, kept, self._pages)

    async def cite(self, text: str, evidence: Sequence[Evidence], scope: Scope) -> tuple[Citation, ...]:
        """The checked quotes behind the markers of `text`."""
        return await cite(text, evidence, scope, self._pages)

    async def search(
        self, question: str, scope: Scope, *, k: int = 10, options: QueryOptions | None = None
    ) -> list[ScoredChunk]:
        """The best `k` passages for a question, without an answer."""
        options = options or QueryOptions()
        retrieval = await self._retriever.retrieve(question, scope, k=max(k, options.retrieve_k))
        found = [candidate.scored for candidate in retrieval.candidates]
        if found:
            found = await self._reranked(question, found, k)
        return [scored for scored in found if scored.score >= options.min_score][:k]

    async def stream(
        self, question: str, scope: Scope, options: QueryOptions | None = None, *, history: Sequence[Turn] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """The answer as it is made: AnswerTokens, then Citations, then Usage, then one AnswerComplete.

        A not-found message is streamed like any answer, and completes without citations.
        """
        options = options or QueryOptions()
        with self._tracer.span("query", tenant=scope.namespace) as root:
            self._content(root, question=question)
            if is_small_talk(question):
                events = self._converse(question, root)
            else:
                events = self._answer(question, scope, options, history, root)
            async with aclosing(events):
                async for event in events:
                    if isinstance(event, AnswerComplete):
                        root.set(outcome=event.outcome, grounded=event.grounded, citations=len(event.citations))
                        root.event(str(event.outcome), citations=len(event.citations))
                    yield event

    async def _converse(self, message: str, root: SafeSpan) -> AsyncGenerator[AnswerEvent, None]:
        prompt = conversation_prompt(message)
        said: list[str] = []
        with root.child("converse", **_model(self._llm)) as span:
            self._content(span, prompt=prompt)
            async with aclosing(off_loop_each(self._llm.generate(prompt))) as fragments:
                async for fragment in fragments:
                    said.append(fragment)
                    yield AnswerToken(fragment)
            text = "".join(said)
            span.set(tokens=estimate_tokens(text), outcome=Outcome.CONVERSATIONAL)
            self._content(span, text=text)
        yield Usage(0, estimate_tokens(text))
        yield AnswerComplete(text, (), Outcome.CONVERSATIONAL)

    async def _answer(
        self, question: str, scope: Scope, options: QueryOptions, history: Sequence[Turn], root: SafeSpan
    ) -> AsyncGenerator[AnswerEvent, None]:
        if not any(character.isalnum() for character in question):  # nothing was asked
            for event in _decline(question):
                yield event
            return
        resolved = await self._rewritten(question, history, root)
        retrieval, verdict = await self._retrieved(resolved, scope, options, root)
        kept = await self._kept(resolved, retrieval, options, root)
        if not kept or (verdict is not None and not verdict.answerable):
            for event in _decline(question):
                yield event
            return
        prompt = await self._prompt(resolved, scope, retrieval, kept, options, root)
        with root.child("generate", **_model(self._llm)) as span:
            self._content(span, prompt=prompt)
            reply = Reply(prompt, not_found(question))
            async with aclosing(off_loop_each(self._llm.generate(prompt))) as fragments:
                async for fragment in fragments:
                    if said := reply.feed(fragment):
                        yield AnswerToken(said)
            if said := reply.finish():
                yield AnswerToken(said)
            text, declined = reply.text, reply.declined
            citations = () if declined else await self.cite(text, prompt.evidence, scope)
            cited = list(dict.fromkeys(citation.chunk_id for citation in citations))
            span.set(tokens=estimate_tokens(text), grounded=not declined, citations=len(citations), cited_ids=cited)
            self._content(span, text=text)
        for citation in citations:
            yield citation
        yield Usage(len(prompt.evidence), estimate_tokens(text))
        yield AnswerComplete(text, citations, Outcome.NOT_FOUND if declined else Outcome.ANSWERED)

    async def _rewritten(self, question: str, history: Sequence[Turn], root: SafeSpan) -> str:
        if self._rewriter is None or not history:
            return question
        with root.child("rewrite", turns=len(history)) as span:
            try:
                resolved = (await off_loop(_rewrite(self._rewriter, question, history))).strip() or question
            except Exception as error:  # a follow-up as it was asked is better than no answer
                span.event("rewrite_failed", error=type(error).__name__)
                resolved = question
            span.set(resolved=resolved)
        root.event("rewritten", turns=len(history))
        return resolved

    async def _retrieved(
        self, question: str, scope: Scope, options: QueryOptions, root: SafeSpan
    ) -> tuple[Retrieval, Verdict | None]:
        """What was found, and what the gate says of it."""
        with root.child("retrieve") as span:
            k, content = options.retrieve_k, self._tracer.records_content
            retrieval = await self._retriever.retrieve(question, scope, k=k)
            verdict = self._gate.judge(retrieval) if self._gate is not None and retrieval.candidates else None
            span.set(**retrieval_attributes(retrieval, k, verdict, content=content))
        root.event("retrieved", dense=len(retrieval.dense), lexical=len(retrieval.lexical))
        return retrieval, verdict

    async def _kept(
        self, question: str, retrieval: Retrieval, options: QueryOptions, root: SafeSpan
    ) -> list[ScoredChunk]:
        candidates = [candidate.scored for candidate in retrieval.candidates]
        with root.child("rerank", candidates=len(candidates)) as span:
            kept = await self._reranked(question, candidates, options.rerank_k) if candidates else []
            kept = [scored for scored in kept if scored.score >= options.min_score]
            span.set(kept=len(kept), kept_ids=[scored.chunk.id for scored in kept])
        root.event("reranked", candidates=len(candidates), kept=len(kept))
        return kept

    async def _reranked(self, question: str, candidates: list[ScoredChunk], k: int) -> list[ScoredChunk]:
        async def rerank(reranker: Reranker) -> list[ScoredChunk]:
            return list(await reranker.rerank(question, candidates, top_k=k))

        return candidates[:k] if self._reranker is None else await off_loop(rerank(self._reranker))

    async def _prompt(
        self,
        question: str,
        scope: Scope,
        retrieval: Retrieval,
        kept: Sequence[ScoredChunk],
        options: QueryOptions,
        root: SafeSpan,
    ) -> Prompt:
        with root.child("prompt") as span:
            context = (await self.in_parents(kept, scope))[: options.context_k]
            matches = {**retrieval.sentences, **parent_sentences(context, retrieval)}
            evidence = number_evidence(question, context, matches=matches, weights=retrieval.weights)
            span.set(sources=len(evidence), context_ids=[scored.chunk.id for scored in context])
            return answer_prompt(question, evidence)

    def _content(self, span: SafeSpan, **texts: str) -> None:
        """Tell a stage's texts to a tracer that asks for them."""
        if self._tracer.records_content:
            span.set(**texts)


def _model(llm: LLMClient) -> dict[str, str]:
    """What a language model says of itself, where it does: `model` and `provider`."""
    try:
        told = {name: getattr(llm, name, None) for name in ("model", "provider")}
    except Exception:  # no answer is lost for want of a name
        return {}
    return {name: value for name, value in told.items() if isinstance(value, str)}


def _decline(question: str) -> Iterator[AnswerEvent]:
    message = not_found(question)
    yield AnswerToken(message)
    yield Usage(0, 0)
    yield AnswerComplete(message, (), Outcome.NOT_FOUND)


async def _rewrite(rewriter: QueryRewriter, question: str, history: Sequence[Turn]) -> str:
    return await rewriter.rewrite(question, history)
