"""PDF files written object by object, for what no library writes."""

from __future__ import annotations

from collections.abc import Sequence


def pdf_of(objects: Sequence[str]) -> bytes:
    """A PDF of these objects; the first is the catalogue."""
    body, places = bytearray(b"%PDF-1.7\n"), []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Root 1 0 R /Size {len(objects) + 1} >>\n"
    )
    return bytes(body) + f"{end}startxref\n{len(body)}\n%%EOF".encode("latin-1")


def stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"
