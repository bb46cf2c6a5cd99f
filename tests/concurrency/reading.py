"""What readers check while writers write: every document they see is whole, and of one version."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from crash.documents import chunks_of, id_of, mark_of, name_of, scope_of, text_of, vector_of
from dalil.sage import RagSage, StoreKit

_MARK = re.compile(r"d(\d+)v(\d+)")
_STORES = StoreKit.sqlite()


def number_of(source: str) -> int:
    return int(source.partition(".")[0])


def is_whole(number: int, version: int, pages: list[str], chunks: list[str]) -> bool:
    return "\f".join(pages) == text_of(number, version) and sorted(chunks) == sorted(
        chunk.text for chunk in chunks_of(number, version)
    )


async def read_one_session(sage: RagSage, number: int) -> list[str]:
    """What is torn when one session looks at one document in every way there is."""
    scope, torn = scope_of(number), []
    async with sage.database.session(scope, read_only=True) as session:
        documents, words, vectors = _open(session)
        record = await documents.record(scope, id_of(number))
        if record is None:
            return [f"{name_of(number)} was not there for a moment"]
        version = record.document.metadata["version"]
        expected = chunks_of(number, version)
        pages = [page.text for page in await documents.pages(scope, id_of(number))]
        by_words = await words.search(scope, mark_of(number, version), k=len(expected) + 5)
        if not is_whole(number, version, pages, [scored.chunk.text for scored in by_words]):
            torn.append(f"{name_of(number)}: the record says {version}, pages or words say otherwise")
        if (record.pages, record.chunks) != (len(pages), len(expected)):
            torn.append(f"{name_of(number)}: the record counts {record.pages} pages and {record.chunks} chunks")
        for chunk in (expected[0], expected[-1]):
            best = await vectors.search(scope, vector_of(chunk.text), k=1)
            if [scored.chunk.text for scored in best] != [chunk.text]:
                torn.append(f"{name_of(number)}: the record says {version}, its vectors say otherwise")
        matches = await vectors.match_sentences(scope, vector_of("anything", 16), [chunk.id for chunk in expected])
        if len(matches) != len(expected) or not all(matches.values()):
            torn.append(f"{name_of(number)}: {len(matches)} of {len(expected)} chunks have sentences")
        again = await documents.record(scope, id_of(number))
        if again != record:
            torn.append(f"{name_of(number)} changed within one session")
    return torn


async def read_by_calls(sage: RagSage, number: int) -> list[str]:
    """What is torn in the answer of any one call of RagSage, each of which is a session of its own."""
    scope, torn = scope_of(number), []
    pages = "\f".join(page.text for page in await sage.pages(scope, id_of(number)))
    mark = _MARK.search(pages)
    if mark is None or pages != text_of(number, int(mark[2])):
        torn.append(f"{name_of(number)} has pages of no version: {pages[:80]!r}")
    for record in await sage.records(scope):
        other, version = number_of(record.document.source), record.document.metadata["version"]
        expected = (text_of(other, version).count("\f") + 1, len(chunks_of(other, version)))
        if (record.pages, record.chunks) != expected:
            torn.append(f"{record.document.source}: {record.pages} pages, {record.chunks} chunks, not {expected}")
    if mark is not None:
        # "hybrid" ranks by vectors and words; "words" by words alone. Neither may show a chunk of no version.
        question = chunks_of(number, int(mark[2]))[0].text
        for mode in ("hybrid", "words"):
            for scored in await sage.search(question, scope, k=5, mode=mode):  # type: ignore[arg-type]
                torn += _strange(scored.chunk)
    return torn


def _strange(chunk: Any) -> list[str]:
    marks = set(_MARK.findall(chunk.text))
    if len(marks) == 1:
        number, version = map(int, marks.pop())
        expected = chunks_of(number, version)
        if chunk.ordinal < len(expected) and chunk.text == expected[chunk.ordinal].text:
            return []
    return [f"a search shows a chunk of no version: {chunk.text[:80]!r}"]


async def read_at_random(sage: RagSage, random: Random, numbers: list[int]) -> list[str]:
    number = random.choice(numbers)
    torn = await read_one_session(sage, number)
    return torn + await read_by_calls(sage, number) if random.random() < 0.3 else torn


def _open(session: Any) -> tuple[Any, Any, Any]:
    return _STORES.document_store(session), _STORES.lexical_store(session), _STORES.vector_store(session)
