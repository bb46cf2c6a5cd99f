"""Numbered paragraphs of DOCX files show the labels that a word processor computes."""

from __future__ import annotations

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from office_files import saved

ONE = '<w:num w:numId="90"><w:abstractNumId w:val="90"/></w:num>'


def numbered(levels: str, items: list[tuple[int, int, str]], numbers: tuple[str, ...] = (ONE,)) -> bytes:
    """A document whose paragraphs are (list, level, text) of lists over one definition."""
    document = docx.Document()
    root = document.part.numbering_part.element
    root.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>'))
    for element in numbers:
        root.append(parse_xml(element.replace("<w:num ", f"<w:num {nsdecls('w')} ")))
    for list_id, level, text in items:
        properties = document.add_paragraph(text)._p.get_or_add_pPr()
        properties.append(
            parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')
        )
    return saved(document)


def level(number: int, kind: str, pattern: str, more: str = "") -> str:
    counted = f'<w:start w:val="1"/><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{pattern}"/>'
    return f'<w:lvl w:ilvl="{number}">{counted}</w:lvl>'


def labels(parse, data: bytes) -> list[str]:
    lines = parse(data, "a.docx").pages[0].text.split("\n")
    return [line.strip().removesuffix(" x") for line in lines if line]


def test_levels_count_within_the_ones_above(parse):
    levels = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2.") + level(2, "lowerRoman", "(%3)")
    items = [(90, depth, "x") for depth in (0, 1, 1, 2, 2, 0, 1)]
    assert labels(parse, numbered(levels, items)) == ["1.", "1.1.", "1.2.", "(i)", "(ii)", "2.", "2.1."]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("arabicAlpha", ["أ)", "ب)", "ت)"]),
        ("arabicAbjad", ["أ)", "ب)", "ج)"]),
        ("upperLetter", ["A)", "B)", "C)"]),
        ("decimalZero", ["01)", "02)", "03)"]),
    ],
)
def test_kinds_of_counting(parse, kind, expected):
    data = numbered(level(0, kind, "%1)"), [(90, 0, "x")] * 3)
    assert [
        line.strip().removesuffix(" x") for line in parse(data, "a.docx").pages[0].text.split("\n") if line
    ] == expected


def test_legal_numbering_writes_all_levels_as_digits(parse):
    levels = level(0, "upperRoman", "%1.") + level(1, "decimal", "%1.%2.", "<w:isLgl/>")
    assert labels(parse, numbered(levels, [(90, 0, "x"), (90, 1, "x")])) == ["I.", "1.1."]


def test_a_list_that_starts_anew_counts_from_where_it_says(parse):
    numbers = (
        ONE,
        '<w:num w:numId="91"><w:abstractNumId w:val="90"/></w:num>',
        '<w:num w:numId="92"><w:abstractNumId w:val="90"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/>'
        "</w:lvlOverride></w:num>",
    )
    items = [(90, 0, "x"), (91, 0, "x"), (92, 0, "x"), (92, 0, "x"), (90, 0, "x")]
    assert labels(parse, numbered(level(0, "decimal", "%1."), items, numbers)) == ["1.", "2.", "7.", "8.", "3."]
