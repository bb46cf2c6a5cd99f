"""Adding and asking with the default models opens no connection and looks up no name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"

SCRIPT = """
import sys
from dalil.cli.app import run

def refuse(event, arguments):
    # asyncio's own socket pair is a pair of local sockets, not a connection
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        raise SystemExit(f"network: {event} {arguments}")

sys.addaudithook(refuse)
assert run(["add", sys.argv[1], "--store", sys.argv[2], "-q"]) == 0
assert run(["ask", "What is the internal emergency number?", "--store", sys.argv[2]]) == 0
"""


def test_no_connection_is_opened(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(EXAMPLES), str(tmp_path / ".dalil")],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "5505" in run.stdout
