"""Reading documents: what of them is kept, how quickly, in how much memory; other parsers beside it where installed.

python -m benchmarks.parsing [--part facts|recall|speed|throughput|memory] [--json]

The others are measured as they come: pip install "dalil[bench-parsing]". Every file of `facts` and `recall` is read in
a process of its own with a time limit. Speeds are the least of several turns in one process, as ratios to PDFium's own
text extraction of the same pages.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.data import data_folder
from benchmarks.parsing_facts import FACTS
from benchmarks.parsing_tools import TOOLS, Tool, installed, reads
from benchmarks.reporting import show
from dalil import RawSource
from dalil.parsing import HeuristicBackend

Row = dict[str, Any]
LEFT_TO_RIGHT = ("multi_page.pdf", "multi-column-2p.pdf", "picture_classification.pdf", "nics.pdf")
RIGHT_TO_LEFT = ("natural_arabic.pdf", "right_to_left_01.pdf", "BidiSample.pdf")
REFERENCES = {"BidiSample.pdf": "BidiSample.txt", "natural_arabic.pdf": "natural_arabic.p1.ref.txt"}
SECONDS = 60
TURNS = 3
_WORD = re.compile(r"\w+")
_FIRST_PAGE_ONLY = ("natural_arabic.pdf",)


def documents() -> Path:
    """The folder of real documents."""
    return data_folder() / "documents"


def text_of(tool: str, file: Path) -> tuple[str | None, str]:
    """What a tool reads of a file, and why it is None where it fails."""
    command = [sys.executable, "-m", "benchmarks.parsing_tools", tool, str(file)]
    try:
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        answer = json.loads(run.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return None, "too slow"
    except (IndexError, ValueError):
        return None, "crashed"
    return answer.get("text"), answer.get("error", "")


def facts() -> list[Row]:
    """How many of the expected facts each tool keeps, of those in files that it is meant for."""
    rows = []
    for tool in installed():
        texts: dict[str, str | None] = {}
        lost, count = [], 0
        for fact in FACTS:
            file = documents() / fact.file
            if not reads(tool, file):
                continue
            if fact.file not in texts:
                texts[fact.file] = text_of(tool, file)[0]
            count += 1
            text = texts[fact.file]
            if text is None or not fact.holds(text):
                lost.append(fact.file)
        rows.append({"tool": tool, "kept": count - len(lost), "of": count, "lost in": ", ".join(dict.fromkeys(lost))})
    return rows


def recall() -> list[Row]:
    """Word recall and precision against references typed from the page."""
    with TemporaryDirectory() as folder:
        return [
            {"file": name, "tool": tool, **_agreement(text, (documents() / reference).read_text("utf-8"))}
            for name, reference in REFERENCES.items()
            for tool in installed()
            if reads(tool, documents() / name)
            for text in [text_of(tool, _measured_pages(documents() / name, Path(folder)))[0] or ""]
        ]


def _measured_pages(file: Path, folder: Path) -> Path:
    """The file, or its first page alone where only that has a reference."""
    if file.name not in _FIRST_PAGE_ONLY:
        return file
    import pypdfium2

    target = folder / file.name
    if not target.exists():
        with pypdfium2.PdfDocument(file) as source, pypdfium2.PdfDocument.new() as first:
            first.import_pages(source, [0])
            first.save(target)
    return target


def _agreement(found: str, expected: str) -> Row:
    mine, theirs = _words(found), _words(expected)
    shared = sum((mine & theirs).values())
    return {"recall": round(shared / theirs.total(), 3), "precision": round(shared / max(1, mine.total()), 3)}


def _words(text: str) -> Counter[str]:
    folded = unicodedata.normalize("NFKC", text).replace("\u0640", "")
    return Counter(_WORD.findall("".join(char for char in folded if unicodedata.category(char) != "Mn")))


def speed() -> list[Row]:
    """Milliseconds a page, as ratios to PDFium's text in the same run."""
    rows = []
    reports = [file.name for file in sorted((data_folder() / "sec-10q-pdf" / "pdfs").iterdir())[:2]]
    for name, files in (("left to right", (*LEFT_TO_RIGHT, *reports)), ("right to left", RIGHT_TO_LEFT)):
        paths = [_find(file) for file in files]
        pages = sum(_page_count(path) for path in paths)
        tools = [tool for tool in installed() if reads(tool, Path("a.pdf")) and tool != "markitdown"]
        least: dict[str, float] = {}
        for _ in range(TURNS):
            for tool in tools:
                if tool in least and least[tool] > 20:
                    continue
                seconds = _seconds(TOOLS[tool], paths)
                least[tool] = min(seconds, least.get(tool, seconds))
        rows += [
            {
                "pages": name,
                "tool": tool,
                "ms a page": round(1000 * seconds / pages, 1),
                "ratio": round(seconds / least["pdfium"], 1),
            }
            for tool, seconds in least.items()
        ]
    return rows


def _find(name: str) -> Path:
    own = documents() / name
    return own if own.exists() else data_folder() / "sec-10q-pdf" / "pdfs" / name


def _page_count(path: Path) -> int:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return len(document)


def _seconds(tool: Tool, paths: Sequence[Path]) -> float:
    started = time.perf_counter()
    for path in paths:
        tool(path)
    return time.perf_counter() - started


def throughput() -> list[Row]:
    """Pages a second over the quarterly reports, two at a time, as an ingest reads them."""
    files = sorted((data_folder() / "sec-10q-pdf" / "pdfs").iterdir())
    backend = HeuristicBackend()

    def pages_of(file: Path) -> int:
        return sum(1 for _ in backend.parse(RawSource(file.name, path=file)).pages)

    started = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        pages = sum(pool.map(pages_of, files))
    seconds = time.perf_counter() - started
    return [{"documents": len(files), "pages": pages, "pages a second": round(pages / seconds, 1)}]


def memory() -> list[Row]:
    """The peak memory of this process and its workers for a document of 200 pages, and for one of 2,000."""
    rows: list[Row] = []
    for pages in (200, 2000):
        code = f"from benchmarks.parsing import peak; print(peak({pages}))"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
        rows.append({"pages": pages, "peak MB": round(float(run.stdout.split()[-1]), 1)})
    rows.append({"growth": round(rows[1]["peak MB"] / rows[0]["peak MB"], 3)})
    return rows


def peak(pages: int) -> float:
    """Megabytes at the peak of reading a made document, in this process and the ones under it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "long.pdf"
        subprocess.run(
            [sys.executable, "-c", f"from benchmarks.parsing import make_long; make_long({pages}, {str(file)!r})"],
            check=True,
        )
        backend = HeuristicBackend()
        characters = sum(len(page.text) for page in backend.parse(RawSource("long.pdf", path=file)).pages)
        assert characters > 1000 * pages
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        return sum(_peak_of(pid) for pid in ("self", *children))


def _peak_of(pid: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def make_long(pages: int, target: str) -> None:
    """A PDF of many pages of made-up text."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for number in range(1, pages + 1):
        canvas.drawString(72, 800, f"Section {number}")
        for line in range(45):
            canvas.drawString(
                72, 770 - 16 * line, f"Line {line} of page {number} says that {number * line} is a number."
            )
        canvas.showPage()
    canvas.save()
    Path(target).write_bytes(buffer.getvalue())


PARTS = {"facts": facts, "recall": recall, "speed": speed, "throughput": throughput, "memory": memory}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--part", choices=PARTS)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    for name, part in PARTS.items():
        if given.part in (None, name):
            if not given.json:
                print(f"\n{name}")
            show(part(), as_json=given.json)


if __name__ == "__main__":
    main()
