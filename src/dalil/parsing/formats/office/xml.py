"""XML parts, and their elements by local names, so that strict and transitional files read alike."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from dalil.errors import CorruptDocumentError


def parse_xml(data: bytes, document: str, part: str) -> etree._Element:
    """The root of one part. Entities, document types and the network stay out of it.

    Raises:
        CorruptDocumentError: it is not well-formed, nests absurdly deep, or declares a document type, which no
            office program writes.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise CorruptDocumentError(f"{document} holds a damaged part ({part}).") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise CorruptDocumentError(f"{document} declares a document type in {part}.")
    return root


def name(element: etree._Element) -> str:
    """The local name."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value(element: etree._Element | None, attribute: str = "val") -> str:
    """An attribute by its local name; an empty string where there is none."""
    if element is not None:
        for key, found in element.attrib.items():
            if str(key).rpartition("}")[2] == attribute:
                return str(found)
    return ""


def reference(element: etree._Element | None, attribute: str = "id") -> str:
    """The id of a relationship (`r:id`), not to be taken for an element's own `id`."""
    if element is not None:
        for key, found in element.attrib.items():
            namespace, _, local = str(key).rpartition("}")
            if local == attribute and namespace.endswith("relationships"):
                return str(found)
    return ""


def number(element: etree._Element | None, attribute: str = "val", default: int = 0) -> int:
    """An attribute as a whole number."""
    text = value(element, attribute)
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 10 else default


def children(element: etree._Element | None, wanted: str) -> Iterator[etree._Element]:
    """The children of one local name."""
    if element is not None:
        for child in element:
            if name(child) == wanted:
                yield child


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The first element on a path of local names, or None."""
    for step in path:
        element = next(children(element, step), None)
        if element is None:
            return None
    return element


def is_on(element: etree._Element | None) -> bool:
    """Whether an on-off property is there and not switched off."""
    return element is not None and value(element) not in ("0", "false", "off", "none")
