"""Reading pictures of pages with the tesseract program."""

from __future__ import annotations

import io
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from dalil.errors import CorruptDocumentError, DocumentTimeoutError, DocumentTooLargeError, LoaderError, NeedsOCRError
from dalil.models import PageImage
from dalil.parsing import ParsingLimits, TesseractRecognizer
from dalil.parsing.ocr.table import words_of
from dalil.parsing.ocr.writing import recognized

_FOUND = TesseractRecognizer.found()
needs_tesseract = pytest.mark.skipif(
    _FOUND is None or not {"ara", "eng", "osd"} <= _FOUND.installed,
    reason="tesseract with Arabic and English is not installed: apt-get install tesseract-ocr tesseract-ocr-ara",
)
DOCLING = "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
LINES = (
    "The lamp in the hall is green and was",
    "bought in the year 1903 by Salim.",
    "",
    "One chair stands beside it.",
)


def picture(lines: tuple[str, ...] = LINES, turned: int = 0) -> Image.Image:
    """Lines of type on white."""
    image = Image.new("L", (1600, 700), 255)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(60)
    for number, line in enumerate(lines):
        pen.text((80, 80 + 110 * number), line, fill=0, font=font)
    return image.rotate(turned, expand=True, fillcolor=255)


def page_image(image: Image.Image, kind: str = "PNG") -> PageImage:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return PageImage("page", buffer.getvalue())


def program(folder: Path, script: str) -> str:
    """A program that is not tesseract."""
    path = folder / "tesseract"
    path.write_text(f"#!/bin/sh\ncase $1 in --list-langs) echo 'List:'; echo eng; echo osd; exit;; esac\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def rendered() -> Callable[[str], PageImage]:
    """The picture of a real document's first page."""
    import pypdfium2

    home = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("DALIL_DATA", home)) / "documents"

    def render(name: str) -> PageImage:
        if not (folder / name).exists():
            pytest.skip(f"the test document {name} is not here; DALIL_DATA names the folder that holds it")
        with pypdfium2.PdfDocument(folder / name) as document:
            return page_image(document[0].render(scale=300 / 72, grayscale=True).to_pil())

    return render


@needs_tesseract
def test_lines_and_paragraphs_are_kept() -> None:
    found = TesseractRecognizer().recognize(page_image(picture()))
    assert found.text.replace("\n\n", "\n") == "\n".join(line for line in LINES if line)
    assert found.engine == "tesseract"
    assert 0.85 < found.confidence <= 1
    assert found.warnings == ()


@needs_tesseract
@pytest.mark.parametrize("turned", [90, 180, 270])
def test_a_page_may_lie_on_its_side(rendered: Callable[[str], PageImage], turned: int) -> None:
    upright = rendered("vicksburg_ocr.pdf")
    with Image.open(io.BytesIO(upright.data or b"")) as image:
        found = TesseractRecognizer().recognize(page_image(image.rotate(turned, expand=True)))
    assert "did not last long; it became too conspicuous" in " ".join(found.text.split())


@needs_tesseract
@pytest.mark.parametrize("name", ["ocr_test.pdf", "ocr_test_rotated_90.pdf"])
def test_real_scans(rendered: Callable[[str], PageImage], name: str) -> None:
    assert " ".join(TesseractRecognizer().recognize(rendered(name)).text.split()) == DOCLING


@needs_tesseract
def test_arabic_comes_in_logical_order_and_its_digits_are_warned_about(rendered: Callable[[str], PageImage]) -> None:
    found = TesseractRecognizer().recognize(rendered("right_to_left_02.pdf"))
    assert "الحكومة المصرية تضع صوب أعينها خلال المرحلة المقبلة" in found.text
    assert [warning for warning in found.warnings if "digits on Arabic pages" in warning]
    assert found.confidence > 0.8


@needs_tesseract
def test_every_word_stands_where_its_box_is() -> None:
    image = picture()
    found = TesseractRecognizer().recognize(page_image(image))
    assert found.geometry is not None
    assert (found.geometry.width, found.geometry.height) == image.size
    words = list(found.geometry.placed_words())
    assert [found.text[word.start : word.end] for word in words] == found.text.split()
    for word in words:
        left, top, right, bottom = (
            round(edge * size) for edge, size in zip(word[2:], (*image.size, *image.size), strict=True)
        )
        ink = image.crop((left, top, right, bottom)).point(lambda value: 255 - value).getbbox()
        assert ink is not None
        assert ink[2] - ink[0] > 0.8 * (right - left)
    line = found.text.index("bought"), found.text.index("Salim.") + len("Salim.")
    assert len(found.geometry.boxes(1, *line)) == 1


def row(text: str, line: int, left: int, *, paragraph: int = 1, confidence: float = 90, word: int = 1) -> str:
    """A word in tesseract's table."""
    return f"5\t1\t1\t{paragraph}\t{line}\t{word}\t{left}\t{100 * line}\t50\t20\t{confidence}\t{text}"


def test_a_broken_word_is_whole_again_and_stands_in_two_places() -> None:
    table = "\n".join([row("old", 1, 10), row("conver-", 1, 80), row("sion", 2, 10), row("well-", 3, 10)])
    found = recognized(words_of(table), 1000, 1000, "tesseract", ())
    assert found.text == "old conversion\nwell-"
    assert found.geometry is not None
    assert [round(box.top, 2) for box in found.geometry.boxes(1, 4, 14)] == [0.1, 0.2]


def test_specks_are_left_out_and_confidence_is_weighted_by_length() -> None:
    table = "\n".join([row("| ~", 1, 10, confidence=5), row("lamp", 2, 10), row("chairs12", 2, 80, confidence=60), "x"])
    found = recognized(words_of(table), 1000, 1000, "tesseract", ())
    assert found.text == "lamp chairs12"
    assert found.confidence == pytest.approx((4 * 0.9 + 8 * 0.6) / 12)


def test_marks_of_direction_and_control_characters_do_not_reach_the_text() -> None:
    found = recognized(words_of(row("\u200fمصر\u202c\x07", 1, 10)), 100, 200, "tesseract", ())
    assert found.text == "مصر"


@needs_tesseract
@pytest.mark.parametrize("kind", ["JPEG", "GIF", "TIFF", "BMP", "WEBP"])
def test_any_kind_of_picture_is_read(kind: str) -> None:
    assert "green" in TesseractRecognizer().recognize(page_image(picture(), kind)).text


@needs_tesseract
def test_a_blank_picture_has_no_text() -> None:
    found = TesseractRecognizer().recognize(page_image(Image.new("L", (800, 800), 255)))
    assert (found.text, found.confidence) == ("", 0.0)


@needs_tesseract
def test_what_cannot_be_read_has_little_confidence() -> None:
    small = picture().resize((140, 61)).resize((1600, 700))
    assert TesseractRecognizer().recognize(page_image(small)).confidence < 0.7


@needs_tesseract
def test_what_is_not_installed_is_named_with_its_install_line() -> None:
    recognizer = TesseractRecognizer(languages=("eng",))
    assert recognizer.languages == ("eng",)
    recognizer = TesseractRecognizer()
    recognizer.__dict__["installed"] = frozenset({"eng", "osd"})
    found = recognizer.recognize(page_image(picture()))
    assert "green" in found.text
    assert len(found.warnings) == 1
    assert "apt-get install tesseract-ocr-ara" in found.warnings[0]


def test_nothing_is_started_to_find_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert TesseractRecognizer.found() is None
    program(tmp_path, "touch started")
    recognizer = TesseractRecognizer.found()
    assert recognizer is not None
    assert recognizer.at_once == (os.cpu_count() or 1)
    assert not (tmp_path / "started").exists()


@pytest.mark.skipif(os.name == "nt", reason="the programs of this test are shell scripts")
class TestAnotherProgram:
    """What the program may do wrong."""

    def test_one_that_hangs_is_killed(self, tmp_path: Path) -> None:
        recognizer = TesseractRecognizer(program(tmp_path, "exec sleep 60"), page_seconds=0.3)
        started = time.monotonic()
        with pytest.raises(DocumentTimeoutError, match=r"longer than 0\.3 seconds"):
            recognizer.recognize(page_image(picture()))
        assert time.monotonic() - started < 10

    def test_one_that_fails_says_why(self, tmp_path: Path) -> None:
        recognizer = TesseractRecognizer(program(tmp_path, "echo no such thing >&2; exit 3"))
        with pytest.raises(LoaderError, match=r"exit 3\): no such thing"):
            recognizer.recognize(page_image(picture()))

    def test_one_that_babbles_is_not_believed(self, tmp_path: Path) -> None:
        recognizer = TesseractRecognizer(program(tmp_path, "head -c 20000000 /dev/zero"))
        with pytest.raises(LoaderError, match="wrote more than"):
            recognizer.recognize(page_image(picture()))

    def test_one_that_writes_no_table_reads_nothing(self, tmp_path: Path) -> None:
        assert TesseractRecognizer(program(tmp_path, "echo hello")).recognize(page_image(picture())).text == ""

    def test_one_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(LoaderError, match="cannot be started"):
            TesseractRecognizer(str(tmp_path / "none")).recognize(page_image(picture()))

    def test_one_without_languages(self, tmp_path: Path) -> None:
        recognizer = TesseractRecognizer(program(tmp_path, "exit 1"))
        recognizer.__dict__["installed"] = frozenset({"osd"})
        with pytest.raises(NeedsOCRError):
            recognizer.recognize(page_image(picture()))

    def test_it_is_given_no_secrets(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOME_API_KEY", "very secret")
        recognizer = TesseractRecognizer(program(tmp_path, f"env > {tmp_path}/env"))
        recognizer.recognize(page_image(picture()))
        seen = (tmp_path / "env").read_text()
        assert "very secret" not in seen
        assert "OMP_THREAD_LIMIT=1" in seen


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", CorruptDocumentError),
        (b"no picture at all", CorruptDocumentError),
        (page_image(Image.new("1", (2001, 2000))).data, DocumentTooLargeError),
    ],
)
def test_what_is_no_picture_never_reaches_the_program(tmp_path: Path, data: bytes, error: type[Exception]) -> None:
    recognizer = TesseractRecognizer(program(tmp_path, "touch started"), limits=ParsingLimits(image_pixels=4_000_000))
    with pytest.raises(error):
        recognizer.recognize(PageImage("page", data))
