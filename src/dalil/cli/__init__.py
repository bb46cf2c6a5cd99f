"""The `dalil` command. Every verb imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations


def main() -> None:
    """Run the command and exit with its code."""
    try:
        from dalil.cli.app import run

        code = run()
    except KeyboardInterrupt:  # before or after the verb's own work
        code = 130
    raise SystemExit(code)
