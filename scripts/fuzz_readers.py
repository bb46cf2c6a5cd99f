"""Reads damaged documents for a while, and keeps those that end in another way than they should.

    python scripts/fuzz_readers.py --minutes 20 [--seed 1] [--keep FOLDER] FILE_OR_FOLDER...

Each turn damages one of the given files (bytes changed, cut out, doubled, put together with another file; members of
archives likewise, so that the damage gets past their checksums) and reads it as an ingest does. It must end in pages or
in one of our own errors, within its time limit, and this process must not grow. Exits with 1 if any did not.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import sys
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from dalil import RawSource
from dalil.errors import DalilError
from dalil.parsing import HeuristicBackend, ParsingLimits

LIMITS = ParsingLimits(stall_seconds=8, document_seconds=30)
GRACE_SECONDS = 5
LARGEST_GROWTH_MB = 300
_ZIP = b"PK\x03\x04"


def damaged(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The bytes with one to a few wounds."""
    if data.startswith(_ZIP) and chance.random() < 0.8:
        return _damaged_archive(data, other, chance)
    wounded = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        _wound(wounded, other, chance)
    return bytes(wounded)


def _wound(data: bytearray, other: bytes, chance: random.Random) -> None:
    at = chance.randrange(len(data) + 1)
    length = chance.choice((1, 2, 4, 16, 200, 5000))
    kind = chance.randrange(7)
    if kind == 0:
        data[at : at + length] = chance.randbytes(len(data[at : at + length]))
    elif kind == 1:
        del data[at : at + length]
    elif kind == 2:
        data[at:at] = data[at : at + length] * chance.choice((1, 2, 50))
    elif kind == 3:
        start = chance.randrange(len(other) + 1)
        data[at:at] = other[start : start + length]
    elif kind == 4:
        del data[at:]
    elif kind == 5:
        data[at : at + 4] = chance.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"9999", b"-1 0", b"<<<<", b"[[[["))
    else:
        for place in range(at, min(len(data), at + length)):
            data[place] ^= 1 << chance.randrange(8)


def _damaged_archive(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The archive with wounds in one or two of its members, packed soundly again."""
    target = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
            names = source.namelist()
            chosen = set(chance.sample(names, min(len(names), chance.choice((1, 2)))))
            for name in names:
                member = bytearray(source.read(name))
                if name in chosen:
                    for _ in range(chance.choice((1, 3, 10))):
                        _wound(member, other, chance)
                written.writestr(name, bytes(member))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError):
        return data
    return target.getvalue()


def read(backend: HeuristicBackend, name: str, data: bytes) -> tuple[str, str]:
    """How reading ended: a word for the count, and what is wrong with it, if anything."""
    started = time.monotonic()
    problem = ""
    try:
        parsed = backend.parse(RawSource(name, content=data))
        ended = "pages" if sum(1 for _ in parsed.pages) else "no pages"
    except DalilError as error:
        ended = error.code
        if not error.what_to_do:
            problem = "an error without advice"
    except BaseException:
        ended, problem = "not our error", traceback.format_exc()
    seconds = time.monotonic() - started
    allowed = LIMITS.document_seconds + GRACE_SECONDS
    if seconds > allowed:
        problem = f"took {seconds:.0f} s, allowed {allowed:.0f}"
    return ended, problem


def fuzz(files: Sequence[Path], minutes: float, seed: int, keep: Path | None) -> int:
    """Runs the turns; the number of those that ended badly."""
    chance = random.Random(seed)
    backend = HeuristicBackend(LIMITS)
    contents = {file: file.read_bytes() for file in files}
    ends: Counter[str] = Counter()
    bad = 0
    first_peak = 0.0
    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        file, other = chance.choice(files), chance.choice(files)
        data = damaged(contents[file], contents[other], chance)
        ended, problem = read(backend, file.name, data)
        ends[ended] += 1
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        first_peak = first_peak if ends.total() > 50 else peak
        if not problem and peak > first_peak + LARGEST_GROWTH_MB:
            problem, first_peak = f"this process grew to {peak:.0f} MB", peak
        if problem:
            bad += 1
            print(f"{file.name} (turn {ends.total()}): {problem}", flush=True)
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{ends.total()}-{file.name}").write_bytes(data)
    print(f"{ends.total()} damaged documents: " + ", ".join(f"{count} {end}" for end, count in ends.most_common()))
    return bad


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("paths", nargs="+", type=Path)
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", type=Path)
    given = options.parse_args()
    files = [
        file
        for path in given.paths
        for file in (sorted(path.iterdir()) if path.is_dir() else [path])
        if file.is_file() and file.suffix not in (".md", ".tsv")
    ]
    sys.exit(1 if fuzz(files, given.minutes, given.seed, given.keep) else 0)


if __name__ == "__main__":
    main()
