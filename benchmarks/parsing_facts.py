"""What each document of the data folder must give: the facts of its EXPECTED.md that are text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """Words that must be found together in a file's text (cell borders aside), or must not be."""

    file: str
    text: str
    is_there: bool = True

    def holds(self, text: str) -> bool:
        return (spaced(self.text) in spaced(text)) is self.is_there


def spaced(text: str) -> str:
    """Text without marks of tables, emphasis and headings, with single spaces, in composed form."""
    return " ".join(re.sub(r"[|*_#\\]|<[^>]+>", " ", unicodedata.normalize("NFC", text)).split())


FACTS = (
    Fact("natural_arabic.pdf", "بشأن إصدار قانون المنشآت الفندقية والسياحية"),
    Fact("natural_arabic.pdf", "قرر مجلس النواب القانون الآتى نصه"),
    Fact("natural_arabic.pdf", "(المادة الأولى)"),
    Fact("natural_arabic.pdf", "قانون رقم 8 لسنة 2022"),
    Fact("natural_arabic.pdf", "اآلتى", is_there=False),
    Fact("right_to_left_01.pdf", "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R"),
    Fact("right_to_left_01.pdf", "المشكالت", is_there=False),
    Fact("BidiSample.pdf", "١٤ إبريل ١٤٣٤"),
    Fact("BidiSample.pdf", "(يناير)"),
    Fact("BidiSample.pdf", "«إختبار ذاتي»"),
    Fact("BidiSample.pdf", "A line with an Arabic العربية word embedded."),
    Fact("multi_page.pdf", "The Evolution of the Word Processor"),
    Fact("multi_page.pdf", "The Modern Era (1990s - Present)"),
    Fact("nics.pdf", "Alabama 18,870 23,022 22,650"),
    Fact("sparse_borderless.pdf", "SKU-8847 A-12 450"),
    Fact("sparse_borderless.pdf", "SKU-8847 Electronics $45.00 $13,005.00"),
    Fact(
        "multi-column-2p.pdf",
        "Open-domain question answering relies on efficient passage retrieval to select candidate contexts",
    ),
    Fact("vicksburg_ocr.pdf", "did not last long; it became too conspicuous"),
    Fact("rotation.pdf", "This is my second page. It will have a landscape layout."),
    Fact("zen_corrupted.pdf", "Beautiful is better than ugly."),
    Fact("unit_test_headers_numbered.docx", "1.2.1 Section 1.2.3"),
    Fact("textbox.docx", "Infectious Disease Reporting Procedure"),
    Fact("footnotes.docx", "snoska"),
    Fact("testWORD_various.docx", "Here is a text box"),
    Fact("testWORD_various.docx", "This is a footnote."),
    Fact("testWORD_various.docx", "Row 1 Col 1"),
    Fact("pptx_chart.pptx", "2022 175 130"),
    Fact("group-shapes-nested.pptx", "J"),
    Fact("markitdown_test.pptx", "This is a nested shape with content in 2 shapes"),
    Fact("markitdown_test.pptx", "2003"),
    Fact("testEXCEL_dateFormats.xlsx", "2018-09-20"),
    Fact("testEXCEL_dateFormats.xlsx", "1996-08-10"),
    Fact("testArabicMisleadingCharset.html", "في قرية من القرى كان هناك رجل حكيم يعرف كل شيء عن الحياة"),
    Fact("utf16le.eml", "\x00", is_there=False),
    Fact("stanley-utf16.csv", "Maple Leafs TOR 13"),
    Fact("test_mskanji.csv", "佐藤太郎"),
    Fact("wasteland.epub", "The Waste Land"),
)
