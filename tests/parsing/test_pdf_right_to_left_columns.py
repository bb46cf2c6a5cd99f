"""Columns of right-to-left pages are read from the right."""

from __future__ import annotations

import io

import pytest

WORDS = (
    "قال الكاتب إن المدينة القديمة كانت تقع على ضفة النهر وكان أهلها يعملون في التجارة والزراعة ثم انتقل كثير منهم إلى "
    "السهل بعد أن جف الماء وبقيت الأسوار شاهدة على ما كان فيها من حياة"
).split()


def prose(tag: str, count: int) -> list[str]:
    return [" ".join([tag + "ي" * (number + 1), *(WORDS * 3)[4 * number : 4 * number + 5]]) for number in range(count)]


def draw(pages: list[list[tuple[float, float, float, str]]]) -> bytes:
    """Pages of (right edge, y, size, text in reading order), drawn letter by letter from the right."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont
    from reportlab.pdfgen.canvas import Canvas

    try:
        pdfmetrics.registerFont(TTFont("Arabic", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
    except TTFError:
        pytest.skip("the DejaVu fonts are not installed here")
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for page in pages:
        for right, y, size, text in page:
            canvas.setFont("Arabic", size)
            canvas.drawRightString(right, y, text[::-1])
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def column(right: float, lines: list[str]) -> list[tuple[float, float, float, str]]:
    return [(right, 700 - 14 * number, 9, line) for number, line in enumerate(lines)]


RIGHT, LEFT = prose("يمين", 12), prose("يسار", 12)


@pytest.mark.parametrize("drawn", ["right first", "left first", "line by line"])
def test_the_right_column_first(parse, drawn):
    right, left = column(540, RIGHT), column(270, LEFT)
    pieces = {"right first": [*right, *left], "left first": [*left, *right]}.get(
        drawn, [piece for row in zip(left, right, strict=True) for piece in row]
    )
    text = parse(draw([[(420, 760, 18, "عنوان فوق العمودين"), *pieces]]), "a.pdf").pages[0].text
    flat = text.replace("\n", " ")
    places = [flat.index(line) for line in ("عنوان فوق العمودين", *RIGHT, *LEFT)]
    assert places == sorted(places)
    assert text.startswith("# عنوان فوق العمودين\n\n")


def test_places_of_right_to_left_words(parse):
    page = parse(draw([column(540, RIGHT)]), "a.pdf").pages[0]
    first, second, *_ = page.geometry.placed_words()
    assert page.text[first.start : first.end] == RIGHT[0].split()[0]
    assert first.right * page.geometry.width == pytest.approx(540, abs=1)
    assert second.right < first.left


def test_lines_of_a_right_to_left_paragraph_flow(parse):
    text = (
        parse(
            draw(
                [
                    column(
                        540, [" ".join((WORDS * 2)[8 * row : 8 * row + 14])[:70].rsplit(" ", 1)[0] for row in range(4)]
                    )
                ]
            ),
            "a.pdf",
        )
        .pages[0]
        .text
    )
    assert "\n\n" not in text
    assert text.count("\n") <= 1
