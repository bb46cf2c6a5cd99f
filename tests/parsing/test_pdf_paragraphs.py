"""Lines of a PDF page become paragraphs, list items and captions."""

from __future__ import annotations

import pytest

FONT = "Helvetica"
FULL = "This is a line of running text that goes on to the right margin of its page, where it"
NEXT = "simply goes on in the next line and then in another one, which is as long as it is, so"


def page(*texts: str, gap: dict[int, int] | None = None) -> list[tuple[float, float, str, float, str]]:
    pieces, y = [], 740.0
    for number, text in enumerate(texts):
        y -= 12 + (gap or {}).get(number, 0)
        pieces.append((60, y, FONT, 10, text))
    return pieces


def test_full_lines_flow_and_short_ones_end(parse, make_pdf):
    pieces = page(FULL, NEXT, "it ends.", "Amina Haddad", "12 Harbour Road", "Tunis", gap={3: 14})
    assert parse(make_pdf(pieces), "a.pdf").pages[0].text == (
        f"{FULL} {NEXT} it ends.\n\nAmina Haddad\n12 Harbour Road\nTunis"
    )


def test_indented_lines_begin_paragraphs(parse, make_pdf):
    first, second = (
        page(FULL, NEXT, "it ends here, and this line too is nearly as long as all of the others are, really."),
        page(FULL, NEXT),
    )
    below = [(x + (15 if number == 0 else 0), y - 36, *rest) for number, (x, y, *rest) in enumerate(second)]
    assert parse(make_pdf([*first, *below]), "a.pdf").pages[0].text.count("\n\n") == 1


def test_centred_lines_stay_lines(parse, make_pdf):
    from reportlab.pdfbase.pdfmetrics import stringWidth

    texts = ["In the name of the people", "and of the president of the republic and of its whole government,", "decree"]
    pieces = [
        (300 - stringWidth(text, FONT, 10) / 2, 700 - 12 * number, FONT, 10, text) for number, text in enumerate(texts)
    ]
    assert parse(make_pdf([*pieces, *page(FULL)]), "a.pdf").pages[0].text.endswith("\n".join(texts))


@pytest.mark.parametrize("marks", [("1.", "2.", "3."), ("(a)", "(b)", "(c)"), ("1 -", "2 -", "3 -")])
def test_numbered_items_are_apart(parse, make_pdf, marks):
    pieces = page(*[f"{mark} {FULL[: 60 + 5 * number]}." for number, mark in enumerate(marks)])
    lines = parse(make_pdf(pieces), "a.pdf").pages[0].text.split("\n")
    assert [line.startswith(mark) for line, mark in zip(filter(None, lines), marks, strict=True)] == [True] * 3


def test_bullets_become_list_items(parse, make_pdf):
    pieces = page("\u2022 " + FULL, NEXT, "\u2022 short")
    assert parse(make_pdf(pieces), "a.pdf").pages[0].text == f"- {FULL} {NEXT}\n- short"


def test_captions_are_blocks_of_their_own(parse, make_pdf):
    bold = [(60, 600, "Helvetica-Bold", 10, "Table 2: Sales by region")]
    text = (
        parse(make_pdf([*page(FULL, NEXT + ".", "Figure 3: The parts of the system", gap={2: 1}), *bold]), "a.pdf")
        .pages[0]
        .text
    )
    blocks = text.split("\n\n")
    assert "Figure 3: The parts of the system" in blocks
    assert "Table 2: Sales by region" in blocks


def test_index_numbers_stay_in_their_lines(parse, make_pdf):
    from reportlab.pdfbase.pdfmetrics import stringWidth

    def width(text: str) -> float:
        return float(stringWidth(text, FONT, 10))

    pieces = [
        (60, 703, FONT, 6, "1"),
        (68, 700, FONT, 10, "A note says that H"),
        (68 + width("A note says that H"), 697, FONT, 6, "2"),
        (72 + width("A note says that H"), 700, FONT, 10, "O is water"),
    ]
    assert parse(make_pdf(pieces), "a.pdf").pages[0].text == "1 A note says that H2O is water"
