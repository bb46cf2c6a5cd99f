"""`dalil show` tells how each page was read, and draws it with what was read marked."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from .conftest import Run, one_line


def pdf(*pages: str) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(400, 300))
    for page in pages:
        canvas.setFont("Helvetica", 20)
        canvas.drawString(60, 200, page)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


@pytest.fixture
def report(tmp_path: Path, dalil: Run) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(pdf("The lamp in the hall is green.", "The chair in the garden is red."))
    assert dalil("add", "report.pdf", "--embedder", "fast", "-q").code == 0
    return path


def colours(path: Path) -> set[tuple[int, ...]]:
    with Image.open(path) as image:
        return {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or []}  # type: ignore[misc]


BLUE, RED = (70, 130, 230), (210, 50, 50)


def test_a_page_says_how_it_was_read(report: Path, dalil: Run) -> None:
    shown = dalil("show", "report.pdf", "--page", "2")
    assert "--- page 2, text: text layer, 25 characters, 0% under images ---" in shown.out
    assert "The chair in the garden is red." in shown.out
    assert "lamp" not in shown.out
    (page,) = dalil("show", "report.pdf", "--page", "2", "--json").json["pages"]
    assert list(page) == ["number", "text", "label", "route", "reason", "confidence", "layout", "size"]
    assert (page["number"], page["route"], page["reason"], page["confidence"]) == (2, "text", "text layer", None)
    assert page["layout"] == {"text_chars": 25, "image_area_ratio": 0.0, "bitmap_area": 0.0}
    assert page["size"] == [400, 300]


def test_a_page_is_drawn_with_what_was_read_marked(report: Path, dalil: Run, tmp_path: Path) -> None:
    ended = dalil("show", "report.pdf", "--page", "1", "--png", "page.png")
    assert (ended.code, ended.err) == (0, "")
    with Image.open(tmp_path / "page.png") as image:
        assert image.format == "PNG"
        assert image.width / image.height == pytest.approx(4 / 3, abs=0.01)
        left = min(x for x in range(image.width) for y in range(image.height) if image.getpixel((x, y)) == BLUE)
        assert left / image.width == pytest.approx(60 / 400, abs=0.01)
    assert {BLUE, RED} <= colours(tmp_path / "page.png")


def test_a_file_that_has_changed_is_read_anew_and_that_is_said(report: Path, dalil: Run, tmp_path: Path) -> None:
    report.write_bytes(pdf("Now it is blue."))
    ended = dalil("show", "report.pdf", "--page", "1", "--png", "page.png")
    assert ended.code == 0
    assert "report.pdf has changed since it was added" in ended.err
    assert "The lamp in the hall is green." in ended.out
    assert BLUE in colours(tmp_path / "page.png")
    gone = dalil("show", "report.pdf", "--page", "2", "--png", "page.png")
    assert gone.code == 1
    assert one_line(gone.err.splitlines(keepends=True)[-1])
    assert "has no page 2" in gone.err


def test_a_file_that_is_gone_is_said_to_be(report: Path, dalil: Run, tmp_path: Path) -> None:
    report.unlink()
    ended = dalil("show", "report.pdf", "--page", "1", "--png", "page.png")
    assert ended.code == 1
    assert one_line(ended.err)
    assert "is gone, so its pages cannot be drawn" in ended.err
    assert not (tmp_path / "page.png").exists()
    assert dalil("show", "report.pdf", "--page", "1").code == 0


@pytest.mark.parametrize("with_store", [True, False])
def test_a_file_that_is_not_in_the_store_is_read_as_it_would_be(
    with_store: bool, dalil: Run, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if with_store:
        request.getfixturevalue("report")
    (tmp_path / "other.pdf").write_bytes(pdf("A violet table."))
    ended = dalil("show", "other.pdf", "--page", "1", "--png", "page.png")
    assert ended.code == 0
    assert "A violet table." in ended.out
    assert "not in the store" in ended.err
    assert BLUE in colours(tmp_path / "page.png")
    assert (tmp_path / ".dalil").exists() is with_store


def test_a_format_without_pictures_says_so(dalil: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A lamp.")
    ended = dalil("show", "a.txt", "--page", "1", "--png", "page.png")
    assert ended.code == 1
    assert "has no pictures of its pages" in ended.err


def test_a_picture_is_drawn_too(dalil: Run, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    from dalil.parsing import TesseractRecognizer

    if TesseractRecognizer.found() is None:
        pytest.skip("tesseract is not installed: apt-get install tesseract-ocr tesseract-ocr-ara")
    from PIL import ImageDraw, ImageFont

    image = Image.new("L", (1400, 300), 255)
    ImageDraw.Draw(image).text((80, 80), "The lamp is green.", fill=0, font=ImageFont.load_default(80))
    image.save(tmp_path / "scan.png")
    added = dalil("add", "scan.png", "--embedder", "fast")
    assert added.code == 0
    shown = dalil("show", "scan.png", "--page", "1", "--png", "page.png")
    assert "vision: tesseract, picture, confidence 0.9" in shown.out
    assert {BLUE, RED} <= colours(tmp_path / "page.png")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("report.pdf", "--png", "page.png"), 2),
        (("report.pdf", "--page", "3", "--png", "page.png"), 1),
        (("report.pdf", "--page", "1", "--png", "no/such/folder/page.png"), 2),
        (("nothing.pdf", "--page", "1", "--png", "page.png"), 1),
    ],
)
def test_what_cannot_be_drawn(report: Path, dalil: Run, arguments: tuple[str, ...], code: int) -> None:
    ended = dalil("show", *arguments)
    assert ended.code == code
    assert one_line(ended.err)
