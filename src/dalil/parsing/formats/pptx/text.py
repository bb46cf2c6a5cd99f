"""The paragraphs of a shape: bullets and numbers as list items, the rest as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lxml import etree

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.counting import written
from dalil.parsing.formats.office.equations import linear
from dalil.parsing.formats.office.xml import child, children, name, number, value
from dalil.parsing.markup import list_item

_NUMBER_FORMATS = (
    ("alphaLc", "lowerLetter"),
    ("alphaUc", "upperLetter"),
    ("romanLc", "lowerRoman"),
    ("romanUc", "upperRoman"),
    ("arabicAlpha", "arabicAlpha"),
    ("arabicAbjad", "arabicAbjad"),
)
_BULLETS = frozenset({"buNone", "buChar", "buAutoNum", "buBlip"})
_LEVELS = 9


def paragraph_text(paragraph: etree._Element) -> str:
    """The runs of an `a:p` in order, line breaks as newlines."""
    parts: list[str] = []
    stack: list[Iterator[etree._Element]] = [iter(paragraph)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
            continue
        tag = name(element)
        if tag == "t":
            parts.append(element.text or "")
        elif tag == "br":
            parts.append("\n")
        elif tag == "oMath":
            parts.append(linear(element))
        elif tag == "AlternateContent":
            stack.append(iter(list(element)[:1]))
        elif not tag.endswith("Pr"):
            stack.append(iter(element))
    return "".join(parts)


def body_text(body: etree._Element | None) -> str:
    """All paragraphs of a text body on one line."""
    return one_line(" ".join(paragraph_text(paragraph) for paragraph in children(body, "p")))


def body_blocks(body: etree._Element | None, styles: Sequence[etree._Element]) -> Iterator[str]:
    """The paragraphs of a text body as blocks.

    `styles` are the list styles that the paragraphs take after, the nearest first (`a:lstStyle` and the like).
    """
    counters = [0] * _LEVELS
    for paragraph in children(body, "p"):
        text = paragraph_text(paragraph).strip()
        if not text:
            continue
        own = child(paragraph, "pPr")
        level = min(max(0, number(own, "lvl")), _LEVELS - 1)
        bullet = _bullet([own, *(child(style, f"lvl{level + 1}pPr") for style in styles)])
        tag = name(bullet) if bullet is not None else "buNone"
        if tag == "buAutoNum":
            counters[level] = counters[level] + 1 if counters[level] else max(1, number(bullet, "startAt", default=1))
            counters[level + 1 :] = [0] * (_LEVELS - level - 1)
            yield list_item(text, label=_label(counters[level], value(bullet, "type")), depth=level)
            continue
        counters[level:] = [0] * (_LEVELS - level)
        yield text if tag == "buNone" else list_item(text, depth=level)


def _bullet(properties: Sequence[etree._Element | None]) -> etree._Element | None:
    """The nearest word on bullets."""
    for one in properties:
        for element in one if one is not None else ():
            if name(element) in _BULLETS:
                return element
    return None


def _label(count: int, kind: str) -> str:
    text = written(count, next((known for start, known in _NUMBER_FORMATS if kind.startswith(start)), "decimal"))
    if kind.endswith("ParenBoth"):
        return f"({text})"
    return f"{text})" if kind.endswith("ParenR") else f"{text}."
