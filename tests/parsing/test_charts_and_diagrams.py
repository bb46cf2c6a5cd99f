"""Charts become tables, diagrams nested lists."""

from __future__ import annotations

import datetime as dt

import pptx
import pytest
from lxml import etree
from office_files import saved
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from dalil.parsing.formats.office.diagrams import diagram_blocks

PLACE = (Inches(1), Inches(1), Inches(6), Inches(4))
DIAGRAM = 'xmlns:dgm="urn:d" xmlns:a="urn:a"'


def chart_text(parse, kind, data, title: str = "") -> str:
    deck = pptx.Presentation()
    chart = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_chart(kind, *PLACE, data).chart
    if title:
        chart.chart_title.text_frame.text = title
    else:
        chart.has_title = False
    return parse(saved(deck), "a.pptx").pages[0].text.removeprefix("# Slide 1\n\n")


def test_categories_are_rows_and_series_are_columns(parse):
    data = CategoryChartData()
    data.categories = ["الربع الأول", "Q2"]
    data.add_series("المبيعات", (10, 20.5))
    data.add_series("cost", (7, None))
    assert chart_text(parse, XL_CHART_TYPE.COLUMN_CLUSTERED, data, "Sales") == (
        "Sales\n\n|  | المبيعات | cost |\n| --- | --- | --- |\n| الربع الأول | 10 | 7 |\n| Q2 | 20.5 |  |"
    )


def test_dates_and_levels_of_categories(parse):
    data = CategoryChartData()
    data.categories = [dt.date(2020, 1, 1), dt.date(2020, 2, 1)]
    data.add_series("a", (1, 2))
    assert chart_text(parse, XL_CHART_TYPE.LINE, data).endswith("| 2020-01-01 | 1 |\n| 2020-02-01 | 2 |")
    levels = CategoryChartData()
    for year in ("2020", "2021"):
        outer = levels.add_category(year)
        for half in ("H1", "H2"):
            outer.add_sub_category(half)
    levels.add_series("a", (1, 2, 3, 4))
    rows = "| 2020 H1 | 1 |\n| 2020 H2 | 2 |\n| 2021 H1 | 3 |\n| 2021 H2 | 4 |"
    assert chart_text(parse, XL_CHART_TYPE.COLUMN_CLUSTERED, levels).endswith(rows)


def test_points_of_different_series_get_tables_of_their_own(parse):
    data = XyChartData()
    for name, points in (("a", ((1, 2), (3, 4))), ("b", ((5, 6),))):
        series = data.add_series(name)
        for x, y in points:
            series.add_data_point(x, y)
    text = chart_text(parse, XL_CHART_TYPE.XY_SCATTER, data)
    assert text == "|  | a |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\n|  | b |\n| --- | --- |\n| 5 | 6 |"


def diagram(connections: str) -> list[str]:
    points = "".join(
        f'<dgm:pt modelId="{i}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for i, text in enumerate(("الرئيس", "نائب", "second", "third"))
    )
    points += '<dgm:pt modelId="9" type="doc"/><dgm:pt modelId="8" type="pres"><dgm:t/></dgm:pt>'
    parts = f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{connections}</dgm:cxnLst>"
    return diagram_blocks(etree.fromstring(f"<dgm:dataModel {DIAGRAM}>{parts}</dgm:dataModel>"))


def line(source: int, target: int, order: int = 0) -> str:
    return f'<dgm:cxn srcId="{source}" destId="{target}" srcOrd="{order}"/>'


def test_a_diagram_is_a_tree():
    lines = line(9, 0) + line(0, 2, 1) + line(0, 1, 0) + line(2, 3)
    assert diagram(lines) == ["- الرئيس", "  - نائب", "  - second", "    - third"]


def test_a_diagram_in_a_circle_ends():
    assert sorted(item.strip() for item in diagram(line(0, 1) + line(1, 0) + line(2, 2))) == sorted(
        ["- الرئيس", "- نائب", "- second", "- third"]
    )


@pytest.mark.parametrize(
    ("name", "row"), [("pptx_chart.pptx", "| 2022 | 175 | 130 |"), ("markitdown_test.pptx", "| 2003 | 2003 |")]
)
def test_real_charts(real, name, row):
    assert row in "\n".join(page.text for page in real(name).pages)
