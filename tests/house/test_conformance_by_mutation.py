"""Where the program no longer does what is stated, a test named beside the statement fails.

Each mutation makes one statement of docs/conformance.md false in a copy of the project, and runs the tests of its row.
"""

from __future__ import annotations

import compileall
import os
import py_compile
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.test_conformance import ROOT, rows

pytestmark = pytest.mark.slow


class Mutation(NamedTuple):
    """`old`, which stands once in `file` (below src/dalil), becomes `new`; so the one `statement` that begins so
    (in docs/conformance.md) is false."""

    statement: str
    file: str
    old: str
    new: str


MUTATIONS = [
    # Errors
    Mutation("RAGRetrievalError has query", "errors.py", "self.operation = operation", 'self.operation = "save"'),
    Mutation("All errors stand", "errors.py", "class ChunkingError(DocumentError)", "class ChunkingError(DalilError)"),
    # RAGConfig and BaseRAGSystem
    Mutation("RAGConfig has the documented fields", "rag/config.py", "overlap: int = 128", "overlap: int = 64"),
    Mutation("The rerank weights may be off", "rag/config.py", "0.01 + 1e-9", "0.02"),
    Mutation("validate refuses", "rag/config.py", "0 <= self.overlap < self", "0 <= self.overlap <= self"),
    Mutation("reset_stats zeroes", "rag/base.py", "dict.fromkeys(QUERY_COUNTERS, 0)", "dict.fromkeys(COUNTERS, 0)"),
    Mutation(
        "aadd_documents, aretrieve and agenerate of the base",
        "rag/base.py",
        "await asyncio.to_thread(self.retrieve, query, top_k)",
        "self.retrieve(query, top_k)",
    ),
    Mutation(
        "The base is a synchronous context manager",
        "rag/base.py",
        "self.cleanup()\n        return False",
        "self.cleanup()\n        return True",
    ),
    # LoadedDocument
    Mutation(
        "Two documents never share", "rag/documents.py", "default_factory=dict", "default_factory=lambda one={}: one"
    ),
    Mutation("A doc_id that is false", "rag/documents.py", "content_hash[:8]", "content_hash[:7]"),
    Mutation(
        "Further: other content never has",
        "rag/documents.py",
        "(owner is None or self._owners[prefix, second] != owner)",
        "owner is None",
    ),
    Mutation("The repr of a document", "rag/documents.py", '.replace("\\n", " ")', ""),
    # Construction
    Mutation(
        "A component is missing when",
        "rag/components.py",
        "if components.get(name) is None",
        "if not components.get(name)",
    ),
    Mutation("All missing components", "rag/components.py", "{', '.join(missing)}", "{missing[0]}"),
    Mutation("The config is validated first", "rag/base.py", "self.config.validate()", "pass"),
    Mutation("There is no router beside", "rag/stages.py", "routing = prompt is None and self", "routing = self"),
    Mutation("A cache_ttl of 0", "rag/stages.py", "config.cache_ttl > 0", "config.cache_ttl >= 0"),
    Mutation("The reranker takes", "rag/stages.py", "=config.rerank_length_weight", "=config.rerank_diversity_weight"),
    # Adding
    Mutation("A blank document is warned about", "rag/ingesting.py", " or not str(document.page_content).strip()", ""),
    Mutation(
        "The chunker's chunk_text is called",
        "rag/components.py",
        '"chunk_text" if hasattr(chunker, "chunk_text") else "chunk"',
        '"chunk" if hasattr(chunker, "chunk") else "chunk_text"',
    ),
    Mutation(
        "A chunker that raises",
        "rag/ingesting.py",
        'logger.error("Document %s could not be chunked: %s", document.doc_id, error)',
        "raise",
    ),
    Mutation("total_documents counts", "rag/stages.py", "sum(map(bool, counts.values()))", "len(counts)"),
    Mutation("What vector_db.add raises", "rag/stages.py", "chunks, error)\n            raise\n", "chunks, error)\n"),
    Mutation(
        "Adding any document empties",
        "rag/stages.py",
        "finally:\n            self.invalidate_cache()",
        "finally:\n            pass",
    ),
    Mutation(
        "Removing a document leaves",
        "rag/system.py",
        "finally:\n            self.invalidate_cache()",
        "finally:\n            pass",
    ),
    Mutation(
        "No counter falls below 0",
        "rag/base.py",
        "max(0, self.stats.get(name, 0) + change)",
        "self.stats[name] + change",
    ),
    # Retrieving
    Mutation(
        "top_k None means",
        "rag/system.py",
        "k = self.config.top_k if top_k is None else top_k\n        with self._retrieving(query):\n            cache",
        "k = top_k or 5\n        with self._retrieving(query):\n            cache",
    ),
    Mutation("Results of a single variant", "rag/stages.py", "found[0] if len(found) == 1 else merge", "merge"),
    Mutation(
        "Empty results are not reranked",
        "rag/stages.py",
        "self.reranker is not None and results:",
        "self.reranker is not None:",
    ),
    Mutation("Empty results are not cached", "rag/system.py", "cache is not None and results:", "cache is not None:"),
    Mutation(
        "A failure of expansion, search",
        "rag/stages.py",
        "type(error).__name__) from error",
        "type(error).__name__) from None",
    ),
    Mutation("Further: a retrieval that began", "rag/system.py", "results, epoch=epoch)", "results)"),
    Mutation("Logs hold at most 60", "rag/stages.py", '"Answered: %s", query[:60]', '"Answered: %s", query'),
    # Generating and prompts
    Mutation(
        "Without chunks the answer is", "rag/stages.py", '"No relevant information found."', '"Nothing was found."'
    ),
    Mutation("Example: answer, empty line", "rag/stages.py", "{answer}\\n\\n{sources}", "{answer}\\n{sources}"),
    Mutation("generate shows at most three", "rag/stages.py", "max_sources=3)\n", "max_sources=4)\n"),
    Mutation(
        "A RAGRetrievalError is answered",
        "rag/stages.py",
        "SEARCH_FAILED if isinstance(error, RAGRetrievalError) else ",
        "",
    ),
    Mutation(
        "Any other failure is answered", "rag/stages.py", "There was an error: {error}", "There was an error: {error!r}"
    ),
    Mutation("ask forwards everything", "rag/system.py", "language=language, **llm_kwargs)", "language=language)"),
    Mutation("prompt_language is", "rag/stages.py", "language or self.config.prompt_language", "language"),
    Mutation(
        "On KeyError or TypeError",
        "rag/prompting.py",
        "except (KeyError, TypeError) as error",
        "except KeyError as error",
    ),
    Mutation(
        "format comes before calling",
        "rag/prompting.py",
        'if hasattr(template, "format"):',
        'if hasattr(template, "format") and not callable(template):',
    ),
    Mutation("_detect_language_simple gives", "rag/prompting.py", r"[\u0600-\u06ff]", r"[\u0620-\u06ff]"),
    # Sources, saving, cleaning up
    Mutation("Each document has a line", "rag/sources.py", "{score:.2f}", "{score:.1f}"),
    Mutation("A source with neither", "rag/sources.py", '= "unknown"', '= "unnamed"'),
    Mutation("load of a missing path", "rag/system.py", "if not directory.exists():", "if False:"),
    Mutation("load restores the counters", "rag/system.py", "system.stats.update(stats)", "pass"),
    Mutation("save writes the counters", "rag/persistence.py", "indent=2, ", ""),
    Mutation(
        "A cleanup that fails",
        "rag/components.py",
        "_failure_of(partial(call, component.cleanup))",
        "call(component.cleanup)",
    ),
    # Asynchronous methods and streaming
    Mutation("At most ingest_batch_size", "rag/ingesting.py", "max(1, at_most)", "max(1, at_most) + 1"),
    Mutation(
        "vector_db.aadd is awaited",
        "rag/system.py",
        'acall(self.vector_db, ("aadd", "add"), chunks)',
        'acall(self.vector_db, ("add",), chunks)',
    ),
    Mutation(
        "aretrieve neither asks nor fills",
        "rag/system.py",
        "variants = await asyncio.to_thread(self._variants, query)",
        "return await asyncio.to_thread(self.retrieve, query, top_k)",
    ),
    Mutation(
        "llm.generate_async is awaited",
        "rag/system.py",
        '("generate_async", "generate"), prompt, **llm_kwargs)\n            answer = without',
        '("generate",), prompt, **llm_kwargs)\n            answer = without',
    ),
    Mutation(
        "Pieces of an asynchronous generator",
        "rag/streaming.py",
        "result:\n                yield piece",
        "result:\n                yield str(piece)",
    ),
    Mutation("Between two words or items", "rag/streaming.py", "await asyncio.sleep(0)", "pass"),
    Mutation("A stream read to its end", "rag/system.py", 'self._answered(query, "", [])', "pass"),
    # Chunks, merging, cache
    Mutation("A chunk's text is", "rag/chunk_access.py", '"text", "content"', '"content", "text"'),
    Mutation("Chunks are told apart", "rag/chunk_access.py", '"chunk_id", "id"', '"id", "chunk_id"'),
    Mutation(
        "Each chunk keeps its highest", "rag/merging.py", " or by_score((chunk, score)) < by_score(best[key])", ""
    ),
    Mutation("Merged results come by", "rag/merging.py", "sorted(best.values(), key=by_score)", "list(best.values())"),
    Mutation("A question is trimmed", "rag/caching.py", '" ".join(query.lower().split())', "query.lower().strip()"),
    Mutation(
        "The least recently used", "rag/caching.py", "self._entries.move_to_end(key)\n                self", "self"
    ),
    Mutation("An entry lives for ttl", "rag/caching.py", " and time.monotonic() < entry[0]", ""),
    Mutation("clear forgets everything", "rag/caching.py", "self._hits = self._misses = 0", "pass"),
    Mutation("Changing a list that was stored", "rag/caching.py", "tuple(results)", "results"),
    # Reranker
    Mutation(
        "HEURISTIC scores by",
        "rag/reranking.py",
        "self.original_score_weight + self.llm_score_weight",
        "self.original_score_weight",
    ),
    Mutation("The length bonus", "rag/reranking.py", "max(0.0, 2 - words / most)", "0.0"),
    Mutation("A document not seen before", "rag/reranking.py", "seen.add(document)", "pass"),
    Mutation("Of twins the higher-scored", "rag/reranking.py", "sorted(chunks, key=by_score))", "list(chunks))"),
    Mutation("effective_weights gives", "rag/reranking.py", 'weights["diversity"] = 0.0', "pass"),
    Mutation("The LLM's score is", "rag/llm_scores.py", "float(number.group()) / 10", "float(number.group()) / 9"),
    Mutation("The LLM sees the first 150", "rag/llm_scores.py", "WORDS_SHOWN = 150", "WORDS_SHOWN = 151"),
    Mutation("Six calls of the LLM", "rag/llm_scores.py", "CALLS_AT_ONCE = 6", "CALLS_AT_ONCE = 7"),
    # PromptRouter
    Mutation("detect_language gives", "rag/routing.py", "_ARABIC_ABOVE = 0.25", "_ARABIC_ABOVE = 0.3"),
    Mutation(
        "detect_question_type keeps", "rag/routing.py", "return type_of(query, _known(language))", "_known(language)"
    ),
    Mutation("include_few_shot=False leaves", "rag/routing.py", "if self.include_few_shot:", "if True:"),
    Mutation(
        "Where several types match",
        "rag/question_types.py",
        "in _PATTERNS[language].items()",
        "in reversed(_PATTERNS[language].items())",
    ),
    Mutation("A question type that is given", "rag/routing.py", "QuestionType(question_type)", "QuestionType.GENERAL"),
    # Versions
    Mutation("delete takes", "rag/versions.py", "self._remove(doc_id)\n            del", "del"),
    Mutation("rollback appends", "rag/versions.py", "text, target.metadata)", "text, {})"),
    Mutation(
        "change_ratio is 1",
        "rag/version_records.py",
        "max(len(new.chunk_hashes), len(old_hashes))",
        "len(new.chunk_hashes)",
    ),
    Mutation("A DocVersion holds", "rag/version_records.py", "PREVIEW_LENGTH = 200", "PREVIEW_LENGTH = 201"),
    Mutation("Pieces have 512 characters", "rag/versions.py", "chunk_overlap: int = 128", "chunk_overlap: int = 127"),
    Mutation(
        "Unchanged content is neither",
        "rag/versions.py",
        "if latest is None or latest.content_hash != hash_of(text):",
        "if True:",
    ),
    Mutation(
        "Changed content replaces",
        "rag/versions.py",
        "self._save()\n            self._remove(doc_id)\n",
        "self._save()\n",
    ),
    Mutation("rollback to an unknown version", "rag/versions.py", "raise KeyError", "raise ValueError"),
    Mutation("With persist_path histories", "rag/versions.py", "write_histories(self._path, self._histories)", "pass"),
    # QueryExpander and its table
    Mutation(
        "It adds nothing that the LLM said", "rag/expansion.py", "query.strip().casefold(), query", "query, query"
    ),
    Mutation("use_llm is False without", "rag/expansion.py", "use_llm and llm is not None", "use_llm"),
    Mutation(
        "max_variants does not count", "rag/expansion.py", "max(self.max_variants, 0) + 1", "max(self.max_variants, 0)"
    ),
    Mutation("_detect_language of expansion", "rag/expansion.py", "ARABIC_ABOVE = 0.30", "ARABIC_ABOVE = 0.35"),
    Mutation("The LLM is asked with", "rag/expansion.py", "max_tokens=300", "max_tokens=256"),
    Mutation("_parse_llm_variants drops", "rag/expansion.py", '_BULLET.sub("", line.strip())', "line.strip()"),
    Mutation("What the LLM raises becomes", "rag/expansion.py", "(str(exc)) from exc", "(str(exc)) from None"),
    Mutation(
        "1,024 queries are remembered",
        "rag/expansion.py",
        "@lru_cache(maxsize=1024)\ndef _build_synonym",
        "def _build_synonym",
    ),
    Mutation("The first keyword is", "text/synonyms.py", "key=lambda hit: hit[:2]", "key=lambda hit: hit[1:2]"),
]


def beside(statement: str) -> list[str]:
    """The tests of the one row that begins so."""
    (tests,) = [tests for row, tests in rows() if row.startswith(statement)]
    return tests


def environment(copy: Path) -> dict[str, str]:
    """One in which the copy is imported. No bytecode is written, which could outlive a mutation."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    return kept | {"PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}


def run(copy: Path, tests: Iterable[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=short", *tests]
    return subprocess.run(
        command, cwd=copy, env=environment(copy), capture_output=True, encoding="utf-8", check=False, timeout=170
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program and its tests, as far as they are needed here."""
    folder = tmp_path_factory.mktemp("copy")
    for part in ("src", "tests/rag", "tests/text"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    # By content, not by time and size: a mutation made within the second is compiled anew.
    checked = py_compile.PycInvalidationMode.CHECKED_HASH
    assert compileall.compile_dir(folder / "src", quiet=1, invalidation_mode=checked)
    return folder


def test_the_copy_is_what_is_imported(copy: Path) -> None:
    where = [sys.executable, "-c", "import dalil.rag.system as system; print(system.__file__)"]
    shown = subprocess.run(where, cwd=copy, env=environment(copy), capture_output=True, encoding="utf-8", check=True)
    assert Path(shown.stdout.strip()) == copy / "src" / "dalil" / "rag" / "system.py"


def test_the_named_tests_pass_as_long_as_nothing_is_changed(copy: Path) -> None:
    done = run(copy, sorted({test for mutation in MUTATIONS for test in beside(mutation.statement)}))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.statement for mutation in MUTATIONS])
def test_a_test_fails_where_the_statement_is_false(copy: Path, mutation: Mutation) -> None:
    file = copy / "src" / "dalil" / mutation.file
    text = file.read_text("utf-8")
    assert text.count(mutation.old) == 1
    file.write_text(text.replace(mutation.old, mutation.new), "utf-8")
    try:
        done = run(copy, beside(mutation.statement))
    finally:
        file.write_text(text, "utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"^FAILED tests/", done.stdout, re.MULTILINE), done.stdout
    assert not re.search(r"^ERROR tests/", done.stdout, re.MULTILINE), done.stdout
