"""Text boxes, pictures and embedded files of DOCX files."""

from __future__ import annotations

import io

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from office_files import members_of, patched, saved, zipped
from PIL import Image

NAMES = (
    f"{nsdecls('w')} "
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)


def box(text: str) -> str:
    return f"<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent>"


def picture() -> io.BytesIO:
    buffer = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(buffer, "PNG")
    buffer.seek(0)
    return buffer


def with_run(content: str) -> docx.document.Document:
    document = docx.Document()
    document.add_paragraph("anchor")._p.append(parse_xml(f"<w:r {NAMES}>{content}</w:r>"))
    return document


def test_a_text_box_given_twice_is_read_once(parse):
    choice = f'<mc:Choice Requires="wps"><w:drawing><wps:txbx>{box("مربع نص")}</wps:txbx></w:drawing></mc:Choice>'
    fallback = f"<mc:Fallback><w:pict><v:shape><v:textbox>{box('مربع نص')}</v:textbox></v:shape></w:pict></mc:Fallback>"
    document = with_run(f"<mc:AlternateContent>{choice}{fallback}</mc:AlternateContent>")
    assert parse(saved(document), "a.docx").pages[0].text == "anchor\n\nمربع نص"


def test_an_old_text_box_is_read(parse):
    document = with_run(f"<w:pict><v:shape><v:textbox>{box('old box')}</v:textbox></v:shape></w:pict>")
    assert parse(saved(document), "a.docx").pages[0].text == "anchor\n\nold box"


def test_a_text_box_in_a_cell_is_read_once(parse):
    document = docx.Document()
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "cell"
    paragraph = table.cell(0, 0).paragraphs[0]._p
    paragraph.append(parse_xml(f"<w:r {NAMES}><w:pict><v:textbox>{box('inside')}</v:textbox></w:pict></w:r>"))
    table.cell(0, 1).text = "other"
    assert parse(saved(document), "a.docx").pages[0].text == "| cell inside | other |\n| --- | --- |"


def test_what_a_picture_shows_is_read(parse):
    document = docx.Document()
    document.add_paragraph("before")
    document.add_picture(picture())
    document.inline_shapes[0]._inline.docPr.set("descr", "مخطط [المبنى]")
    assert parse(saved(document), "a.docx").pages[0].text == "before\n\n![مخطط (المبنى)]()"


def test_a_document_of_pictures_alone_is_a_scan(parse):
    document = docx.Document()
    document.add_picture(picture())
    parsed = parse(saved(document), "a.docx")
    assert [(page.text, page.reason, page.image is not None) for page in parsed.pages] == [("", "no text layer", True)]
    assert parsed.warnings == ("page 1 has no text layer: needs OCR",)


def test_a_frame_of_one_cell_is_no_table(parse):
    document = docx.Document()
    cell = document.add_table(1, 1).cell(0, 0)
    cell.text = "framed"
    cell.add_paragraph("item", style="List Bullet")
    assert parse(saved(document), "a.docx").pages[0].text == "framed\n\n- item"


def test_an_inserted_file_is_warned_of(parse):
    document = docx.Document()
    document.add_paragraph("text")
    document.element.body.insert(1, parse_xml(f'<w:altChunk {nsdecls("w", "r")} r:id="rId9"/>'))
    assert parse(saved(document), "a.docx").warnings == ("page 1 holds an inserted file, which was left out",)


def test_a_chart_in_a_document(parse):
    category = '<c:cat><c:strLit><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strLit></c:cat>'
    title = '<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>المبيعات</c:v></c:pt></c:strCache></c:strRef></c:tx>'
    number = '<c:val><c:numLit><c:pt idx="0"><c:v>175.0</c:v></c:pt></c:numLit></c:val>'
    space = f'<c:chartSpace xmlns:c="urn:c"><c:chart><c:ser>{title}{category}{number}</c:ser></c:chart></c:chartSpace>'
    document = with_run('<w:drawing><c:chart xmlns:c="urn:c" xmlns:r="urn:x/relationships" r:id="rId88"/></w:drawing>')
    relation = (
        b'<Relationship Id="rId88" Target="charts/chart1.xml" '
        b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart"/></Relationships>'
    )
    data = patched(
        saved(document), "word/_rels/document.xml.rels", lambda old: old.replace(b"</Relationships>", relation)
    )
    text = parse(zipped({**members_of(data), "word/charts/chart1.xml": space}), "a.docx").pages[0].text
    assert text == "anchor\n\n|  | المبيعات |\n| --- | --- |\n| Q1 | 175 |"
