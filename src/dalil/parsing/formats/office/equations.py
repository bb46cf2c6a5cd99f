"""Equations (Office Math) as linear text: `(a+b)/(2)`, `x^2`, `√(x)`, `∑_(i=1)^(n)`."""

from __future__ import annotations

from lxml import etree

from dalil.parsing.formats.office.xml import child, children, is_on, name, value

_DEEPEST = 60
_PROPERTIES = frozenset({"rPr", "ctrlPr", "argPr"})
_INTEGRAL = "∫"


def linear(element: etree._Element, depth: int = 0) -> str:
    """The text of an `m:oMath` element or of any part of one."""
    if depth > _DEEPEST:
        return "".join(found.text or "" for found in element.iter() if name(found) == "t")
    tag = name(element)
    if tag == "t":
        return element.text or ""
    if tag in _PROPERTIES or tag.endswith("Pr"):
        return ""
    write = _WRITERS.get(tag)
    return write(element, depth + 1) if write else _all(element, depth + 1)


def _all(element: etree._Element, depth: int) -> str:
    return "".join(linear(part, depth) for part in element)


def _part(element: etree._Element, wanted: str, depth: int) -> str:
    found = child(element, wanted)
    return _all(found, depth) if found is not None else ""


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _fraction(element: etree._Element, depth: int) -> str:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    if value(child(element, "fPr", "type")) == "noBar":
        return f"({above} ¦ {below})"
    return f"{_grouped(above)}/{_grouped(below)}"


def _scripts(element: etree._Element, depth: int) -> str:
    base, below, above = (_part(element, part, depth) for part in ("e", "sub", "sup"))
    return base + (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")


def _scripts_before(element: etree._Element, depth: int) -> str:
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    before = (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
    return f"{before} {_part(element, 'e', depth)}"


def _root(element: etree._Element, depth: int) -> str:
    degree = "" if is_on(child(element, "radPr", "degHide")) else _part(element, "deg", depth)
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"root_{_grouped(degree)}")
    return f"{sign}({_part(element, 'e', depth)})"


def _large_operator(element: etree._Element, depth: int) -> str:
    sign = value(child(element, "naryPr", "chr")) or _INTEGRAL
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    limits = (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
    return f"{sign}{limits} {_part(element, 'e', depth)}"


def _brackets(element: etree._Element, depth: int) -> str:
    properties = child(element, "dPr")
    opening, closing, between = (
        value(found) if (found := child(properties, part)) is not None else usual
        for part, usual in (("begChr", "("), ("endChr", ")"), ("sepChr", "|"))
    )
    return opening + between.join(_all(part, depth) for part in children(element, "e")) + closing


def _function(element: etree._Element, depth: int) -> str:
    return f"{_part(element, 'fName', depth)} {_part(element, 'e', depth)}".strip()


def _limit_below(element: etree._Element, depth: int) -> str:
    return f"{_part(element, 'e', depth)}_{_grouped(_part(element, 'lim', depth))}"


def _limit_above(element: etree._Element, depth: int) -> str:
    return f"{_part(element, 'e', depth)}^{_grouped(_part(element, 'lim', depth))}"


def _accent(element: etree._Element, depth: int) -> str:
    # A combining mark follows the letter it stands over.
    return _part(element, "e", depth) + (value(child(element, "accPr", "chr")) or "\u0302")


def _matrix(element: etree._Element, depth: int) -> str:
    rows = [", ".join(_all(cell, depth) for cell in children(row, "e")) for row in children(element, "mr")]
    return "[" + "; ".join(rows) + "]"


def _lines(element: etree._Element, depth: int) -> str:
    return "; ".join(_all(part, depth) for part in children(element, "e"))


_WRITERS = {
    "f": _fraction,
    "sSub": _scripts,
    "sSup": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts_before,
    "rad": _root,
    "nary": _large_operator,
    "d": _brackets,
    "func": _function,
    "limLow": _limit_below,
    "limUpp": _limit_above,
    "acc": _accent,
    "m": _matrix,
    "eqArr": _lines,
}
