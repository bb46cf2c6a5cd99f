"""A golden set, run offline against the fakes."""

from __future__ import annotations

from dalil.config import IngestionConfig
from dalil.evaluation.evaluator import Evaluator
from dalil.evaluation.goldens import GoldenSet, default_golden_set
from dalil.evaluation.report import EvalReport
from dalil.fakes import FakeEngineKit, FakeQueryRewriter
from dalil.ingestion import IngestionPipeline
from dalil.ports import Contextualizer
from dalil.query import QueryEngine
from dalil.scope import Scope

NAMESPACE = "golden"


async def run_golden_eval(
    golden: GoldenSet | None = None,
    *,
    contextualizer: Contextualizer | None = None,
    config: IngestionConfig | None = None,
) -> EvalReport:
    """Ingest a golden set (by default the small one) into a fresh FakeEngineKit, and score its questions.

    No network, no models, no files, and the same report every time. `contextualizer` and `config` are there to score
    one corpus under different ways of preparing it.
    """
    golden = default_golden_set() if golden is None else golden
    kit = FakeEngineKit() if contextualizer is None else FakeEngineKit(contextualizer=contextualizer)
    scope = Scope(NAMESPACE)
    pipeline = IngestionPipeline(
        parser=kit.parser,
        classifier=kit.classifier,
        chunker=kit.chunker,
        contextualizer=kit.contextualizer,
        embedder=kit.embedder,
        vector_store=kit.vector_store,
        lexical_store=kit.lexical_store,
        document_store=kit.document_store,
        llm=kit.llm,
        cache=kit.cache,
        tracer=kit.tracer,
    )
    ids = {}
    for source in golden.sources():
        ids[source.name] = (await pipeline.ingest(source, scope, config)).document.id
    rewriter = FakeQueryRewriter()
    engine = QueryEngine(
        embedder=kit.embedder,
        vector_store=kit.vector_store,
        lexical_store=kit.lexical_store,
        reranker=kit.reranker,
        llm=kit.llm,
        rewriter=rewriter,
        tracer=kit.tracer,
    )
    return await Evaluator(engine, scope, rewriter=rewriter).evaluate(golden.labelled(ids))
