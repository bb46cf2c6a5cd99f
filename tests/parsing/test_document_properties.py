"""What office documents say of themselves: title, author, dates."""

from __future__ import annotations

import datetime as dt

import docx
import pptx
import pytest
from office_files import opendocument, rich_text, saved, workbook

MOMENT = dt.datetime(2024, 3, 5, 10, 2)


def described(document) -> bytes:
    properties = document.core_properties
    properties.title, properties.author, properties.created = "الخطة", "Mona", MOMENT
    return saved(document)


def word() -> bytes:
    document = docx.Document()
    document.add_paragraph("text")
    return described(document)


def slides() -> bytes:
    presentation = pptx.Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[0]).shapes.title.text = "text"
    return described(presentation)


def sheet() -> bytes:
    def fill(book):
        book.set_properties({"title": "الخطة", "author": "Mona", "created": MOMENT})
        book.add_worksheet().write(0, 0, "text")

    return workbook(fill)


META = (
    "<dc:title>الخطة</dc:title><meta:initial-creator>Mona</meta:initial-creator>"
    "<meta:creation-date>2024-03-05T10:02:00</meta:creation-date>"
)


def rich() -> bytes:
    title = "".join(f"\\u{ord(letter)}?" for letter in "الخطة")
    info = rf"{{\info{{\title {title}}}{{\author Mona}}{{\creatim\yr2024\mo3\dy5\hr10\min2}}}}"
    return rich_text(rf"{info}\pard text\par")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", word),
        ("a.pptx", slides),
        ("a.xlsx", sheet),
        ("a.odt", lambda: opendocument("<text:p>text</text:p>", meta=META)),
        ("a.rtf", rich),
    ],
)
def test_title_author_and_date(parse, name, data):
    metadata = parse(data(), name).document.metadata
    assert metadata["title"] == "الخطة"
    assert metadata["author"] == "Mona"
    assert str(metadata["created"]).removesuffix("Z") == "2024-03-05T10:02:00"


def test_links_are_kept_once(parse):
    document = docx.Document()
    document.add_paragraph("text")
    for uri in ("https://example.invalid/a", "https://example.invalid/a", "https://example.invalid/b"):
        document.part.relate_to(uri, docx.opc.constants.RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    links = parse(saved(document), "a.docx").document.metadata["links"]
    assert links == ["https://example.invalid/a", "https://example.invalid/b"]
