"""Tables drawn with lines come back cell for cell."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from table_pages import grid_rules, tables, text_at, texts

from dalil.parsing.formats.pdf.rules import Fill, Rule, Rules

_CELL = st.text(alphabet="abcdefgh0123", min_size=1, max_size=6)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_any_full_grid_comes_back_cell_for_cell(data: st.DataObject) -> None:
    rows = data.draw(st.integers(2, 8))
    columns = data.draw(st.integers(2, 7))
    cells = data.draw(st.lists(st.lists(_CELL, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    xs = [50.0 + 70 * column for column in range(columns + 1)]
    ys = [700.0 - 20 * row for row in range(rows + 1)]
    words = [
        word
        for row, line in enumerate(cells)
        for column, cell in enumerate(line)
        for word in text_at(xs[column] + 5, ys[row + 1] + 4, cell)
    ]
    (table,) = tables(words, grid_rules(xs, ys))
    assert texts(table) == cells
    assert (table.left, table.bottom, table.right, table.top) == (xs[0], ys[-1], xs[-1], ys[0])


def test_every_word_keeps_its_box() -> None:
    words = [*text_at(60, 704, "one two"), *text_at(130, 704, "b"), *text_at(60, 684, "c"), *text_at(130, 684, "d")]
    (table,) = tables(words, grid_rules([50, 120, 190], [720, 700, 680]))
    assert [word for row in table.rows for cell in row for word in cell.words] == words


def test_a_cell_of_several_lines_is_one_cell() -> None:
    words = [
        *text_at(60, 712, "Long name"),
        *text_at(60, 701, "of a thing"),
        *text_at(150, 706, "12"),
        *text_at(60, 684, "Short"),
        *text_at(150, 684, "7"),
    ]
    (table,) = tables(words, grid_rules([50, 140, 210], [726, 698, 680]))
    assert texts(table) == [["Long name of a thing", "12"], ["Short", "7"]]


def test_a_cell_over_two_columns_stands_in_the_first_and_its_heads_below() -> None:
    rules = Rules(
        tuple(Rule(y, 50, 230) for y in (740, 720, 700, 680)),
        (Rule(50, 680, 740), Rule(110, 680, 740), Rule(170, 680, 720), Rule(230, 680, 740)),
    )
    words = [
        *text_at(60, 724, "Item"),
        *text_at(155, 724, "2024"),
        *text_at(115, 704, "first"),
        *text_at(175, 704, "second"),
        *text_at(60, 684, "x"),
        *text_at(115, 684, "1"),
        *text_at(175, 684, "2"),
    ]
    (table,) = tables(words, rules)
    assert texts(table) == [["Item", "2024", ""], ["", "first", "second"], ["x", "1", "2"]]


def test_rows_of_numbers_between_two_rules_are_rows_of_their_own() -> None:
    words = []
    for row in range(5):
        y = 690 - 12 * row
        words += [*text_at(55, y, f"State{row}"), *text_at(130, y, str(row * 7)), *text_at(190, y, str(row + 50))]
    (table,) = tables(words, grid_rules([50, 120, 180, 240], [705, 635]))
    assert texts(table) == [[f"State{row}", str(row * 7), str(row + 50)] for row in range(5)]


def test_the_title_over_a_grid_is_no_row_of_it() -> None:
    rules = Rules(
        tuple(Rule(y, 50, 190) for y in (740, 720, 700, 680)),
        (Rule(50, 680, 740), Rule(120, 680, 720), Rule(190, 680, 740)),
    )
    words = [*text_at(90, 724, "A Title")]
    for y, left, right in ((704, "a", "b"), (684, "c", "d")):
        words += [*text_at(60, y, left), *text_at(130, y, right)]
    (table,) = tables(words, rules)
    assert texts(table) == [["a", "b"], ["c", "d"]]
    assert table.top == 720


def test_a_grid_open_at_its_sides_has_all_its_columns() -> None:
    rules = Rules(tuple(Rule(y, 50, 260) for y in (720, 700, 680)), (Rule(120, 680, 720), Rule(190, 680, 720)))
    words = []
    for y, line in ((704, "abc"), (684, "def")):
        for x, char in zip((60, 130, 200), line, strict=True):
            words += text_at(x, y, char)
    (table,) = tables(words, rules)
    assert texts(table) == [["a", "b", "c"], ["d", "e", "f"]]


def test_words_in_rows_divided_by_rules_are_a_table_without_upright_rules() -> None:
    rows = [
        ["Name", "Place", "Kind"],
        ["Alpha", "Cairo", "large"],
        ["Beta", "Amman", "small"],
        ["Gamma", "Tunis", "large"],
    ]
    words = []
    for number, row in enumerate(rows):
        for x, cell in zip((60, 200, 350), row, strict=True):
            words += text_at(x, 704 - 20 * number, cell)
    rules = Rules(tuple(Rule(720 - 20 * number, 50, 450) for number in range(5)))
    (table,) = tables(words, rules)
    assert texts(table) == rows


def test_words_in_bands_of_colour_are_a_table() -> None:
    rows = [["Name", "Place"], ["Alpha", "Cairo"], ["Beta", "Amman"], ["Gamma", "Tunis"]]
    words = []
    for number, row in enumerate(rows):
        for x, cell in zip((60, 250), row, strict=True):
            words += text_at(x, 704 - 20 * number, cell)
    bands = tuple(Fill(50, 700 - 40 * number, 450, 720 - 40 * number) for number in range(2))
    (table,) = tables(words, Rules(fills=(*bands, Fill(50, 620, 450, 640))))
    assert texts(table) == rows


def test_a_frame_and_the_axes_of_a_chart_are_no_table() -> None:
    words = [*text_at(100, 500, "Some prose in a frame"), *text_at(100, 480, "and more of it")]
    assert tables(words, grid_rules([50, 500], [700, 300])) == []
    labels = [word for index in range(5) for word in text_at(100 + 60 * index, 288, str(index * 10))]
    assert tables(labels, grid_rules([90, 400], [700, 300])) == []
