"""The rules and filled rectangles of a page, wherever and however they are drawn."""

from __future__ import annotations

import io
from collections.abc import Callable

import pypdfium2
import pytest

from dalil.parsing.formats.pdf.rules import Fill, Rule, Rules, page_rules
from dalil.parsing.formats.pdf.space import PageSpace


def _rules(draw: Callable, *, rotation: int = 0) -> Rules:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(600, 800))
    draw(canvas)
    canvas.showPage()
    canvas.save()
    document = pypdfium2.PdfDocument(buffer.getvalue())
    page = document[0]
    page.set_rotation(rotation)
    return page_rules(page, PageSpace.of(page))


def _near(rules: tuple[Rule, ...] | tuple[Fill, ...], *expected: tuple[float, ...]) -> bool:
    return len(rules) == len(expected) and all(
        found == pytest.approx(wanted, abs=1.5) for found, wanted in zip(sorted(rules), sorted(expected), strict=True)
    )


def test_stroked_lines():
    def draw(canvas):
        canvas.line(100, 700, 300, 700)
        canvas.line(100, 500, 100, 700)
        canvas.line(100, 500, 300, 700)

    rules = _rules(draw)
    assert _near(rules.horizontal, (700, 100, 300))
    assert _near(rules.vertical, (100, 500, 700))
    assert rules.fills == ()


def test_a_thin_filled_rectangle_is_a_rule_and_a_thick_one_a_fill():
    def draw(canvas):
        canvas.rect(100, 700, 200, 0.5, stroke=0, fill=1)
        canvas.rect(100, 600, 0.5, 90, stroke=0, fill=1)
        canvas.rect(300, 600, 100, 20, stroke=0, fill=1)

    rules = _rules(draw)
    assert _near(rules.horizontal, (700, 100, 300))
    assert _near(rules.vertical, (100, 600, 690))
    assert _near(rules.fills, (300, 600, 400, 620))


def test_the_outline_of_a_rectangle_is_four_rules():
    rules = _rules(lambda canvas: canvas.rect(100, 600, 200, 50))
    assert _near(rules.horizontal, (600, 100, 300), (650, 100, 300))
    assert _near(rules.vertical, (100, 600, 650), (300, 600, 650))


def test_a_grid_in_one_path():
    rules = _rules(lambda canvas: canvas.grid([100, 200, 300], [500, 600]))
    assert _near(rules.horizontal, (500, 100, 300), (600, 100, 300))
    assert _near(rules.vertical, (100, 500, 600), (200, 500, 600), (300, 500, 600))


def test_what_is_white_or_curved_is_left_out():
    def draw(canvas):
        canvas.setFillColorRGB(1, 1, 1)
        canvas.rect(100, 600, 200, 50, stroke=0, fill=1)
        canvas.circle(300, 300, 50)

    assert _rules(draw) == Rules()


def test_rules_in_forms_stand_where_the_form_is_drawn():
    def draw(canvas):
        canvas.beginForm("table")
        canvas.line(0, 0, 100, 0)
        canvas.endForm()
        canvas.translate(200, 400)
        canvas.scale(2, 2)
        canvas.doForm("table")

    assert _near(_rules(draw).horizontal, (400, 200, 400))


def test_rules_stand_on_the_page_as_it_is_displayed():
    rules = _rules(lambda canvas: canvas.line(100, 700, 300, 700), rotation=90)
    assert rules.horizontal == ()
    assert _near(rules.vertical, (700, 300, 500))


def test_a_page_of_endless_paths_gives_a_bounded_number_of_rules():
    def draw(canvas):
        for number in range(6_000):
            canvas.line(100, number / 10, 300, number / 10)

    assert 0 < len(_rules(draw).horizontal) <= 4_000
