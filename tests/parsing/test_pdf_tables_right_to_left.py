"""Tables on Arabic pages give their columns from the right."""

from __future__ import annotations

from table_pages import grid_rules, mirrored_text_at, tables, text_at, texts

from dalil.parsing.formats.pdf.words import Word

_ROWS = [
    ["البند", "القيمة", "الكمية"],
    ["قلم رصاص", "١٢٫٥", "٣٠"],
    ["دفتر كبير", "٢٤٫٠", "١٥"],
    ["ورق أبيض", "٩٫٧٥", "٨٠"],
]


def test_a_drawn_table_is_read_from_the_right() -> None:
    words: list[Word] = []
    for number, row in enumerate(_ROWS):
        for x, cell in zip((495, 395, 295), row, strict=True):
            words += mirrored_text_at(x, 704 - 20 * number, cell)
    (table,) = tables(words, grid_rules([200, 300, 400, 500], [720 - 20 * number for number in range(5)]))
    assert texts(table) == _ROWS
    assert (table.left, table.right) == (200, 500)


def test_an_aligned_table_is_read_from_the_right() -> None:
    words: list[Word] = []
    for number, row in enumerate(_ROWS):
        words += mirrored_text_at(495, 700 - 16 * number, row[0])
        for x, cell in zip((300, 200), row[1:], strict=True):
            words += text_at(x, 700 - 16 * number, cell)
    (table,) = tables(words)
    assert texts(table) == _ROWS


def test_arabic_prose_with_numbers_is_no_table() -> None:
    words: list[Word] = []
    for number in range(20):
        words += mirrored_text_at(550, 700 - 16 * number, f"مادة {number} تسري أحكام هذا القانون على المنشآت لسنة 2022")
    assert tables(words) == []
