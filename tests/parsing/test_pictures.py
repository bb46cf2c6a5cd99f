"""Pictures as documents: a page for each, upright, grey, no larger than reading needs, refused before they cost."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from dalil.errors import CorruptDocumentError, DocumentError, DocumentTooLargeError
from dalil.models import Page, PageRoute, RawSource
from dalil.parsing import LayoutPageClassifier, ParsingLimits
from dalil.parsing.formats.picture import read


def drawn(size: tuple[int, int] = (300, 200), mode: str = "L") -> Image.Image:
    """White, with its upper left quarter black."""
    image = Image.new("L", size, 255)
    ImageDraw.Draw(image).rectangle((0, 0, size[0] // 2, size[1] // 2), fill=0)
    return image.convert(mode)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def pages_of(data: bytes, limits: ParsingLimits | None = None) -> tuple[list[Page], list[str]]:
    reading = read(data, RawSource("folder/scan", content=data), limits or ParsingLimits())
    return list(reading.pages), list(reading.warnings)


def shown(page: Page) -> Image.Image:
    assert page.image is not None
    assert page.image.data is not None
    image = Image.open(io.BytesIO(page.image.data))
    assert (image.format, image.mode) == ("PNG", "L")
    return image


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "L"), ("PNG", "RGB"), ("PNG", "1"), ("PNG", "I;16"), ("JPEG", "RGB"), ("JPEG", "CMYK"), ("GIF", "P"),
        ("TIFF", "1"), ("TIFF", "RGB"), ("BMP", "RGB"), ("WEBP", "RGB"),
    ],
)  # fmt: skip
def test_every_kind_is_one_page_for_ocr(kind: str, mode: str) -> None:
    image = drawn().convert("I;16").point(lambda value: value * 257) if mode == "I;16" else drawn(mode=mode)
    (page,), warnings = pages_of(saved(image, kind))
    picture = shown(page)
    assert picture.size == (300, 200)
    assert picture.getpixel((50, 50)) < 20
    assert picture.getpixel((250, 150)) > 235
    assert (page.number, page.text, page.reason, warnings) == (1, "", "picture", [])
    assert page.layout is not None
    assert (page.layout.text_chars, page.layout.image_area_ratio) == (0, 1.0)
    assert LayoutPageClassifier().classify(page) is PageRoute.VISION


def test_what_is_transparent_is_white() -> None:
    image = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle((0, 0, 50, 50), fill=(0, 0, 0, 255))
    (page,), _ = pages_of(saved(image, "PNG"))
    assert (shown(page).getpixel((10, 10)), shown(page).getpixel((90, 90))) == (0, 255)


def test_each_page_of_a_tiff_is_a_page() -> None:
    data = saved(drawn(), "TIFF", save_all=True, append_images=[drawn((200, 300)), drawn((90, 90))], dpi=(300, 300))
    pages, warnings = pages_of(data)
    assert [page.number for page in pages] == [1, 2, 3]
    assert [shown(page).size for page in pages] == [(300, 200), (200, 300), (90, 90)]
    assert warnings == []
    assert pages[0].geometry is not None
    assert (pages[0].geometry.width, pages[0].geometry.height) == pytest.approx((72, 48))


def test_a_damaged_page_of_a_tiff_costs_only_itself() -> None:
    pictures = [Image.effect_noise((64, 64), 90) for _ in range(3)]
    data = bytearray(saved(pictures[0], "TIFF", save_all=True, append_images=pictures[1:], compression="tiff_deflate"))
    with Image.open(io.BytesIO(bytes(data))) as image:
        image.seek(1)
        (offset,) = image.tag_v2[273]
    data[offset : offset + 60] = b"\xff" * 60
    pages, warnings = pages_of(bytes(data))
    assert [page.image is not None for page in pages] == [True, False, True]
    assert [warning.partition(":")[0] for warning in warnings] == ["page 2 could not be read"]


def test_of_an_animation_the_first_frame_is_read() -> None:
    data = saved(drawn(), "GIF", save_all=True, append_images=[drawn().rotate(90), drawn().rotate(180)])
    pages, warnings = pages_of(data)
    assert len(pages) == 1
    assert warnings == ["only the first of 3 frames was read: the picture is animated"]


def test_a_photograph_is_turned_as_its_camera_says() -> None:
    exif = Image.Exif()
    exif[274] = 6  # it must be turned to the right
    (page,), _ = pages_of(saved(drawn(), "JPEG", exif=exif))
    assert shown(page).size == (200, 300)
    assert shown(page).getpixel((150, 50)) < 20
    assert page.geometry is not None
    assert page.geometry.width < page.geometry.height


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_a_large_picture_becomes_smaller(kind: str) -> None:
    (page,), _ = pages_of(saved(drawn((3000, 1000)), kind, dpi=(300, 300)), ParsingLimits(render_pixels=300_000))
    width, height = shown(page).size
    assert 250_000 < width * height <= 300_000
    assert width / height == pytest.approx(3, abs=0.02)
    assert page.geometry is not None
    assert page.geometry.width == pytest.approx(720, rel=0.01)


@pytest.mark.parametrize(("side", "message"), [(1100, "1100 x 1100 pixels; the limit is 1000000"), (20_000, "pixels")])
def test_too_many_pixels_are_refused_before_they_are_decoded(side: int, message: str) -> None:
    data = saved(Image.new("1", (side, side)), "PNG")
    with pytest.raises(DocumentTooLargeError, match=message):
        pages_of(data, ParsingLimits(image_pixels=1_000_000))


def test_a_large_frame_behind_a_small_one_is_refused_too() -> None:
    data = saved(drawn(), "TIFF", save_all=True, append_images=[Image.new("L", (1100, 1100))])
    with pytest.raises(DocumentTooLargeError):
        pages_of(data, ParsingLimits(image_pixels=1_000_000))


def test_too_many_pages_are_refused() -> None:
    data = saved(drawn(), "TIFF", save_all=True, append_images=[drawn()] * 3)
    with pytest.raises(DocumentTooLargeError, match="4 pages; the limit is 3"):
        pages_of(data, ParsingLimits(pages=3))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP"])
def test_damage_is_a_typed_error(kind: str) -> None:
    data = saved(Image.effect_noise((200, 200), 90), kind)
    for damaged in (data[: len(data) // 2], data[:12], data[:40] + b"\0" * 40 + data[80:200]):
        try:
            pages, _ = pages_of(damaged)
        except DocumentError:
            continue
        assert all(page.image for page in pages)  # what its library can still make of it


def test_half_a_picture_is_an_error() -> None:
    data = saved(Image.effect_noise((200, 200), 90), "PNG")
    with pytest.raises(CorruptDocumentError, match="folder/scan is a damaged picture"):
        pages_of(data[: len(data) // 2])
