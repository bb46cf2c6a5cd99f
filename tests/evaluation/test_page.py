"""The HTML page: whole, self-contained, escaped, and Arabic from right to left."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from dalil import NOT_FOUND_MESSAGE, Turn
from dalil.evaluation import EvalExample, EvalReport, EvalThresholds, compare, report_json
from dalil.evaluation.page import report_page
from dalil.evaluation.results import score

from .building import cited, declined

NASTY = '<script>alert("x")</script> & <img src=x onerror=y>'
VOID = {"meta", "br", "rect", "path", "img", "input", "link", "hr"}


class Balanced(HTMLParser):
    """Notes tags that are left open or closed wrongly."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def page() -> str:
    results = [
        score(
            EvalExample(f"Where? {NASTY}", expected_answer=NASTY, id=NASTY, lang="en", kind="answerable"),
            cited(f"{NASTY} [1]", NASTY, document=NASTY),
        ),
        score(
            EvalExample(
                "أين يقع البرج؟",
                expected_answer="عمرة",
                id="ar",
                lang="ar",
                kind="follow_up",
                history=(Turn("ما البرج؟", NASTY),),
            ),
            cited("يقع في مكان آخر [1]", "يقع في مكان آخر"),
        ),
        score(EvalExample("Who?", ground_truth_answer=NOT_FOUND_MESSAGE, id="none"), declined()),
        score(EvalExample("Unlabelled?"), declined()),
    ]
    data = report_json(EvalReport.of(results), EvalThresholds(correct=0.99), name=NASTY, embedder=NASTY)
    return report_page(data, compare(data, data))


def test_every_tag_is_closed() -> None:
    parser = Balanced()
    parser.feed(page())
    assert (parser.open, parser.wrong) == ([], [])
    assert "svg" in parser.seen


def test_what_documents_and_models_say_is_only_text() -> None:
    parser = Balanced()
    parser.feed(page())
    assert not {"script", "img"} & set(parser.seen)
    assert "&lt;script&gt;" in page()


def test_it_needs_nothing_from_elsewhere() -> None:
    assert not re.search(r"https?:|//|url\(|@import|\bsrc=(?!x onerror)|<link", page())


def test_arabic_reads_from_right_to_left() -> None:
    assert re.search(r'lang="ar" dir="rtl">أين يقع البرج؟', page())
    assert re.search(r'<blockquote lang="ar" dir="rtl">يقع في مكان آخر', page())
    assert 'lang="en" dir="ltr">Who?' in page()


def test_every_case_is_there_and_failures_come_first_and_open() -> None:
    text = page()
    assert text.count("<details") == 4
    assert text.count("<details open>") == 1
    assert text.index("أين يقع البرج؟") < text.index("Unlabelled?")
    assert "correct: 0.667 is below 0.99" in text
    assert "Against the baseline" in text


def test_a_report_of_nothing_is_a_page_too() -> None:
    parser = Balanced()
    parser.feed(report_page(report_json(EvalReport.of([]))))
    assert (parser.open, parser.wrong) == ([], [])
