"""Text in the encodings that Arabic and English files come in."""

from __future__ import annotations

import pytest

from dalil.parsing.encodings import decode

PROSE = (
    "تلتزم المنشأة بتقديم طلب الترخيص إلى الجهة المختصة خلال ثلاثين يوما من تاريخ العمل بهذا القانون، ويجب أن يكون "
    "الطلب مستوفيا جميع البيانات والمستندات المطلوبة، وتصدر اللجنة قرارها خلال مدة لا تتجاوز ستين يوما، ولا يجوز "
    "لصاحب الترخيص أن يتنازل عنه للغير قبل الحصول على موافقة كتابية من الوزارة"
)
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


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        ("مرحبا", "cp1256 utf-16-le utf-16-be"),
        ("نعم", "cp1256 iso8859_6"),
        ("شكرا جزيلا على المساعدة", "cp1256 iso8859_6 cp720"),
        ("A mail from محمد علي about the project plan for 2024.", "cp1256 iso8859_6"),
        ("Nom: محمد; Prénom: عبد الله; Société Générale, Café de la Paix à Rabat", "cp1256"),
        ("قال: «نعم»؛ ثم سأل: لماذا؟", "cp1256"),
        ("قرار رقم 12 لسنة 2022 بشأن الإدارة العامة للشؤون القانونية", "cp1256 iso8859_6"),
        ("café, naïve, résumé", "cp1252 latin-1"),
        ("Straße, Müller, größer, Ärger", "cp1252"),
        ("“Smart quotes” — a dash… it’s €5", "cp1252"),
        ("The price is £5", "cp1252"),
        ("Zażółć gęślą jaźń", "cp1250"),
        ("Türkçe şöyle, İstanbul çok güzel", "cp1254"),
        ("名前,年齢,住所\n佐藤太郎,30,東京\n", "cp932 utf-16-le"),
    ],
)
def test_short_and_mixed_texts_are_read_in_old_encodings(text, encodings):
    for encoding in encodings.split():
        assert decode(text.encode(encoding)) == text, encoding


def test_most_single_arabic_words_are_read_in_old_encodings():
    """Two encodings share most bytes, so a few words are good words in both: not every one can be right."""
    words = sorted({word.strip("،؛؟.") for word in PROSE.split() if len(word) > 3})
    for encoding in ("cp1256", "iso8859_6"):
        right = sum(decode(word.encode(encoding)) == word for word in words)
        assert right >= 0.8 * len(words), encoding


def test_latin_1_is_what_programs_declare_when_they_do_not_know():
    assert decode(ARABIC.encode("cp1256"), "iso-8859-1") == ARABIC
    assert decode("déjà “vu” à Noël".encode("cp1252"), "iso-8859-1") == "déjà “vu” à Noël"


@pytest.mark.parametrize("declared", ["unicode_escape", "utf-16", "idna", "zlib", "no-such-charset", "", "\0"])
def test_a_declaration_that_is_no_encoding_of_documents_is_ignored(declared):
    assert decode("café \\u0041".encode("cp1252"), declared) == "café \\u0041"


def test_a_declared_encoding_with_escapes_is_used():
    assert decode("日本語".encode("iso-2022-jp"), "iso-2022-jp") == "日本語"


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("stanley-utf16.csv", "| Maple Leafs | TOR | 13 |"),
        ("test_mskanji.csv", "佐藤太郎"),
        ("utf16le.eml", "This is a test email to use for unit tests."),
    ],
)
def test_real_files_in_other_encodings(real, name, fact):
    text = real(name).pages[0].text
    assert fact in text
    assert "\0" not in text


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
