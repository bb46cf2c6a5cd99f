"""Pages that are nothing but a picture, for OCR or a vision model to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from lxml import etree

from dalil.errors import CorruptDocumentError, DocumentTooLargeError
from dalil.models import Page, PageImage, PageLayout
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.xml import name, reference
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.pictures import open_picture, page_of, png_of, safely

_REASON = "no text layer"


def pictures_of(package: OfficePackage, member: str, root: etree._Element) -> Iterator[str]:
    """The members that hold the pictures of a part, in their order; pictures elsewhere are left out."""
    relations = package.relations(member)
    for element in root.iter():
        tag = name(element)
        relation = relations.get(reference(element, "embed" if tag == "blip" else "id"))
        if tag in ("blip", "imagedata") and relation is not None and not relation.is_external:
            yield relation.target


def picture_page(package: OfficePackage, member: str, number: int, limits: ParsingLimits) -> Page | None:
    """A page without text that is the picture of a member; None, and a warning, for one that cannot be opened."""
    data = package.data(member)
    try:
        with safely(member), open_picture(data or b"", member, limits) as image:
            shown = page_of(image, limits)
            png = png_of(shown)
    except (CorruptDocumentError, DocumentTooLargeError) as error:
        package.warnings.append(f"page {number} holds a picture that was not read: {error.message}")
        return None
    package.warnings.append(f"page {number} has {_REASON}: needs OCR")
    return Page(
        number,
        image=PageImage(f"{PurePath(package.source_name).name}#page={number}", png),
        layout=PageLayout(0, 1.0, float(shown.width * shown.height)),
        reason=_REASON,
    )
