"""PDF pages: paragraphs, headings, columns, layouts, and pages that have no text."""

from __future__ import annotations

import threading

import pytest

from dalil.errors import EncryptedDocumentError

BODY = "Helvetica"


def lines(x: float, y: float, *texts: str) -> list[tuple[float, float, str, float, str]]:
    return [(x, y - 12 * number, BODY, 10, text) for number, text in enumerate(texts)]


def test_lines_make_paragraphs(parse, make_pdf):
    page = [
        *lines(72, 700, "The first paragraph is long and", "goes on in a second line."),
        *lines(72, 660, "The second one stands apart."),
    ]
    assert parse(make_pdf(page), "a.pdf").pages[0].text == (
        "The first paragraph is long and\ngoes on in a second line.\n\nThe second one stands apart."
    )


def test_a_broken_word_is_whole_again(parse, make_pdf):
    page = lines(72, 700, "This paragraph has a word that is hyphen-", "ated at the end of its first line.")
    assert "hyphenated at the end" in parse(make_pdf(page), "a.pdf").pages[0].text


def test_large_and_bold_lines_are_headings(parse, make_pdf):
    page = [
        (72, 740, BODY, 24, "Annual Report"),
        *lines(72, 700, "A paragraph of plain text that is long enough", "to be what the document is set in."),
        (72, 650, "Helvetica-Bold", 10, "Risk Factors"),
        *lines(72, 630, "Another paragraph of plain text, long enough", "to count as the body."),
    ]
    text = parse(make_pdf(page), "a.pdf").pages[0].text
    assert text.startswith("# Annual Report\n\n")
    assert "\n\n## Risk Factors\n\nAnother" in text


def test_pieces_on_one_baseline_are_one_line(parse, make_pdf):
    page = [(72, 700, BODY, 10, "Net income"), (300, 700, BODY, 10, "19,442"), (400, 700, BODY, 10, "21,744")]
    assert parse(make_pdf(page), "a.pdf").pages[0].text == "Net income 19,442 21,744"


def test_bold_column_heads_of_a_table_are_no_headings(parse, make_pdf):
    page = [
        *lines(72, 700, "A paragraph of plain text that is long enough", "to be what the document is set in."),
        (300, 650, "Helvetica-Bold", 10, "Amortized Cost"),
        (400, 640, "Helvetica-Bold", 10, "Fair Value"),
        (72, 620, BODY, 10, "Commercial paper"),
        (300, 620, BODY, 10, "1,234"),
        (400, 620, BODY, 10, "1,230"),
    ]
    assert "#" not in parse(make_pdf(page), "a.pdf").pages[0].text


def test_an_index_stays_in_its_line(parse, make_pdf):
    from reportlab.pdfbase.pdfmetrics import stringWidth

    end = 72 + stringWidth("the value of x", BODY, 10)
    page = [(72, 700, BODY, 10, "the value of x"), (end, 704, BODY, 6, "2"), (end + 6, 700, BODY, 10, "is large")]
    assert parse(make_pdf(page), "a.pdf").pages[0].text == "the value of x2 is large"


def test_pages_keep_their_numbers_and_layouts(parse, make_pdf):
    parsed = parse(make_pdf(lines(72, 700, "one"), [], lines(72, 700, "three")), "a.pdf")
    assert [(page.number, page.text) for page in parsed.pages] == [(1, "one"), (2, ""), (3, "three")]
    assert parsed.pages[0].layout.text_chars == 3
    assert parsed.pages[0].image is None
    assert parsed.warnings == ()


def test_a_page_with_a_picture_and_no_text_needs_ocr(real):
    parsed = real("ocr_test.pdf")
    page = parsed.pages[0]
    assert page.text == ""
    assert page.image.ref == "ocr_test.pdf#page=1"
    assert page.image.data.startswith(b"\x89PNG")
    assert page.reason == "no text layer"
    assert page.layout.image_area_ratio == pytest.approx(1.0, abs=0.01)
    assert parsed.warnings == ("page 1 has no text layer: needs OCR",)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Annual Report 2024", "Annual Report 2024"),
        ("untitled", None),
        ("report_v2.docx", None),
        ("Microsoft Word - draft.doc", None),
        ("PowerPoint Presentation", None),
        ("123", None),
        ("تقرير الأداء السنوي", "تقرير الأداء السنوي"),
    ],
)
def test_a_title_that_is_one(parse, make_pdf, title, expected):
    parsed = parse(make_pdf(lines(72, 700, "text"), title=title), "a.pdf")
    assert parsed.document.metadata.get("title") == expected


def test_a_locked_document_opens_with_its_password(parse, make_pdf):
    data = make_pdf(lines(72, 700, "behind the lock"), password="open sesame")
    for password in (None, "wrong"):
        with pytest.raises(EncryptedDocumentError):
            parse(data, "a.pdf", password=password)
    assert parse(data, "a.pdf", password="open sesame").pages[0].text == "behind the lock"


def test_many_threads_read_at_once(parse, make_pdf):
    data = make_pdf(*[lines(72, 700, f"page {number}") for number in range(20)])
    results: list[list[str]] = []

    def work() -> None:
        results.append([page.text for page in parse(data, "a.pdf").pages])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[f"page {number}" for number in range(20)]] * 8


@pytest.mark.parametrize(
    ("name", "page", "facts"),
    [
        ("multi-column-2p.pdf", 1, ["Open-domain question answering relies on efficient passage retrieval to select"]),
        ("rotation.pdf", 2, ["This is my second page. It will have a landscape layout."]),
        ("zen_corrupted.pdf", 1, ["Beautiful is better than ugly."]),
        ("vicksburg_ocr.pdf", 1, ["did not last long; it became too conspicuous"]),
        ("nics.pdf", 1, ["Alabama", "18,870", "23,022", "71,137"]),
        ("sparse_borderless.pdf", 2, ["SKU-8847", "$13,005.00"]),
    ],
)
def test_real_pages_hold_their_facts(real, name, page, facts):
    text = real(name).pages[page - 1].text
    for fact in facts:
        assert fact in text


def test_a_sentence_runs_on_through_its_column(real):
    text = real("multi-column-2p.pdf").pages[0].text.replace("\n", " ")
    assert (
        "Open-domain question answering relies on efficient passage retrieval to select candidate contexts, "
        "where traditional sparse vector space models"
    ) in text


def test_real_headings(real):
    parsed = real("multi_page.pdf")
    headings = [line.lstrip("# ") for page in parsed.pages for line in page.text.split("\n") if line.startswith("#")]
    assert len(parsed.pages) == 5
    assert len(headings) == 11
    assert headings[0] == "The Evolution of the Word Processor"
    assert "The Modern Era (1990s - Present)" in headings


def test_headings_of_columns(real):
    lines = [line for page in real("multi-column-2p.pdf").pages for line in page.text.split("\n")]
    assert [line for line in lines if line.startswith("#")] == [
        "# Dense Passage Retrieval for Open-Domain Question Answering",
        "## Abstract",
        "## 1 Introduction",
        "## 2 Background",
        "## 3 Dense Passage Retriever (DPR)",
        "## 3.1 Overview",
    ]


@pytest.mark.parametrize("name", ["r6-user-password.pdf", "password-example.pdf"])
def test_real_locked_documents_are_refused(real, name):
    with pytest.raises(EncryptedDocumentError):
        real(name)


def test_a_real_locked_document_opens(real):
    assert "pdf encryption test" in real("r6-user-password.pdf", password="asdfzxcv").pages[0].text.lower()


def test_a_cycle_of_forms_does_no_harm(real):
    assert len(real("operator_list_cycle.pdf").pages) == 1


@pytest.mark.parametrize(
    ("name", "ratio", "area"),
    [("picture_classification.pdf", 0.15, 72_921), ("right_to_left_02.pdf", 0.132, 66_210)],
)
def test_real_layouts(real, name, ratio, area):
    layout = real(name).pages[0].layout
    assert layout.image_area_ratio == pytest.approx(ratio, abs=0.005)
    assert layout.bitmap_area == pytest.approx(area, rel=0.001)


def test_characters_are_counted_without_spaces(real):
    assert real("picture_classification.pdf").pages[0].layout.text_chars == pytest.approx(1409, abs=10)
