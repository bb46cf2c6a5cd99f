"""Other people's parsers beside ours, each as a function from a file to its text. Run in a process of its own.

python -m benchmarks.parsing_tools TOOL FILE     prints {"seconds": ..., "text": ...} or {"error": ...}
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dalil import RawSource
from dalil.parsing import HeuristicBackend

Tool = Callable[[Path], str]


def dalil(file: Path) -> str:
    """Our reader, in this process."""
    parsed = HeuristicBackend(isolated=False).parse(RawSource(file.name, path=file))
    return "\n\n".join(page.text for page in parsed.pages)


def pdfium(file: Path) -> str:
    """PDFium's own text: what the others are measured against."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    texts = []
    for page in document:
        textpage = page.get_textpage()
        texts.append(textpage.get_text_range())
        textpage.close()
        page.close()
    document.close()
    return "\n\n".join(texts)


def pypdf(file: Path) -> str:
    import pypdf

    return "\n\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)


def pdfplumber(file: Path) -> str:
    import pdfplumber

    with pdfplumber.open(file) as document:
        return "\n\n".join(page.extract_text() for page in document.pages)


def liteparse(file: Path) -> str:
    from liteparse import LiteParse

    parser: Any = LiteParse(ocr_enabled=False, output_format="markdown")
    return str(parser.parse(str(file)).text)


def kreuzberg(file: Path) -> str:
    import kreuzberg

    return str(kreuzberg.extract_file_sync(str(file)).content)


def markitdown(file: Path) -> str:
    from markitdown import MarkItDown

    return str(MarkItDown(enable_plugins=False).convert(str(file)).text_content)


def mammoth(file: Path) -> str:
    import mammoth

    with file.open("rb") as stream:
        return str(mammoth.convert_to_markdown(stream).value)


TOOLS: dict[str, Tool] = {
    "dalil": dalil,
    "pdfium": pdfium,
    "pypdf": pypdf,
    "pdfplumber": pdfplumber,
    "liteparse": liteparse,
    "kreuzberg": kreuzberg,
    "markitdown": markitdown,
    "mammoth": mammoth,
}
PDF_ONLY = frozenset({"pdfium", "pypdf", "pdfplumber", "liteparse"})
_PACKAGES = {"pdfium": "pypdfium2"}


def installed() -> list[str]:
    """The tools that can be run here."""
    return [name for name in TOOLS if find_spec(_PACKAGES.get(name, name))]


def reads(tool: str, file: Path) -> bool:
    """Whether a tool is meant for files of this kind."""
    if tool == "mammoth":
        return file.suffix == ".docx"
    return file.suffix == ".pdf" or tool not in PDF_ONLY


def main() -> None:
    tool, file = TOOLS[sys.argv[1]], Path(sys.argv[2])
    started = time.perf_counter()
    try:
        text = tool(file)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"[:200]}))
        return
    print(json.dumps({"seconds": time.perf_counter() - started, "text": text}))


if __name__ == "__main__":
    main()
