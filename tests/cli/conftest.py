"""Runs the command, in this process where that is enough and as a real one where it matters."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dalil.cli.app import run as run_in_process

COMMAND = [sys.executable, "-m", "dalil"]

TOWER = "The tower of Amra was built in 1903 by Salim Haddad.\n\nIt is 41 metres high."
COFFEE = "# القهوة\n\nتزرع القهوة في اليمن منذ القرن الخامس عشر."


@dataclass(frozen=True)
class Ended:
    """How a run of the command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """JSON, one value a line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ended]


def environment(**more: str) -> dict[str, str]:
    """The environment without what changes colours or widths."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return {**kept, "TERM": "xterm", **more}


def as_process(*arguments: str | Path, cwd: Path, before: tuple[str, ...] = (), **env: str) -> Ended:
    """Run the command as a process; `before` is put in front of it."""
    done = subprocess.run(
        [*before, *COMMAND, *map(str, arguments)],
        cwd=cwd,
        env=environment(**env),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def dalil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process and in `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Ended:
        capsys.readouterr()
        code = run_in_process([str(argument) for argument in arguments])
        caught = capsys.readouterr()
        return Ended(code, caught.out, caught.err)

    return run


@pytest.fixture(scope="session")
def _filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("filled")
    (home / "docs").mkdir()
    (home / "docs" / "tower.txt").write_text(TOWER)
    (home / "docs" / "قهوة.md").write_text(COFFEE)
    ended = as_process("add", "docs", "--embedder", "fast", cwd=home)
    assert (ended.code, ended.err) == (0, "")
    return home


@pytest.fixture
def home(_filled: Path, tmp_path: Path) -> Path:
    """A folder, which is `tmp_path`, with two documents in `docs` and a store `.dalil` that holds them."""
    shutil.copytree(_filled, tmp_path, dirs_exist_ok=True)
    return tmp_path


def one_line(text: str) -> bool:
    """Whether it is an error as people want to read it."""
    return text.count("\n") == 1 and text.startswith("dalil: ") and "Traceback" not in text


WITHOUT_ROOT_POWERS = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")


def bound_by_permissions() -> tuple[str, ...]:
    """What to put before a command so that file permissions bind it; skips the test where there is no way."""
    if os.geteuid() != 0:
        return ()
    if not shutil.which("setpriv") or subprocess.run([*WITHOUT_ROOT_POWERS, "true"], check=False).returncode:
        pytest.skip("permissions do not bind this user, and setpriv cannot change that here")
    return WITHOUT_ROOT_POWERS
