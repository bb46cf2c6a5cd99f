"""Writes the pages that are made from the program itself: the command's help and the error table.

python scripts/write_docs.py            write them
python scripts/write_docs.py --check    fail when one of them is not up to date
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dalil.errors import DalilError, error_tree

DOCS = Path(__file__).parents[1] / "docs"
VERBS = ("add", "ask", "search", "list", "show", "rm", "status", "eval")


def command_page() -> str:
    """Every verb's help."""
    parts = [
        "# The command\n",
        "Made from the program by `python scripts/write_docs.py`.\n",
        "Exit codes: 0 done (not found too), 1 some documents failed or `eval` fell short, 2 usage, "
        "3 store or embedder, 4 provider, 130 interrupted. `ingest` is another name of `add`, `query` of `ask`.\n",
        f"```text\n$ dalil --help\n{_help()}\n```\n",
    ]
    parts += [f"## dalil {verb}\n\n```text\n{_help(verb)}\n```\n" for verb in VERBS]
    return "\n".join(parts)


def errors_page() -> str:
    """The table of codes: what each error means and what to do."""
    rows = [
        f"| `{kind.code}` | `{kind.__name__}` | {(kind.__doc__ or '').splitlines()[0]} | {kind.advice} |"
        for kind in error_tree()
        if kind is not DalilError
    ]
    head = "| code | class | what happened | what to do |\n|---|---|---|---|"
    intro = (
        "Every error that dalil raises on purpose is a `DalilError` with a stable `code`; the command prints it in "
        "brackets. Made from the program by `python scripts/write_docs.py`."
    )
    return "\n".join(["# Errors\n", f"{intro}\n", head, *rows, ""])


def _help(*verb: str) -> str:
    environment = {**os.environ, "COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"}
    shown = subprocess.run(
        [sys.executable, "-m", "dalil", *verb, "--help"],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=environment,
    ).stdout
    return "\n".join(line.rstrip() for line in shown.replace("python -m dalil", "dalil").strip().splitlines())


def main() -> int:
    pages = {"command.md": command_page(), "errors.md": errors_page()}
    stale = [name for name, text in pages.items() if not _same(DOCS / name, text)]
    if "--check" in sys.argv[1:]:
        for name in stale:
            print(f"docs/{name} is not up to date: run python scripts/write_docs.py", file=sys.stderr)
        return bool(stale)
    for name in stale:
        (DOCS / name).write_text(pages[name], "utf-8")
    return 0


def _same(file: Path, text: str) -> bool:
    return file.exists() and file.read_text("utf-8") == text


if __name__ == "__main__":
    raise SystemExit(main())
