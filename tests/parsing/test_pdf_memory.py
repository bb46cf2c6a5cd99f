"""Reading a long PDF takes hardly more memory than reading a short one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

READ = """
import re, sys
from dalil.models import RawSource
from dalil.parsing.formats.pdf import read
from dalil.parsing.limits import ParsingLimits

data = open(sys.argv[1], "rb").read()
pages = sum(1 for _ in read(data, RawSource("a.pdf", content=data), ParsingLimits()).pages)
assert pages == int(sys.argv[2])
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())
print(int(peak[1]) * 1024 - len(data))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells a process's own peak")
def test_ten_times_the_pages_do_not_take_more_memory(tmp_path, make_pdf):
    line = "This is line {} of page {}, and it says much the same as all of the others do."
    peaks = {}
    for count in (200, 2000):
        pages = [
            [
                (72, 800, "Helvetica", 8, "A running header"),
                *[(72, 760 - 14 * row, "Helvetica", 10, line.format(row, number)) for row in range(45)],
            ]
            for number in range(count)
        ]
        path = tmp_path / f"{count}.pdf"
        path.write_bytes(make_pdf(*pages))
        answer = subprocess.run(
            [sys.executable, "-c", READ, str(path), str(count)], capture_output=True, text=True, check=True
        )
        peaks[count] = int(answer.stdout)
    assert peaks[2000] < 1.3 * peaks[200]
