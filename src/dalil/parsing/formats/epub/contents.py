"""A book's table of contents: which file has which title."""

from __future__ import annotations

from collections.abc import Callable

from dalil.errors import CorruptDocumentError
from dalil.parsing.characters import one_line
from dalil.parsing.formats.epub.xml import attribute, elements, parse_xml, text_of


def titles_of(data: bytes, resolve: Callable[[str], str]) -> dict[str, str]:
    """Titles by the file they lead to: the entry for the whole file, or the only one that leads into it.

    A damaged table of contents costs the titles, not the book.
    """
    try:
        root = parse_xml(data, "", "")
    except CorruptDocumentError:
        return {}
    entries: list[tuple[str, str]] = []
    for point in elements(root, "navPoint"):
        label = next(elements(point, "text"), None)
        content = next(elements(point, "content"), None)
        if label is not None and content is not None:
            entries.append((attribute(content, "src"), label.text or ""))
    for nav in elements(root, "nav"):
        if attribute(nav, "type") in ("toc", ""):
            entries.extend((attribute(link, "href"), text_of(link)) for link in elements(nav, "a"))
    whole: dict[str, str] = {}
    parts: dict[str, list[str]] = {}
    for link, title in entries:
        place = resolve(link)
        if "#" not in link:
            whole.setdefault(place, one_line(title))
        parts.setdefault(place, []).append(one_line(title))
    return {**{place: titles[0] for place, titles in parts.items() if len(titles) == 1}, **whole}
