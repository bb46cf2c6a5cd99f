"""The shortest useful program: read the example documents, ask one question in each language.

    python examples/quickstart.py

The store lies in a temporary folder and is gone afterwards. To keep one, give `RagSage.open` a path of your
own.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from dalil import RagSage, RawSource, Scope

DOCUMENTS = Path(__file__).resolve().parent / "documents"
NAMES = ("employee-handbook.md", "دليل-الموظف.md", "product-faq.html", "safety-guide.pdf")
QUESTIONS = (
    "How many days of annual leave do I get after the first year?",
    "كم مدة إجازة الحج؟",
)


async def run(location: Path) -> None:
    """Reads the documents into a store at `location`, then asks the questions."""
    scope = Scope("default")
    sources = [RawSource(name=name, path=DOCUMENTS / name) for name in NAMES]

    async with RagSage.open(location) as sage:
        async for result in sage.ingest_many(sources, scope):
            if result.error is not None:
                print(f"{result.status}: {result.error}")
            elif result.document is not None:
                print(f"{result.status}: {result.document.source}, {result.chunk_count} passages")

        for question in QUESTIONS:
            answer = await sage.query(question, scope)
            print(f"\n{question}\n{answer.text} ({answer.outcome})")
            for citation in answer.citations:
                print(f"  [{citation.marker}] {citation.source}, page {citation.page}: {citation.quote!r}")


def main() -> None:
    """Runs the example in a folder that is removed at the end."""
    with TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


if __name__ == "__main__":
    main()
