"""How much memory a process takes, where the system tells (Linux)."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

_PEAK = re.compile(r"^(VmHWM|VmPeak):\s*(\d+) kB$", re.MULTILINE)


class Memory(NamedTuple):
    """Bytes of memory and of addresses; 0 where the system does not tell."""

    resident: int
    addresses: int


def peak_memory(pid: int) -> Memory:
    """The most that a process ever took; zeros of a dead one."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            fields = dict(_PEAK.findall(file.read()))
    except OSError:
        return Memory(0, 0)
    return Memory(*(int(fields.get(name, 0)) * 1024 for name in ("VmHWM", "VmPeak")))


def current_memory() -> Memory:
    """What this process takes now."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            addresses, resident, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return Memory(0, 0)
    page_bytes = os.sysconf("SC_PAGE_SIZE")
    return Memory(resident * page_bytes, addresses * page_bytes)
