"""The addresses that the links of a PDF lead to."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2

from dalil.parsing.formats.pdf.engine import LOCK
from dalil.parsing.formats.pdf.links import Links


def linked(*addresses: str, pages: int = 1) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for _ in range(pages):
        canvas.drawString(72, 700, "See here.")
        for number, address in enumerate(addresses):
            canvas.linkURL(address, (72, 700 - 2 * number, 200, 701 - 2 * number))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def addresses(data: bytes) -> tuple[str, ...]:
    links = Links()
    with LOCK, pypdfium2.PdfDocument(data) as document:
        for page in document:
            links.add(document, page)
            page.close()
    return links.addresses


def test_each_address_is_named_once():
    found = addresses(linked("https://example.org/a", "mailto:someone@example.org", "https://example.org/a", pages=3))
    assert found == ("https://example.org/a", "mailto:someone@example.org")


def test_addresses_that_are_no_place_to_go_are_left_out():
    assert addresses(linked("javascript:alert(1)", "file:///etc/passwd", "HTTPS://example.org/b")) == (
        "HTTPS://example.org/b",
    )


def test_addresses_are_bounded():
    many = linked(*(f"https://example.org/{number}" for number in range(1000)))
    assert len(addresses(many)) == 200
    assert addresses(linked("https://example.org/" + "x" * 5000)) == ()


def test_a_page_without_links():
    assert addresses(linked()) == ()


def test_links_are_told_with_the_document(parse: Any):
    parsed = parse(linked("https://example.org/a"), "a.pdf")
    assert parsed.document.metadata["links"] == ["https://example.org/a"]
    assert parsed.pages[0].text == "See here."
