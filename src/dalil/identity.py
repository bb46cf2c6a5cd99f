"""Who a document is: its identity comes from its source name, its version from its bytes."""

from __future__ import annotations

import hashlib
import unicodedata


def document_id(source_name: str) -> str:
    """The first 16 hex digits of SHA-256 over the normalised source name.

    Normalised means NFC, backslashes as slashes, no surrounding white space: the same file named on Windows and
    on macOS is the same document.
    """
    normalised = unicodedata.normalize("NFC", source_name).replace("\\", "/").strip()
    return hashlib.sha256(normalised.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def content_hash(data: bytes) -> str:
    """SHA-256 of the bytes, in hex: tells whether a document has changed, and nothing else."""
    return hashlib.sha256(data).hexdigest()
