"""Recognising what fills a table's cells: amounts, shares, dates, and the signs set apart from them."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"[(\[<>~≈]{0,2}[+\-−–—]?(?:US|C|A|HK|NT)?[$€£¥₹]?\(?[+\-−–—]?\d(?:[\d.,:/'’٫٬\-–]*\d)?\)?"
    r"(?:%|٪|x|bps|pts)?[)\]]{0,2}(?:%|٪)?[*†‡]{0,2}(?:\(\d\))?"
)
_CODE = re.compile(r"(?:US|C|A|HK|NT)[$€£¥₹]")
_DASH = re.compile(r"[$€£¥]?[-−–—]{1,3}[%٪]?")
_NOTHING = frozenset({"n/a", "N/A", "NM", "nm", "N/M", "n/m", "n.a.", "*", "NM*"})
_CURRENCY = frozenset("$ € £ ¥ ₹ US$ C$ A$ HK$ NT$ $( €( £( USD EUR GBP SAR AED EGP ر.س د.إ ج.م".split())
_OPENING = frozenset("( [ + - −".split())
_CLOSING = frozenset("% ٪ ) )% ]  )٪ %) pts bps *".split())
_YEAR = re.compile(r"(?:19|20)\d\d|١٤\d\d|٢٠\d\d|١٩\d\d")
_LEADERS = re.compile(r"[.…·_]{3,}")


def is_number(text: str) -> bool:
    """Whether text without spaces is what a cell of numbers holds: an amount, a share, a date, a dash for nothing."""
    if text[:1].isalpha() and not _CODE.match(text):
        return text in _NOTHING
    return bool(_NUMBER.fullmatch(text) or _DASH.fullmatch(text)) or text in _NOTHING


def is_year(text: str) -> bool:
    """Whether a number is a year, which heads columns more often than it fills cells."""
    return bool(_YEAR.fullmatch(text))


def is_currency(text: str) -> bool:
    """Whether a word is the sign or the code of a currency alone, before its amount."""
    return text in _CURRENCY


def precedes_number(text: str) -> bool:
    """Whether a word standing alone belongs to the number after it: a currency or an opening bracket."""
    return text in _CURRENCY or text in _OPENING


def follows_number(text: str) -> bool:
    """Whether a word standing alone belongs to the number before it: a per cent sign or a closing bracket."""
    return text in _CLOSING


def is_leader(text: str) -> bool:
    """Whether a word is a row of dots that leads to a page number."""
    return bool(_LEADERS.fullmatch(text))
