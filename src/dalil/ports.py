"""The seams of the engine: what every adapter offers, as Protocols.

The first group is the contract. The second group is optional: an adapter may offer it, the engine finds it by
`isinstance` and does without it otherwise. Everything here is runtime-checkable.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Protocol, TypeVar, runtime_checkable

from dalil.models import (
    Chunk,
    Document,
    DocumentRecord,
    EmbeddedChunk,
    EmbeddedSentences,
    LexicalSignals,
    Page,
    PageImage,
    PageRoute,
    ParsedDocument,
    RawSource,
    RecognizedText,
    ScoredChunk,
    SentenceMatch,
    StoredVectors,
    Turn,
    Vector,
)
from dalil.scope import Scope

Result = TypeVar("Result")

# --- reading and cutting (synchronous) ---------------------------------------------------------------------


@runtime_checkable
class DocumentParser(Protocol):
    """Bytes to pages."""

    def parse(self, source: RawSource) -> ParsedDocument: ...


@runtime_checkable
class PageClassifier(Protocol):
    """Decides how one page is read."""

    def classify(self, page: Page) -> PageRoute: ...


@runtime_checkable
class TextRecognizer(Protocol):
    """Reads pictures of pages without a language model (OCR); `at_once` of them at a time are welcome."""

    at_once: int

    def recognize(self, image: PageImage) -> RecognizedText: ...


@runtime_checkable
class Chunker(Protocol):
    """Pages to chunks of about `size` estimated tokens, `overlap` of them shared by neighbours."""

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]: ...


# --- models (asynchronous) -----------------------------------------------------------------------------------


@runtime_checkable
class Contextualizer(Protocol):
    """Gives the text under which a chunk is embedded and indexed; the chunk's own text stays as it is."""

    async def contextualize(self, document: Document, chunk: Chunk, *, full_text: str) -> str: ...


@runtime_checkable
class Embedder(Protocol):
    """Texts to vectors, one each, in order."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]: ...


@runtime_checkable
class Reranker(Protocol):
    """Orders candidates anew and keeps the best `top_k`."""

    async def rerank(self, query: str, candidates: Sequence[ScoredChunk], *, top_k: int) -> Sequence[ScoredChunk]: ...


@runtime_checkable
class LLMClient(Protocol):
    """A language model: text from a prompt, in fragments; text from a picture of a page."""

    def generate(self, prompt: str) -> AsyncIterator[str]: ...

    async def transcribe(self, image: PageImage) -> str: ...


@runtime_checkable
class QueryRewriter(Protocol):
    """Makes a follow-up question stand on its own."""

    async def rewrite(self, question: str, history: Sequence[Turn]) -> str: ...


# --- stores (asynchronous) -----------------------------------------------------------------------------------


@runtime_checkable
class VectorStore(Protocol):
    """Chunks by meaning. Scores are cosines."""

    async def upsert(self, scope: Scope, records: Sequence[EmbeddedChunk]) -> None: ...

    async def search(self, scope: Scope, query_vector: Vector, *, k: int) -> Sequence[ScoredChunk]: ...

    async def delete(self, scope: Scope, document_id: str) -> None: ...


@runtime_checkable
class LexicalStore(Protocol):
    """Chunks by words. Scores are BM25 over the statistics of the scope's namespace."""

    async def index(self, scope: Scope, chunks: Sequence[Chunk]) -> None: ...

    async def search(self, scope: Scope, query: str, *, k: int) -> Sequence[ScoredChunk]: ...

    async def delete(self, scope: Scope, document_id: str) -> None: ...


@runtime_checkable
class DocumentStore(Protocol):
    """Documents and their chunks. `save` replaces; `delete` of what is not there does nothing."""

    async def save(self, scope: Scope, document: Document, chunks: Sequence[Chunk]) -> None: ...

    async def find_by_hash(self, scope: Scope, content_hash: str) -> Document | None: ...

    async def get(self, scope: Scope, document_id: str) -> Document | None: ...

    async def list(self, scope: Scope) -> Sequence[Document]: ...

    async def delete(self, scope: Scope, document_id: str) -> None: ...


@runtime_checkable
class Cache(Protocol):
    """Anything by key. A cache that fails is a slow path, never an error."""

    async def get(self, key: str) -> Any | None: ...

    async def set(self, key: str, value: Any) -> None: ...


# --- tracing (synchronous; neither may raise) ----------------------------------------------------------------


@runtime_checkable
class Span(Protocol):
    """One stage of a run; children inherit its tenant."""

    def set(self, **attributes: Any) -> None: ...

    def child(self, name: str, **attributes: Any) -> Span: ...

    def __enter__(self) -> Span: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


@runtime_checkable
class Tracer(Protocol):
    """Point events and spans."""

    def event(self, name: str, **fields: Any) -> None: ...

    def span(self, name: str, **attributes: Any) -> Span: ...


# --- optional: what an embedder may offer ------------------------------------------------------------------


@runtime_checkable
class QueryEmbedder(Protocol):
    """An embedder that treats questions differently from passages."""

    async def embed_query(self, text: str) -> Vector: ...


@runtime_checkable
class SentenceEmbedder(Protocol):
    """An embedder with a second space for sentences: questions and sentences alike."""

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]: ...


@runtime_checkable
class Identified(Protocol):
    """An embedder that says who it is: provider, model, revision, dimension, normalisation, prefixes."""

    @property
    def identity(self) -> str: ...


# --- optional: what a store may offer ------------------------------------------------------------------------


@runtime_checkable
class VectorScorer(Protocol):
    """Exact cosines of chunks that another channel found. Ids that are not in scope are left out."""

    async def similarities(
        self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]
    ) -> Mapping[str, float]: ...


@runtime_checkable
class LexicalScorer(Protocol):
    """Exact word signals of chunks that another channel found."""

    async def lexical_signals(
        self, scope: Scope, query: str, chunk_ids: Sequence[str]
    ) -> Mapping[str, LexicalSignals]: ...


@runtime_checkable
class TermWeights(Protocol):
    """How much each search token of a query tells apart, by the namespace's own statistics (idf)."""

    async def term_weights(self, scope: Scope, query: str) -> Mapping[str, float]: ...


@runtime_checkable
class SentenceStore(Protocol):
    """Sentence vectors by chunk; they go when their chunk's document goes."""

    async def save_sentences(self, scope: Scope, sentences: Sequence[EmbeddedSentences]) -> None: ...

    async def match_sentences(
        self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]
    ) -> Mapping[str, Sequence[SentenceMatch]]: ...


@runtime_checkable
class PageStore(Protocol):
    """The text of every page, once."""

    async def save_pages(self, scope: Scope, document_id: str, pages: Sequence[Page]) -> None: ...

    async def page_text(self, scope: Scope, document_id: str, number: int) -> str | None: ...

    async def pages(self, scope: Scope, document_id: str) -> Sequence[Page]: ...


@runtime_checkable
class PageLookup(Protocol):
    """One page with all that is kept of it: text, label, layout, reason, confidence and geometry, but no image."""

    async def page(self, scope: Scope, document_id: str, number: int) -> Page | None: ...


@runtime_checkable
class VectorReuse(Protocol):
    """Vectors already stored in the namespace, by `embed_text`, so that no text is embedded twice."""

    async def stored_vectors(self, scope: Scope, embed_texts: Sequence[str]) -> Mapping[str, StoredVectors]: ...


@runtime_checkable
class DocumentRecords(Protocol):
    """Documents with their pages, chunks, time of adding and warnings."""

    async def save_warnings(self, scope: Scope, document_id: str, warnings: Sequence[str]) -> None: ...

    async def record(self, scope: Scope, document_id: str) -> DocumentRecord | None: ...

    async def records(self, scope: Scope) -> Sequence[DocumentRecord]: ...


@runtime_checkable
class Purge(Protocol):
    """Removes everything that the scope's namespace holds (its filters are not consulted)."""

    async def purge(self, scope: Scope) -> None: ...


# --- the database behind the stores --------------------------------------------------------------------------


@runtime_checkable
class Database(Protocol):
    """Gives sessions. The stores made from one session share its transaction: all of it happens, or none.

    A read-only session sees one unchanging state of the store; a writing session waits its turn.
    """

    def session(self, scope: Scope, *, read_only: bool = False) -> AbstractAsyncContextManager[Any]: ...

    async def migrate(self) -> None: ...

    async def dispose(self) -> None: ...


@runtime_checkable
class Described(Protocol):
    """A database that notes whose vectors it holds, and refuses those of another one named in `embedder`.

    `meta()["embedder"]` is the identity that its vectors came with; `meta()` is empty for a new database.
    `namespaces()` tells the name, documents and chunks of each namespace that holds any. `label` says where it is,
    without secrets, `schema` which version its tables have.
    """

    embedder: str | None

    @property
    def label(self) -> str: ...

    @property
    def schema(self) -> int: ...

    async def meta(self) -> Mapping[str, str]: ...

    async def namespaces(self) -> Sequence[tuple[str, int, int]]: ...


@runtime_checkable
class Dimensioned(Protocol):
    """A database whose tables are made for vectors of one width; it may be set until they are made."""

    dimension: int


@runtime_checkable
class Transacting(Protocol):
    """A database that runs a whole unit of work in one thread, where every store call would be a hand-off."""

    async def transact(
        self, scope: Scope, work: Callable[[Any], Coroutine[Any, Any, Result]], *, read_only: bool = False
    ) -> Result: ...
