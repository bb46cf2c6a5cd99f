"""PPTX: one page per slide, its shapes in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from dalil.errors import CorruptDocumentError
from dalil.models import Page, RawSource
from dalil.parsing.archives import open_archive
from dalil.parsing.characters import clean
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.pictures import picture_page, pictures_of
from dalil.parsing.formats.office.xml import child, children, reference
from dalil.parsing.formats.pptx.deck import Deck
from dalil.parsing.formats.pptx.slide import SlideReader
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import join_blocks
from dalil.parsing.reading import Reading

_USUAL_PLACE = "ppt/presentation.xml"


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """A page for each slide, in the order of the show. Hidden slides are read, with a warning.

    Embedded office documents are attachments.

    Raises:
        CorruptDocumentError: the archive or its main part is damaged, or there are no slides.
        DocumentTooLargeError: it unpacks to more than the limits allow, or a table has too many cells.
        EncryptedDocumentError: a part is locked.
    """
    package = OfficePackage(open_archive(data, source.name, limits), source.name, _USUAL_PLACE)
    relations = package.relations(package.main)
    slides = [relations[slide_id].target for slide_id in _slide_ids(package) if slide_id in relations]
    if not slides:
        raise CorruptDocumentError(f"{source.name} has no slides.")
    properties = package.properties
    links = package.links(*slides)
    return Reading(
        _pages(package, slides, limits),
        properties.title or None,
        {**properties.metadata, **({"links": links} if links else {})},
        package.warnings,
        package.embedded(limits, *slides),
    )


def _slide_ids(package: OfficePackage) -> Iterator[str]:
    for slide in children(child(package.document, "sldIdLst"), "sldId"):
        yield reference(slide)


def _pages(package: OfficePackage, slides: list[str], limits: ParsingLimits) -> Iterator[Page]:
    deck = Deck(package)
    for number, member in enumerate(slides, 1):
        root = package.root(member)
        if root is None:
            package.warnings.append(f"page {number} could not be read: the slide is damaged or missing")
            yield Page(number)
            continue
        reader = SlideReader(deck, member, root, limits)
        text = clean(join_blocks(reader.blocks(number)))
        if reader.is_hidden:
            package.warnings.append(f"page {number} is a hidden slide")
        for what in dict.fromkeys(reader.left_out):
            package.warnings.append(f"page {number} holds {what} with text, which was left out")
        yield (None if text else _picture(package, member, root, number, limits)) or Page(number, text)


def _picture(
    package: OfficePackage, member: str, root: etree._Element, number: int, limits: ParsingLimits
) -> Page | None:
    """The largest picture of a slide without text, as a page; None where there is none."""
    found = dict.fromkeys(pictures_of(package, member, root))
    largest = max(found, key=lambda picture: len(package.data(picture) or b""), default=None)
    return picture_page(package, largest, number, limits) if largest else None
