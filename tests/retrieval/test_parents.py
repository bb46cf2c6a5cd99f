"""Children that were found become the parents they are part of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalil.chunking import FixedSizeChunker, ParentChildChunker
from dalil.fakes import FakeDocumentStore
from dalil.models import Chunk, Document, Page, ScoredChunk, SentenceMatch, Span
from dalil.retrieval import Retrieval
from dalil.retrieval.parents import parent_sentences, parents_of
from dalil.scope import Scope

from .conftest import SCOPE, chunk_of

PAGES = [
    Page(1, "# Leave\n\n" + " ".join(f"Leave rule {number} is kind." for number in range(12))),
    Page(2, " ".join(f"القاعدة {number} قديمة." for number in range(12)) + "\n\n# Tea\n\nTea is hot. 🍵"),
]
TEXTS = {page.number: page.text for page in PAGES}


async def stored(
    document: Document, pages: list[Page] = PAGES, size: int = 12
) -> tuple[FakeDocumentStore, list[Chunk]]:
    children = list(ParentChildChunker(parent_size=40).chunk(document, pages, size=size, overlap=4))
    store = FakeDocumentStore()
    await store.save(SCOPE, document, children)
    await store.save_pages(SCOPE, document.id, pages)
    return store, children


DOCUMENT = Document("d0c", "rules.md", "hash", {"team": "house"})


def scored(*chunks: Chunk) -> list[ScoredChunk]:
    return [ScoredChunk(chunk, 1.0 - position / 10) for position, chunk in enumerate(chunks)]


def ordinals(children: list[Chunk]) -> list[int]:
    return [child.metadata["parent"]["ordinal"] for child in children]


async def test_a_parent_is_exactly_what_its_spans_say():
    store, children = await stored(DOCUMENT)
    found = await parents_of(SCOPE, scored(*children), store)
    assert [parent.chunk.ordinal for parent in found] == sorted(set(ordinals(children)))
    assert len(found) > 3
    for parent in (item.chunk for item in found):
        assert parent.id == f"d0c:p{parent.ordinal}"
        assert parent.document_id == "d0c"
        assert parent.page == parent.spans[0].page
        assert parent.text == "\n".join(TEXTS[span.page][span.start : span.end] for span in parent.spans)
        assert "parent" not in parent.metadata
        assert parent.source == "rules.md"
        inside = [child for child in children if child.metadata["parent"]["ordinal"] == parent.ordinal]
        assert all(child.text in parent.text for child in inside)
        assert parent.metadata["headings"] == inside[0].metadata["headings"]


async def test_each_parent_once_in_the_place_and_with_the_score_of_its_best_child():
    store, children = await stored(DOCUMENT)
    first = [child for child in children if ordinals([child]) == [0]]
    second = [child for child in children if ordinals([child]) == [1]]
    found = await parents_of(SCOPE, scored(second[1], first[0], second[0], first[1]), store)
    assert [(item.chunk.ordinal, item.score) for item in found] == [(1, 1.0), (0, 0.9)]


async def test_chunks_without_a_parent_stay_as_they_are():
    store, children = await stored(DOCUMENT)
    alone = chunk_of("I stand alone.", document="other")
    strange = chunk_of("My metadata is my own.", document="other", ordinal=1, parent="the king")
    kept = scored(alone, children[0], strange, alone)
    found = await parents_of(SCOPE, kept, store)
    assert [item.chunk.id for item in found] == ["other:0", "d0c:p0", "other:1", "other:0"]
    assert (found[0], found[2]) == (kept[0], kept[2])


async def test_parents_of_two_documents_are_not_mixed_up():
    store, children = await stored(DOCUMENT)
    other = Document("0ther", "other.md", "hash")
    others = list(ParentChildChunker(parent_size=40).chunk(other, PAGES, size=12, overlap=4))
    await store.save(SCOPE, other, others)
    await store.save_pages(SCOPE, other.id, PAGES)
    found = await parents_of(SCOPE, scored(children[0], others[0]), store)
    assert [item.chunk.id for item in found] == ["d0c:p0", "0ther:p0"]


async def test_children_whose_parent_is_gone_stay_children():
    store, children = await stored(DOCUMENT)
    await store.delete(SCOPE, DOCUMENT.id)
    kept = scored(*children[:3])
    assert await parents_of(SCOPE, kept, store) == kept


async def test_children_of_an_older_longer_version_stay_children():
    store, children = await stored(DOCUMENT)
    await store.save_pages(SCOPE, DOCUMENT.id, [Page(1, "Short now.")])
    kept = scored(*children[:3])
    assert await parents_of(SCOPE, kept, store) == kept


async def test_an_updated_document_has_its_new_parents():
    store, _ = await stored(DOCUMENT)
    pages = [Page(1, "Everything is new. " * 6)]
    children = list(ParentChildChunker(parent_size=40).chunk(DOCUMENT, pages, size=12, overlap=0))
    await store.save(SCOPE, DOCUMENT, children)
    await store.save_pages(SCOPE, DOCUMENT.id, pages)
    found = await parents_of(SCOPE, scored(*children), store)
    assert [item.chunk.text for item in found] == [pages[0].text.strip()]


@pytest.mark.parametrize("scope", [Scope("another house"), SCOPE.with_filters(team="garden")])
async def test_no_parent_comes_from_outside_the_scope(scope: Scope):
    store, children = await stored(DOCUMENT)
    kept = scored(children[0])
    assert await parents_of(scope, kept, store) == kept


def sentences(parent: Chunk, found: list[SentenceMatch]) -> dict[str, float]:
    return {parent.text[match.start : match.end]: match.score for match in found}


async def test_sentences_that_scored_in_a_child_score_in_its_parent():
    store, children = await stored(DOCUMENT)
    (parent,) = await parents_of(SCOPE, scored(children[1]), store)
    start = children[1].text.index("Leave rule")
    end = children[1].text.index("kind.", start) + 5
    said = children[1].text[start:end]
    retrieval = Retrieval(
        "Which rule?", dense=scored(*children), sentences={children[1].id: [SentenceMatch(start, end, 0.75)]}
    )
    found = sentences(parent.chunk, parent_sentences([parent], retrieval)[parent.chunk.id])
    assert found.pop(said) == 0.75
    assert len(found) > 2
    assert set(found.values()) == {0.0}


async def test_sentences_across_pages_are_found_again():
    pages = [Page(1, "It begins here. The rule holds for everyone who works in the"), Page(2, "house. It ends here.")]
    store, children = await stored(DOCUMENT, pages, size=14)
    child = next(child for child in children if len(child.spans) == 2)
    (parent,) = await parents_of(SCOPE, scored(child), store)
    start, end = child.text.index("The rule"), child.text.index("house.") + 6
    retrieval = Retrieval("?", lexical=scored(child), sentences={child.id: [SentenceMatch(start, end, 0.5)]})
    found = sentences(parent.chunk, parent_sentences([parent], retrieval)[parent.chunk.id])
    assert found == {
        "It begins here.": 0.0,
        "The rule holds for everyone who works in the\nhouse.": 0.5,
        "It ends here.": 0.0,
    }


async def test_a_sentence_that_was_cut_scores_as_its_best_piece():
    text = "This one sentence goes on and on, over clause and clause, until it is too long for any one child."
    children = list(ParentChildChunker(FixedSizeChunker()).chunk(DOCUMENT, [Page(1, text)], size=10, overlap=0))
    parent = replace(children[0], id="d0c:p0", text=text, spans=(Span(1, 0, len(text)),), metadata={})
    matches = {
        child.id: [SentenceMatch(0, len(child.text), score)]
        for child, score in zip(children, (0.1, 0.6, 0.3), strict=True)
    }
    found = parent_sentences(scored(parent), Retrieval("?", dense=scored(*children), sentences=matches))
    assert found == {"d0c:p0": [SentenceMatch(0, len(text), 0.6)]}


async def test_without_scored_sentences_nothing_is_said_of_a_parent():
    store, children = await stored(DOCUMENT)
    parents = await parents_of(SCOPE, scored(*children), store)
    assert parent_sentences(parents, Retrieval("?", dense=scored(*children))) == {}
