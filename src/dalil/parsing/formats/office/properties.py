"""What an office document says of itself: its title, and metadata as plain strings."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from dalil.parsing.characters import clean, one_line
from dalil.parsing.formats.office.xml import name

_LONGEST = 500
# The element's local name in Open XML (Dublin Core) and in OpenDocument, and what it is called here; the first
# of a name that has a value wins.
_NAMES = {
    "title": "title",
    "creator": "author",
    "initial-creator": "author",
    "created": "created",
    "creation-date": "created",
    "modified": "modified",
    "date": "modified",
    "subject": "subject",
    "keywords": "keywords",
    "keyword": "keywords",
    "description": "description",
    "language": "language",
}


@dataclass(frozen=True)
class DocumentProperties:
    """A title (or an empty string), and `author`, `created`, `modified` and the like where they are given."""

    title: str = ""
    metadata: dict[str, object] = field(default_factory=dict)


def properties_of(container: etree._Element | None) -> DocumentProperties:
    """The properties among the children of an element."""
    found: dict[str, str] = {}
    for element in container if container is not None else ():
        known = _NAMES.get(name(element))
        text = one_line(clean(element.text or ""))[:_LONGEST]
        if known and text:
            found.setdefault(known, text)
    title = found.pop("title", "")
    return DocumentProperties(title, dict(found))
