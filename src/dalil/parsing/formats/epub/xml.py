"""The XML parts of an e-book by local names, without entities, document types or the network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from dalil.errors import CorruptDocumentError


def parse_xml(data: bytes, document: str, part: str) -> etree._Element:
    """The root of one part. A document type may be named, as NCX files do, but must define nothing.

    Raises:
        CorruptDocumentError: it is not well-formed, or defines entities.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data.strip(), parser)
    except etree.XMLSyntaxError as error:
        raise CorruptDocumentError(f"{document} holds a damaged part ({part}).") from error
    definitions: Any = root.getroottree().docinfo.internalDTD
    if definitions is not None and any(True for _ in definitions.iterentities()):
        raise CorruptDocumentError(f"{document} defines entities in {part}.")
    return root


def elements(root: etree._Element | None, wanted: str) -> Iterator[etree._Element]:
    """All elements of one local name under `root`, itself included."""
    if root is not None:
        yield from root.iter("{*}" + wanted)


def text_of(element: etree._Element) -> str:
    """All text inside an element."""
    return "".join(str(part) for part in element.itertext()).strip()


def attribute(element: etree._Element, name: str) -> str:
    """An attribute by its local name; an empty string where there is none."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")
