"""A worker gets the document, its password and the limits, and none of the program's secrets."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

KNOWN = set(
    "PATH LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP SYSTEMROOT LD_LIBRARY_PATH DYLD_LIBRARY_PATH MALLOC_ARENA_MAX"
    " PYTHONHOME PYTHONUTF8 PYTHONPATH PYTHONDONTWRITEBYTECODE".split()
)


def test_the_environment_of_the_program_stays_with_it(strange, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    told = json.loads(strange("environment").pages[0].text)
    assert "secret" not in json.dumps(told["environ"]).replace(json.dumps(sys.path)[1:-1], "")
    assert {"OPENAI_API_KEY", "PGPASSWORD"} & set(told["environ"]) == set()
    assert set(told["environ"]) <= KNOWN
    assert told["cwd"] != str(Path.cwd())


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the test looks into /proc")
def test_a_password_is_seen_by_the_reader_and_by_nobody_else(strange, pool):
    reading = strange("page environment", password="open sesame")
    assert reading.metadata["password"] == "open sesame"
    assert "sesame" not in reading.pages[1].text
    for name in ("cmdline", "environ"):
        assert b"sesame" not in Path(f"/proc/{pool.workers()[0].pid}/{name}").read_bytes()


def test_modules_are_found_where_the_program_finds_them(strange):
    told = json.loads(strange("environment").pages[0].text)
    places = told["environ"]["PYTHONPATH"].split(":")
    assert [place for place in map(str, map(Path.resolve, map(Path, sys.path))) if place not in places] == []
