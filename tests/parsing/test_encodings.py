"""Text in the encodings that Arabic and English files come in."""

from __future__ import annotations

import pytest

ARABIC = "في قرية من القرى كان هناك رجل حكيم يعرف كل شيء عن الحياة."


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1256", "iso-8859-6"],
)
@pytest.mark.parametrize("text", [ARABIC, "مرحبا بالعالم"])
def test_arabic_text_is_read_in_every_encoding(parse, text, encoding):
    assert parse(text.encode(encoding), "a.txt").pages[0].text == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-16"])
def test_english_text_is_read_in_every_encoding(parse, encoding):
    assert parse("Plain words\nof two lines".encode(encoding), "a.txt").pages[0].text == "Plain words\nof two lines"


def test_a_declared_charset_is_used_where_it_decodes(parse):
    page = f"<html><head><meta charset='windows-1256'></head><body><p>{ARABIC}</p></body></html>"
    assert parse(page.encode("cp1256"), "a.html").pages[0].text == ARABIC


def test_a_false_declaration_is_ignored(parse):
    page = f"<html><head><meta charset='utf-8'></head><body><p>{ARABIC}</p></body></html>"
    assert parse(page.encode("cp1256"), "a.html").pages[0].text == ARABIC


def test_one_damaged_byte_does_not_change_the_alphabet(parse):
    data = (ARABIC * 10).encode() + b"\xff" + ARABIC.encode()
    assert parse(data, "a.txt").pages[0].text == ARABIC * 10 + "\ufffd" + ARABIC


def test_a_real_page_that_declares_the_wrong_charset(real):
    text = real("testArabicMisleadingCharset.html").pages[0].text
    assert "في قرية من القرى كان هناك رجل حكيم يعرف كل شيء عن الحياة" in text
