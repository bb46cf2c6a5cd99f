"""Damaged and hostile office documents cost what is damaged, or end in a typed error."""

from __future__ import annotations

import random
import re

import docx
import pptx
import pytest
from office_files import members_of, opendocument, patched, rich_text, saved, workbook, zipped

from dalil.errors import DocumentError
from dalil.models import RawSource
from dalil.parsing import ParsingLimits
from dalil.parsing.formats import docx as docx_reader
from dalil.parsing.formats import odt, rtf, sheets
from dalil.parsing.formats import pptx as pptx_reader

ENTITY = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>'


def word() -> bytes:
    document = docx.Document()
    document.add_heading("Head", 1)
    document.add_paragraph("item", style="List Number")
    table = document.add_table(2, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "cell"
    document.add_comment(document.paragraphs[0].runs, text="remark", author="x")
    return saved(document)


def slides() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Head"
    slide.placeholders[1].text_frame.text = "item"
    slide.shapes.add_table(2, 2, 0, 0, 100, 100).table.cell(0, 0).text = "cell"
    return saved(deck)


@pytest.mark.parametrize("damage", [b"<w:comments", b"", ENTITY])
def test_a_damaged_part_beside_the_main_one_costs_only_itself(parse, damage):
    parsed = parse(patched(word(), "word/comments.xml", lambda old: damage), "a.docx")
    assert parsed.pages[0].text.startswith("# Head")
    assert "Comment" not in parsed.pages[0].text
    assert parsed.warnings == ("a damaged part was left out (word/comments.xml)",)


@pytest.mark.parametrize(
    "member", ["word/styles.xml", "word/numbering.xml", "docProps/core.xml", "[Content_Types].xml"]
)
def test_a_missing_part_beside_the_main_one_is_borne(parse, member):
    members = members_of(word())
    del members[member]
    assert "cell" in parse(zipped(members), "a.docx").pages[0].text


def test_styles_and_layouts_in_a_circle_end(parse):
    style = b'<w:style w:type="paragraph" w:styleId="Heading1"><w:basedOn w:val="Heading1"/></w:style></w:styles>'
    circle = patched(word(), "word/styles.xml", lambda old: old.replace(b"</w:styles>", style))
    assert "Head" in parse(circle, "a.docx").pages[0].text
    rels = "ppt/slideLayouts/_rels/slideLayout2.xml.rels"
    own = patched(slides(), rels, lambda old: old.replace(b"../slideMasters/slideMaster1.xml", b"slideLayout2.xml"))
    assert "item" in parse(own, "a.pptx").pages[0].text


def test_absurd_numbers_make_no_absurd_text(parse):
    listed = b'<w:pPr><w:numPr><w:ilvl w:val="99999999"/><w:numId w:val="1"/></w:numPr>'
    data = patched(word(), "word/document.xml", lambda old: old.replace(b"<w:pPr>", listed))
    assert len(parse(data, "a.docx").pages[0].text) < 1000


def test_embedded_documents_are_attachments(parse):
    inner = workbook(lambda book: book.add_worksheet().write(0, 0, "inside"))
    relation = (
        b'<Relationship Id="rId77" Target="embeddings/budget.xlsx" '
        b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/package"/></Relationships>'
    )
    data = patched(word(), "word/_rels/document.xml.rels", lambda old: old.replace(b"</Relationships>", relation))
    parsed = parse(zipped({**members_of(data), "word/embeddings/budget.xlsx": inner}), "a.docx")
    assert [(source.name, source.read()) for source in parsed.attachments] == [("budget.xlsx", inner)]


CASES = {
    "docx": (docx_reader, word),
    "pptx": (pptx_reader, slides),
    "xlsx": (sheets, lambda: workbook(lambda book: book.add_worksheet().write_row(0, 0, ["a", 1, True]))),
    "odt": (odt, lambda: opendocument("<text:h text:outline-level='1'>Head</text:h><text:p>text</text:p>")),
    "rtf": (rtf, lambda: rich_text(r"{\stylesheet{\s1 heading 1;}}\trowd\cellx9\pard\intbl a\cell\row\u1587?\par")),
}


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The document with one of its parts gone, cut, or full of odd numbers."""
    if data.startswith(b"{"):
        place = chance.randrange(len(data))
        return data[:place] + bytes([chance.choice(b"\\{}09az\xff")]) + data[place + chance.randrange(3) :]
    members = members_of(data)
    name = chance.choice([name for name in members if name.endswith((".xml", ".rels"))])
    old = members[name]
    assert isinstance(old, bytes)
    way = chance.randrange(3)
    if way == 0:
        del members[name]
    elif way == 1:
        members[name] = old[: chance.randrange(len(old))]
    else:
        odd = [b'"-1"', b'"99999999"', b'""', b'"x"']
        members[name] = re.sub(rb'"\d+"', lambda match: chance.choice([match[0], *odd]), old)
    return zipped(members)


@pytest.mark.parametrize("kind", CASES)
def test_whatever_is_damaged_there_is_text_or_a_typed_error(kind):
    reader, make = CASES[kind]
    chance = random.Random(7)
    data = make()
    for _ in range(60):
        source = RawSource(f"a.{kind}", content=b"")
        try:
            pages = list(reader.read(damaged(data, chance), source, ParsingLimits()).pages)
        except DocumentError:
            continue
        assert pages
