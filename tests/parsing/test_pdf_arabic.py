"""Arabic PDF pages are read in the order in which they are read aloud."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from dalil.parsing.formats.pdf.bidi import in_reading_order


def words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub("[\u064b-\u065f]", "", text))


def test_the_gazette(real):
    parsed = real("natural_arabic.pdf")
    text = parsed.pages[0].text
    assert len(parsed.pages) == 23
    for phrase in (
        "بشأن إصدار قانون المنشآت الفندقية والسياحية",
        "قرر مجلس النواب القانون الآتى نصه",
        "(المادة الأولى)",
        "قانون رقم 8 لسنة 2022",
        "تسرى أحكام هذا القانون والقانون المرافق على جميع المنشآت الفندقية",
    ):
        assert phrase in text
    assert "اآلتى" not in text


def test_the_gazettes_words_are_recalled(real):
    text = real("natural_arabic.pdf").pages[0].text
    project = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("DALIL_DATA", project.parent / "shared" / "data")) / "documents"
    header, _, reference = (folder / "natural_arabic.p1.ref.txt").read_text(encoding="utf-8").partition("\n")
    assert header not in text  # it runs from page to page
    expected = words(reference)
    found = words(text)
    recalled = sum(min(expected.count(word), found.count(word)) for word in set(expected))
    assert recalled / len(expected) >= 0.98
    everything = words(header) + expected
    recalled = sum(min(everything.count(word), found.count(word)) for word in set(everything))
    assert recalled / len(everything) >= 0.93


def test_the_words_of_the_bidirectional_sample_are_recalled(real):
    text = real("BidiSample.pdf").pages[0].text
    project = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("DALIL_DATA", project.parent / "shared" / "data")) / "documents"
    expected = words((folder / "BidiSample.txt").read_text(encoding="utf-8"))
    found = words(text)
    recalled = sum(min(expected.count(word), found.count(word)) for word in set(expected))
    assert recalled / len(expected) >= 0.99


def test_ligatures_and_latin_words(real):
    text = real("right_to_left_01.pdf").pages[0].text
    assert "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R" in text
    assert "المشكالت" not in text
    assert "وتحليل البيانات الكبيرة. هذا ليس فقط يوفر الوقت، بل يمكن أن يؤدي أيضًا إلى اتخاذ قرارات أكثر دقة" in text


def test_numbers_brackets_and_quotes(real):
    text = real("BidiSample.pdf").pages[0].text
    for phrase in (
        "١٤ إبريل ١٤٣٤",
        "١٤-إبريل-١٤٣٤",
        "(يناير)",
        "«إختبار ذاتي»",
        "«self test»",
        "A line with an Arabic العربية word embedded.",
    ):
        assert phrase in text


def test_a_garbled_layer_is_noticed(real):
    parsed = real("right_to_left_02.pdf")
    assert parsed.pages[0].layout.text_chars == 0
    assert parsed.pages[0].image is not None
    assert parsed.warnings == ("page 1 has a garbled text layer: needs OCR",)


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ("ابحرم", "مرحبا"),
        ("2022 ةنس", "سنة 2022"),
        ("3.5% ةبسن", "نسبة 3.5%"),
        ("R ةغلب 12/3/2020", "12/3/2020 بلغة R"),
        ("machine learning ملعت", "تعلم machine learning"),
        (")مكحلا(", "(الحكم)"),
        ("(مكحلا(", "(الحكم)"),
    ],
)
def test_a_line_as_seen_becomes_a_line_as_read(seen, read):
    assert "".join(token.text for token in in_reading_order(list(seen), right_to_left=True)) == read


def test_arabic_inside_an_english_line():
    ordered = in_reading_order(list("the word ةيبرعلا ةغللا here"), right_to_left=False)
    assert "".join(token.text for token in ordered) == "the word اللغة العربية here"


@pytest.mark.parametrize("english_lines", [0, 20])
def test_presentation_forms_and_their_ligatures(parse, english_lines):
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont
    from reportlab.pdfgen.canvas import Canvas

    try:
        pdfmetrics.registerFont(TTFont("Arabic", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
    except TTFError:
        pytest.skip("the DejaVu fonts are not installed here")
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.setFont("Arabic", 11)
    for number in range(english_lines):
        canvas.drawString(72, 740 - 14 * number, "This is an English line of text that is long enough to matter here.")
    as_drawn = "\ufe94\ufef4\ufe9f\ufe8e\ufe98\ufee7\ufef9\ufe8d"
    canvas.drawString(72, 400, f"The word {as_drawn} means productivity (2024).")
    canvas.save()
    assert "The word الإنتاجية means productivity (2024)." in parse(buffer.getvalue(), "a.pdf").pages[0].text
