"""Hostile documents, made on the spot."""

from __future__ import annotations

import io
import zipfile
import zlib

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
_RELATIONS = """<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>"""


def word_file(body: str, *, declaration: str = "") -> bytes:
    """A DOCX with this body."""
    main = f'{declaration}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr("word/document.xml", main)
    return buffer.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def zip_bomb() -> bytes:
    """A DOCX whose main part is one paragraph of 100 million characters."""
    return word_file(paragraph("a" * 100_000_000))


def lying_zip_bomb() -> bytes:
    """The same, with a directory that claims a hundred bytes."""
    data = bytearray(word_file(paragraph("a" * 100_000_000)))
    directory = data.rfind(b"PK\x01\x02")
    local = data.rfind(b"PK\x03\x04")
    for place in (directory + 24, local + 22):
        data[place : place + 4] = (100).to_bytes(4, "little")
    return bytes(data)


def entity_bomb() -> bytes:
    """Ten levels of ten entities each: ten billion words."""
    levels = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 11)]
    return word_file(paragraph("&e10;"), declaration=f'<!DOCTYPE x [<!ENTITY e0 "ha ">{"".join(levels)}]>')


def external_entity(path: str) -> bytes:
    """A DOCX that asks for a file of the machine."""
    return word_file(paragraph("see &e;"), declaration=f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{path}">]>')


def nested_html(depth: int = 50_000) -> bytes:
    return b"<html><body>" + b"<div>" * depth + b"deep" + b"</div>" * depth + b"</body></html>"


def nested_word_tables(depth: int = 3000) -> bytes:
    opening, closing = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
    return word_file(opening * depth + paragraph("deep") + closing * depth)


def pdf(content: bytes, *, packed: bool = False, pages: bytes = b"/Count 1", box: bytes = b"0 0 595 842") -> bytes:
    """A PDF of one page with this content stream."""
    kind = b"/Filter /FlateDecode" if packed else b""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] " + pages + b" >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [" + box + b"] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>",
        b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), kind, content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /X 6 0 R >> >> /Length 4 >>"
        b"\nstream\n/X Do\nendstream",
    ]
    out = b"%PDF-1.4\n"
    starts = []
    for number, each in enumerate(objects, 1):
        starts.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def stream_bomb(operators: bytes, size: int = 330_000_000) -> bytes:
    """A PDF whose page unpacks to `size` bytes of these operators, over and over."""
    block = operators * (1_000_000 // len(operators))
    count = size // len(block)
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(count):
        checksum = zlib.adler32(block, checksum)
    stream = b"\x78\xda" + packed * count + b"\x03\x00" + checksum.to_bytes(4, "big")
    return pdf(stream, packed=True)


def text_on_page(text: bytes) -> bytes:
    return b"BT /F1 12 Tf 72 700 Td (" + text + b") Tj ET"
