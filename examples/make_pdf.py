"""Writes `documents/safety-guide.pdf`, a three-page guide set in the standard PDF fonts.

    python examples/make_pdf.py [OUTPUT]

The file is the same, byte for byte, on every run: no date, no random identifier, no compression. It needs
reportlab, which comes with the `dev` extra.
"""

from __future__ import annotations

import sys
from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Table,
    TableStyle,
)

OUTPUT = Path(__file__).resolve().parent / "documents" / "safety-guide.pdf"
TITLE = "Wadira Instruments: Safety Guide"
MARGIN = 2.4 * cm
INK = HexColor("#1d3b53")
RULE = HexColor("#9fb3c1")

HEADING = ParagraphStyle("heading", fontName="Helvetica-Bold", fontSize=18, leading=23, textColor=INK)
SUBHEADING = ParagraphStyle(
    "subheading",
    fontName="Helvetica-Bold",
    fontSize=12.5,
    leading=16,
    textColor=INK,
    spaceBefore=14,
    spaceAfter=5,
)
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10.5, leading=15, spaceAfter=6)

# Blocks are set apart by blank lines: `#` starts a heading, `##` a smaller one, `|` the rows of a table.
PAGES = (
    """
# 1. Emergencies and evacuation

## Calling for help

The internal emergency number is 5505, and it is answered day and night by the gatehouse.

From a mobile phone, call 112 first and the gatehouse afterwards, so that someone can guide the ambulance
or the fire brigade to the right door.

Say who you are, where you are, what has happened and how many people are hurt. Do not hang up before you
are told to.

## Leaving the building

When the alarm sounds, stop work at once, close the windows and leave by the nearest green exit. Do not
use the lift, and do not go back for your belongings.

The assembly point is the gravel car park beside the east gate, under the blue sign. Stay there until the
floor warden has ticked your name off the list.

Floor wardens wear orange vests. There is one warden for every 20 people, and each warden has a deputy on
the same floor.

## Drills

The alarm is tested on the first Tuesday of every month at 11:00; no one needs to leave for the test.

A full evacuation drill takes place twice a year, without warning, and the building must be empty in
4 minutes.
""",
    """
# 2. Fire extinguishers and chemicals

## Fire extinguishers

Fire extinguishers are checked every 6 months by an outside company, and the date is written on the tag.
An extinguisher is replaced after 10 years, even if it has never been used.

Use carbon dioxide on electrical equipment and foam on liquids. Fight a fire only if it is smaller than a
waste bin and your way out is free behind you.

## Chemical storage limits

The limits below apply to each laboratory as a whole, not to each cabinet. Anything above them belongs in
the outdoor store.

| Chemical | Most allowed per laboratory | Where it is kept
| Isopropanol | 25 litres | Yellow flammables cabinet
| Nitric acid | 5 litres | Acid cabinet, lowest shelf
| Hydrogen peroxide | 10 litres | Ventilated cabinet, away from solvents
| Buffer solutions | 60 litres | Open shelf, labels facing out

## Handling and spills

No more than 25 litres of isopropanol may be stored in a laboratory, and acids are never kept in the same
cabinet as solvents.

A spill of more than 2 litres is not yours to clean: leave the room, shut the door and call the gatehouse.
Smaller spills are taken up with the spill kit beside the sink.

Eyewash bottles are inspected every Monday morning. After a splash, rinse the eye for 15 minutes.
""",
    """
# 3. Incidents and first aid

## Whom to tell, and when

Report every incident to the safety officer, Helena Brandmark, within 12 hours. Her deputy, Tomas
Okoye-Lind, takes over when she is away.

A near miss, where nobody was hurt but someone could have been, is reported within 3 working days on the
green form at reception.

If someone has been taken to hospital, telephone the safety officer at once, whatever the hour.

## What happens next

The safety officer speaks with everyone involved and writes a report within 15 working days. The report
looks for causes, not for culprits. Incident records are kept for 8 years.

Leave the scene as it is until it has been photographed, unless that would put someone in danger.

## First aid

The first-aid room is room 0.14, next to the canteen. The defibrillator hangs on the wall behind the
reception desk.

First-aid boxes are refilled on the last working day of each month. If you take something out of a box,
write it on the card inside the lid.

First aiders renew their certificate every 2 years, during working time and at the company's cost.
""",
)


def main() -> None:
    """Writes the guide to the path given on the command line, or to its place among the documents."""
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    template = SimpleDocTemplate(
        str(output),
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=TITLE,
        author="Wadira Instruments",
        lang="en",
        invariant=1,
        pageCompression=0,
    )
    story: list[Flowable] = []
    for number, page in enumerate(PAGES):
        if number:
            story.append(PageBreak())
        story.extend(flowable(block) for block in page.strip().split("\n\n"))
    template.build(story, onFirstPage=furniture, onLaterPages=furniture)


def flowable(block: str) -> Flowable:
    """A block of text, set according to its first characters."""
    if block.startswith("|"):
        return table([[cell.strip() for cell in row[1:].split("|")] for row in block.splitlines()])
    marks, _, rest = block.partition(" ")
    if marks == "#":
        return Paragraph(rest, HEADING)
    if marks == "##":
        return Paragraph(rest, SUBHEADING)
    return Paragraph(block, BODY)


def table(rows: list[list[str]]) -> Table:
    """A ruled table of three columns, its first row in bold."""
    style = TableStyle(
        [
            ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 10),
            ("FONT", (0, 1), (-1, -1), "Helvetica", 10),
            ("GRID", (0, 0), (-1, -1), 0.5, RULE),
            ("TOPPADDING", (0, 0), (-1, -1), 4),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        ]
    )
    return Table(rows, colWidths=[4 * cm, 5.4 * cm, 6.8 * cm], hAlign="LEFT", style=style)


def furniture(canvas: Canvas, template: BaseDocTemplate) -> None:
    """The running title and the page number."""
    width, height = A4
    canvas.saveState()
    canvas.setFont("Helvetica", 8.5)
    canvas.setFillColor(INK)
    canvas.drawString(MARGIN, height - 1.6 * cm, TITLE)
    canvas.drawRightString(width - MARGIN, 1.4 * cm, f"Page {canvas.getPageNumber()} of {len(PAGES)}")
    canvas.restoreState()


if __name__ == "__main__":
    main()
