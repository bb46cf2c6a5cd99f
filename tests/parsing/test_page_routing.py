"""Which pages are read from their picture."""

from __future__ import annotations

import pytest

from dalil.models import Page, PageImage, PageLayout, PageRoute
from dalil.parsing import LayoutPageClassifier


@pytest.mark.parametrize(
    ("characters", "ratio", "area", "route"),
    [
        (1409, 0.15, 72_921, PageRoute.TEXT),
        (24, 0.49, 0, PageRoute.TEXT),
        (1700, 1.0, 500_000, PageRoute.TEXT),
        (199, 1.0, 500_000, PageRoute.VISION),
        (0, 1.0, 500_000, PageRoute.VISION),
        (0, 0.13, 66_210, PageRoute.VISION),
        (3, 0.1, 40_000, PageRoute.TEXT),
        (0, 0.0, 0, PageRoute.TEXT),
    ],
)
def test_a_page_goes_where_its_layout_says(characters, ratio, area, route):
    assert LayoutPageClassifier().classify(Page(1, "", None, PageLayout(characters, ratio, area))) is route


def test_a_page_without_layout_is_text_unless_it_is_only_a_picture():
    classifier = LayoutPageClassifier()
    picture = PageImage("scan.png")
    assert classifier.classify(Page(1, "words")) is PageRoute.TEXT
    assert classifier.classify(Page(1, "words", picture)) is PageRoute.TEXT
    assert classifier.classify(Page(1, "", picture)) is PageRoute.VISION


def test_a_page_without_text_of_which_there_is_a_picture_is_read_from_it():
    """Letters drawn as outlines are neither text nor images: only the page's reader knows that something is there."""
    page = Page(1, "", PageImage("outlines"), PageLayout(0, 0.0, 0.0))
    assert LayoutPageClassifier().classify(page) is PageRoute.VISION


def test_thresholds_can_be_set():
    page = Page(1, "", None, PageLayout(10, 0.3, 0))
    assert LayoutPageClassifier(min_text_chars=50, scan_area_ratio=0.2).classify(page) is PageRoute.VISION


@pytest.mark.parametrize(
    ("name", "route"),
    [
        ("ocr_test.pdf", PageRoute.VISION),
        ("ocr_test_rotated_90.pdf", PageRoute.VISION),
        ("right_to_left_02.pdf", PageRoute.VISION),
        ("vicksburg_ocr.pdf", PageRoute.TEXT),
        ("picture_classification.pdf", PageRoute.TEXT),
        ("natural_arabic.pdf", PageRoute.TEXT),
    ],
)
def test_real_pages_are_routed(real, name, route):
    assert LayoutPageClassifier().classify(real(name).pages[0]) is route
