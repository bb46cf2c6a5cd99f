"""A local system used by many at once, from odd places, and with odd things."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dalil import LoadedDocument, RAGConfig, RAGSystem
from dalil.rag.context import ContextManager
from dalil.rag.local import LocalRAGSystem
from tests.concurrency.watchdog import assert_loop_stays_free

LEASE = "The deposit of the flat is 740 dinars. It is paid back within 30 days after the keys are returned."
LEAVE = "Employees get 30 days of annual leave."
QUESTION = "How much is the deposit of the flat?"


def local(folder: Path, **settings: Any) -> LocalRAGSystem:
    return RAGSystem.local(folder, embedder="fast", **settings)


def errors_of(*works: Callable[[], object], seconds: float = 1.5) -> list[BaseException]:
    """What each work raises when all are done again and again, each in its own thread."""
    errors: list[BaseException] = []
    until = time.monotonic() + seconds

    def again_and_again(work: Callable[[], object]) -> None:
        while time.monotonic() < until:
            try:
                work()
            except BaseException as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=again_and_again, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def asking(rag: LocalRAGSystem) -> Callable[[], None]:
    def ask() -> None:
        answer = rag.answer(QUESTION)
        assert "740" in answer.text
        assert all(citation.verified for citation in answer.citations)

    return ask


# --- many at once -------------------------------------------------------------------------------------------


def test_nobody_at_work_notices_that_a_copy_is_loaded(tmp_path: Path) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEASE, doc_id="lease")
        rag.save(str(tmp_path / "saved"))

        def load() -> None:
            rag.vector_db.load(tmp_path / "saved" / "vector_db")

        def stream() -> None:
            assert "740" in asyncio.run(rag.agenerate(QUESTION))

        assert errors_of(asking(rag), asking(rag), stream, lambda: rag.add_text(LEAVE, doc_id="leave"), load) == []


def test_nobody_at_work_notices_that_the_store_is_closed(tmp_path: Path) -> None:
    with local(tmp_path) as rag:
        rag.add_text(LEASE, doc_id="lease")

        def cleanup() -> None:
            rag.cleanup()
            time.sleep(0.02)

        assert errors_of(asking(rag), asking(rag), lambda: rag.add_text(LEAVE, doc_id="leave"), cleanup) == []


def test_the_totals_are_right_whoever_wrote(tmp_path: Path) -> None:
    with local(tmp_path) as first, local(tmp_path) as second:
        first.add_text(LEASE, doc_id="lease")
        assert second.get_stats()["total_documents"] == 1
        works = [
            lambda rag=rag, name=name: (rag.add_text(LEAVE, doc_id=name), rag.remove_document(name))
            for rag in (first, second)
            for name in ("a", "b", "c")
        ]
        assert errors_of(*works) == []
        for rag in (first, second):
            assert rag.get_stats()["total_documents"] == 1
    with local(tmp_path) as again:
        assert again.get_stats()["total_chunks"] == 1


def test_totals_are_right_at_once_after_many_have_added(tmp_path: Path) -> None:
    with local(tmp_path) as rag:
        threads = [
            threading.Thread(target=rag.add_text, args=(f"{LEAVE} {number}", f"d{number}")) for number in range(24)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert rag.stats["total_documents"] == rag.stats["total_chunks"] == 24


async def test_cancelled_tasks_leave_the_system_whole(tmp_path: Path) -> None:
    async with local(tmp_path) as rag:
        await rag.aadd_documents({"lease": LEASE})

        async def streamed() -> str:
            return "".join([piece async for piece in rag.astream(QUESTION)])

        for delay in (0.0, 0.002, 0.01):
            tasks = [
                asyncio.create_task(work)
                for number in range(5)
                for work in (
                    rag.aanswer(QUESTION),
                    streamed(),
                    rag.aadd_documents({f"c{number}": f"{LEAVE} {number}"}),
                )
            ]
            await asyncio.sleep(delay)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert [error for error in results if isinstance(error, Exception)] == []
        left = rag.astream(QUESTION)
        await anext(left)
        await left.aclose()
        assert "740" in await streamed()
        assert rag.get_stats()["total_documents"] == rag.vector_db.size


async def test_the_callers_loop_stays_free(tmp_path: Path) -> None:
    async with local(tmp_path) as rag:
        rows = " ".join(f"Row {number} costs {number * 7} dinars." for number in range(100))
        await rag.aadd_documents({"lease": LEASE})
        times = iter(range(9))

        async def streamed() -> list[Any]:
            return [piece async for piece in rag.astream(QUESTION)]

        await assert_loop_stays_free(lambda: rag.aanswer(QUESTION))
        await assert_loop_stays_free(streamed)
        await assert_loop_stays_free(lambda: rag.aadd_documents({"rows": f"{rows} {next(times)}"}))


def test_a_forked_process_is_told_and_does_not_hang(tmp_path: Path) -> None:
    script = """
import os, sys
from dalil import RAGSystem

rag = RAGSystem.local(sys.argv[1], embedder="fast")
if os.fork() == 0:
    rag.add_text("The deposit of the flat is 740 dinars.", doc_id="lease")
    print(rag.ask("How much is the deposit of the flat?"), flush=True)
    os._exit(0)
os.wait()
print(rag.ask("How much is the deposit of the flat?"), flush=True)
rag.cleanup()
if os.fork() == 0:
    rag.cleanup()
    for used_before in (rag, RAGSystem.local(sys.argv[1], embedder="fast")):
        try:
            used_before.retrieve("deposit")
        except Exception as error:
            print(error, flush=True)
    os._exit(0)
os.wait()
print(rag.ask("How much is the deposit of the flat?"))
"""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    said = ["740", "740", "before this process was forked", "before this process was forked", "740"]
    assert [part in line for part, line in zip(said, run.stdout.splitlines(), strict=True)] == [True] * 5


# --- odd places -----------------------------------------------------------------------------------------------


def test_another_working_directory_is_not_another_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "note.txt").write_text(LEAVE, "utf-8")
    monkeypatch.chdir(tmp_path)
    rag = RAGSystem.local("store", embedder="fast")
    rag.add_text(LEASE, doc_id="lease")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert rag.add_files("../note.txt") == {"note.txt": 1}
    rag.cleanup()
    assert "740" in rag.ask(QUESTION)
    rag.cleanup()
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("doing", ["save", "load"])
def test_killed_while_it_copies_it_leaves_the_old_state_whole(tmp_path: Path, doing: str) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_texts({f"d{number}": f"Flat {number} costs {number * 10} dinars. " * 9 for number in range(30)})
        rag.save(str(tmp_path / "saved"))
        held = rag.vector_db.size
    child = (
        "import sys; from dalil import RAGSystem\n"
        "rag = RAGSystem.local(sys.argv[1], embedder='fast'); rag.vector_db.size; print('ready', flush=True)\n"
        "while True: getattr(rag.vector_db, sys.argv[3])(sys.argv[2])"
    )
    saved = tmp_path / "saved" / "vector_db"
    for delay in (0.01, 0.05, 0.09):
        running = subprocess.Popen(
            [sys.executable, "-c", child, str(tmp_path / "store"), str(saved), doing], stdout=subprocess.PIPE
        )
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(delay)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        running.stdout.close()
        for folder in (tmp_path / "store", saved):
            with local(folder) as rag:
                assert rag.vector_db.size == held
                assert len(rag.retrieve("What does a flat cost?", top_k=2 * held)) == held


def test_a_copy_of_another_namespace_can_be_opened(tmp_path: Path) -> None:
    with local(tmp_path / "store", namespace="team") as rag:
        rag.add_text(LEASE, doc_id="lease")
        rag.save(str(tmp_path / "saved"))
    with LocalRAGSystem.load(str(tmp_path / "saved"), namespace="team", embedder="fast") as rag:
        assert "740" in rag.ask(QUESTION)
        assert rag.stats["total_documents"] == 1


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="Windows knows no such users")
def test_a_folder_that_can_only_be_read_is_read_and_copied() -> None:
    script = """
import os, subprocess, sys, tempfile
from pathlib import Path
from dalil import RAGSystem
from dalil.rag.local import LocalRAGSystem

QUESTION = "How much is the deposit of the flat?"
top = Path(sys.argv[1])
(top / "copies").mkdir()
with RAGSystem.local(top / "disk" / "store", embedder="fast") as rag:
    rag.add_text("The deposit of the flat is 740 dinars.", doc_id="lease")
    rag.save(str(top / "disk" / "saved"))
    print(rag.ask(QUESTION))
for folder in (top, *(top / "disk").rglob("*"), top / "disk"):
    os.chmod(folder, 0o555 if folder.is_dir() else 0o444)
os.chmod(top / "copies", 0o777)
if os.geteuid() == 0:
    os.setuid(65534)
rag = RAGSystem.local(top / "disk" / "store", embedder="fast")
print(rag.ask(QUESTION))
rag.save(str(top / "copies" / "one"))
rag.cleanup()
for copy in (top / "copies" / "one", top / "disk" / "saved"):
    with LocalRAGSystem.load(str(copy)) as rag:
        print(rag.ask(QUESTION))
"""
    top = tempfile.mkdtemp(prefix="dalil-read-only-")  # pytest's own folders are closed to other users
    try:
        run = subprocess.run([sys.executable, "-c", script, top], capture_output=True, text=True, timeout=60)
        assert run.stdout.count("740") == 4, run.stderr
    finally:
        for folder, _, _ in os.walk(top):
            os.chmod(folder, 0o755)
        shutil.rmtree(top)


# --- views ------------------------------------------------------------------------------------------------------


def test_what_is_added_through_a_view_is_whole(tmp_path: Path) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEAVE, doc_id="lease", metadata={"team": "people"})
        housing = rag.where(team="housing")
        housing.add_text(LEASE, doc_id="lease")  # unseen before and after, but the same document
        assert [chunk.text for chunk, _ in rag.retrieve(QUESTION)] == [LEASE]
        assert all(citation.verified for citation in rag.answer(QUESTION).citations)
        housing.add_text(LEASE, doc_id="lease", metadata={"team": "housing"})
        assert all(citation.verified for citation in housing.answer(QUESTION).citations)
        (tmp_path / "note.txt").write_text("The garage costs 50 dinars.", "utf-8")
        assert housing.add_files(tmp_path / "note.txt") == {"note.txt": 1}
        assert housing.add_files(tmp_path / "note.txt") == {"note.txt": 1}
        assert all(citation.verified for citation in rag.answer("What does the garage cost?").citations)
        assert housing.remove_document("note.txt") == 0
        assert housing.remove_document("lease") == 1
        assert rag.get_stats()["total_documents"] == 1


def test_metadata_that_is_taken_away_is_gone(tmp_path: Path) -> None:
    with local(tmp_path) as rag:
        rag.add_text(LEASE, doc_id="lease", metadata={"team": "housing", "draft": True})
        rag.add_text(LEASE, doc_id="lease", metadata={"team": "housing"})
        assert rag.where(draft=True).retrieve(QUESTION) == []
        assert rag.where(team="housing").retrieve(QUESTION)


# --- odd things -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "metadata",
    [
        {("a", 1): 2, "team": "housing"},
        {"loop": (loop := {}, loop.update(itself=loop))[0], "team": "housing"},
        {"headings": 5, "team": "housing"},
        {"headings": "Rents", "team": "housing"},
        {"headings": None, "team": "housing"},
        {"parent": {"ordinal": 0, "spans": "none"}, "team": "housing"},
    ],
    ids=["key", "circle", "number", "heading", "none", "parent"],
)
def test_odd_metadata_of_a_foreign_chunk_spoils_nothing(tmp_path: Path, metadata: dict[Any, Any]) -> None:
    class OneChunk:
        def chunk_text(self, text: str, doc_id: str) -> list[Any]:
            return [SimpleNamespace(text=text, doc_id=doc_id, metadata=metadata)]

    with local(tmp_path, chunker=OneChunk()) as rag:
        rag.add_text(LEASE, doc_id="lease")
        assert "740" in rag.where(team="housing").answer(QUESTION).text
        context = rag.context_manager.build(QUESTION, rag.retrieve(QUESTION))
        assert str(context).startswith("[1] lease > Rents\n" if metadata.get("headings") == "Rents" else "[1] lease")


def test_chunks_that_were_found_can_be_put_into_another_index(tmp_path: Path) -> None:
    with local(tmp_path / "from") as rag, local(tmp_path / "to") as other:
        rag.add_text(LEASE, doc_id="lease")
        other.vector_db.add([chunk for chunk, _ in rag.retrieve(QUESTION)])
        answer = other.answer(QUESTION)
        assert "740" in answer.text
        assert all(citation.verified for citation in answer.citations)


@pytest.mark.parametrize("said", [None, "", 5, SimpleNamespace(content="x")], ids=["none", "empty", "number", "object"])
async def test_whatever_a_model_returns_there_is_an_answer(tmp_path: Path, said: Any) -> None:
    class Odd:
        def generate(self, prompt: str, **_: Any) -> Any:
            return said

    async with local(tmp_path, llm=Odd()) as rag:
        await rag.aadd_documents({"lease": LEASE})
        answer = await asyncio.to_thread(rag.answer, QUESTION)
        assert answer == await rag.aanswer(QUESTION)
        assert answer.text == (str(said) if said else "I couldn't find an answer to that in your documents.")


def test_a_healthy_system_says_that_it_is(tmp_path: Path) -> None:
    with local(tmp_path) as rag:
        assert rag.validate_connection()["success"]
        rag.add_text(LEASE, doc_id="lease")
        assert rag.validate_connection(QUESTION) == {
            "success": True,
            "reason": "",
            "components": {"vector_db": True, "llm": True, "chunker": True, "context_manager": True},
        }


def test_a_context_leaves_blank_chunks_out_and_reads_any_number() -> None:
    number = pytest.importorskip("numpy").float32(0.5)
    assert str(ContextManager().build(QUESTION, [("", 0.9), ("one", number), (" \n", 0.4)])) == "[1] unknown\none"
    assert ContextManager().build(QUESTION, [("", 0.9)]).evidence == ()


@pytest.mark.parametrize(
    "question",
    ["deposit " * 9000, "🏠💰", "?!...", "deposit \ud800", "de\x00posit", "{context} {0}", '"( AND *', "x" * 99_999],
)
def test_no_question_breaks_it(tmp_path: Path, question: str) -> None:
    with local(tmp_path) as rag:
        rag.add_documents([LoadedDocument(LEASE, {"team": "housing"}, "lease")])
        assert not rag.ask(question).startswith("❌")
        rag.answer(question)
        rag.where(team=question).retrieve(question)


@pytest.mark.parametrize("mode", ["heuristic", "llm", "hybrid"])
def test_citations_stand_after_reranking(tmp_path: Path, mode: Any) -> None:
    with local(tmp_path, config=RAGConfig(enable_reranking=True, rerank_mode=mode)) as rag:
        rag.add_texts({"lease": LEASE, "leave": LEAVE})
        answer = rag.answer(QUESTION)
        assert "740" in answer.text
        assert answer.grounded
        assert all(citation.verified for citation in answer.citations)
