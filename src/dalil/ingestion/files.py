"""Which files are documents, and under which names they are known."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path


def source_name(file: Path, store: Path) -> str:
    """A file's POSIX path relative to the folder that holds the store, or its absolute path elsewhere.

    Bytes of a name that are no UTF-8 are written as escapes: the store holds Unicode.
    """
    absolute = Path(os.path.abspath(file))
    home = Path(os.path.abspath(store)).parent
    name = (absolute.relative_to(home) if absolute.is_relative_to(home) else absolute).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def files_under(paths: Sequence[Path], store: Path) -> Iterator[Path]:
    """The files named by `paths`, folders walked in order.

    Hidden files, links to folders, pipes and devices in folders, and the store itself are left out. A path that does
    not exist, or a folder that cannot be listed, is given back as it is: reading it will say why it failed.
    """
    own = Path(os.path.abspath(store))
    seen: set[Path] = set()
    for path in paths:
        for file in _walk(path, own) if os.path.isdir(path) else [path]:
            absolute = Path(os.path.abspath(file))
            if absolute not in seen and not absolute.is_relative_to(own):
                seen.add(absolute)
                yield file


def _walk(folder: Path, own: Path) -> Iterator[Path]:
    closed: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=closed.append):
        here = Path(parent)
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and Path(os.path.abspath(here / name)) != own
        )
        for name in sorted(names):
            if not name.startswith(".") and _may_hold_text(here / name):
                yield here / name
    for error in closed:
        yield Path(error.filename)


def _may_hold_text(file: Path) -> bool:
    """Whether it is a file, or something of which reading will say what is wrong; reading a pipe would never end."""
    try:
        return stat.S_ISREG(file.stat().st_mode)
    except OSError:
        return True
