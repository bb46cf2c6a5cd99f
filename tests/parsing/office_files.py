"""Makes office documents for the tests: with the libraries that write them, and by hand where these cannot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import xlsxwriter

ODF = "urn:oasis:names:tc:opendocument:xmlns"
_ODF_NAMES = {
    "office": f"{ODF}:office:1.0",
    "text": f"{ODF}:text:1.0",
    "table": f"{ODF}:table:1.0",
    "style": f"{ODF}:style:1.0",
    "draw": f"{ODF}:drawing:1.0",
    "meta": f"{ODF}:meta:1.0",
    "fo": f"{ODF}:xsl-fo-compatible:1.0",
    "svg": f"{ODF}:svg-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
}
_DECLARED = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in _ODF_NAMES.items())


def saved(document: Any) -> bytes:
    """The bytes of a python-docx document or a python-pptx presentation."""
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def workbook(fill: Callable[[Any], None]) -> bytes:
    """The bytes of an XLSX file that `fill` writes into."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    fill(book)
    book.close()
    return buffer.getvalue()


def zipped(members: dict[str, bytes | str]) -> bytes:
    """A zip archive of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def members_of(data: bytes) -> dict[str, bytes | str]:
    """The members of a zip archive, to be changed and zipped again."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def patched(data: bytes, member: str, change: Callable[[bytes], bytes]) -> bytes:
    """The archive with one member changed."""
    members = members_of(data)
    old = members[member]
    assert isinstance(old, bytes)
    return zipped({**members, member: change(old)})


def opendocument(
    body: str, *, kind: str = "text", automatic: str = "", styles: str = "", meta: str = "", **members: bytes | str
) -> bytes:
    """An OpenDocument file; members are named with `__` for `/` and `_xml` at the end."""
    content = (
        f"<office:document-content {_DECLARED}><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{ODF}:manifest:1.0"/>',
            "content.xml": content,
            "styles.xml": f"<office:document-styles {_DECLARED}>{styles}</office:document-styles>",
            "meta.xml": f"<office:document-meta {_DECLARED}><office:meta>{meta}</office:meta></office:document-meta>",
            **{name.replace("__", "/").removesuffix("_xml") + ".xml": data for name, data in members.items()},
        }
    )


def rich_text(body: str, header: str = r"\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}}") -> bytes:
    """An RTF document."""
    return f"{{\\rtf1{header}\n{body}}}".encode("latin-1")
