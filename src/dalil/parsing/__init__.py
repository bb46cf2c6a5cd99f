"""Bytes to pages: what a document is, what it says, and how each of its pages should be read.

`HeuristicBackend` reads every supported format; `LayoutPageClassifier` routes pages to text or vision;
`TesseractRecognizer` reads pictures of pages. Names are loaded when they are first used, so that importing this
package loads no parser library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dalil.parsing.backend import HeuristicBackend
    from dalil.parsing.limits import ParsingLimits
    from dalil.parsing.ocr import TesseractRecognizer
    from dalil.parsing.routing import LayoutPageClassifier

__all__ = ["HeuristicBackend", "LayoutPageClassifier", "ParsingLimits", "TesseractRecognizer"]

_HOME = {
    "HeuristicBackend": "dalil.parsing.backend",
    "LayoutPageClassifier": "dalil.parsing.routing",
    "ParsingLimits": "dalil.parsing.limits",
    "TesseractRecognizer": "dalil.parsing.ocr",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'dalil.parsing' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
