"""Which kind of text a text is: its content decides, its name and declared type only where both are plausible."""

from __future__ import annotations

import csv
import json
import re

from dalil.parsing.kinds import Format

_MARKDOWN_NAMES = (".md", ".markdown", ".mdown", ".mkd")
_HTML_NAMES = (".html", ".htm", ".xhtml", ".xht")
_CSV_NAMES = (".csv", ".tsv", ".tab", ".psv")
# Programs that export tables of text give them the names of spreadsheets.
_SHEET_NAMES = (".xls", ".xlsx")
_CSV_TYPES = ("text/csv", "text/tab-separated-values", "application/csv")
_JSON_NAMES = (".json", ".geojson", ".jsonld", ".ipynb")
_JSONL_NAMES = (".jsonl", ".ndjson")
_MAIL_NAMES = (".eml", ".mht", ".mhtml", ".mbox")
_NAMED_TEXT = re.compile(r"\.[a-z][a-z0-9]{0,9}$")
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.DOTALL
)
_TAG = re.compile(r"<[a-z][a-z0-9]*[\s>/]", re.I)
_JSON_START = re.compile(
    r"""\s*(?:\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:)
    |\[\s*(?:\]|\{\s*["}]|\[\s*["\[{\]\d-]|"(?:[^"\\]|\\.)*"\s*[,\]]|(?:-?\d[\d.eE+-]*|true|false|null)\s*,))""",
    re.VERBOSE,
)
_JSON_LINE = re.compile(r'\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:).*\}')
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,60}):(?:[ \t]|$)")
_ADDRESSING = frozenset("from to cc subject date sender reply-to".split())
_TRANSPORT = frozenset("message-id received mime-version return-path delivered-to x-mailer dkim-signature".split())
_HEADER_LINES = 200
_LEAST_ROWS = 5


def kind_of_text(sample: str, name: str, media_type: str, *, whole: bool) -> Format:
    """The kind of text that begins with `sample`; `name` and `media_type` are in lower case.

    `whole` says that there is no more text than the sample.
    """
    if _is_mail(sample, hinted=name.endswith(_MAIL_NAMES) or media_type.startswith("message/rfc822")):
        return Format.EML
    if _HTML_START.match(sample):
        return Format.HTML
    if (name.endswith(_HTML_NAMES) or "html" in media_type) and _TAG.search(sample):
        return Format.HTML
    if name.endswith(_MARKDOWN_NAMES) or media_type.startswith("text/markdown"):
        return Format.MARKDOWN
    json_kind = _json_kind(sample, name, media_type, whole=whole)
    if json_kind is not None:
        return json_kind
    if name.endswith(_CSV_NAMES) or media_type.startswith(_CSV_TYPES):
        return Format.CSV
    untold = not _NAMED_TEXT.search(name) and media_type in ("", "application/octet-stream")
    if (untold or name.endswith(_SHEET_NAMES)) and _is_table(sample, whole):
        return Format.CSV
    return Format.TEXT


def _is_mail(sample: str, *, hinted: bool) -> bool:
    """Whether it begins with the header of a message, up to an empty line.

    Unless its name says so, it must hold a field that only mail programs write: notes may begin with "From: ...".
    """
    found: set[str] = set()
    lines = sample.lstrip("\n\r").split("\n", _HEADER_LINES)[:_HEADER_LINES]
    for number, line in enumerate(lines):
        line = line.rstrip("\r")
        if not line:
            break
        if (number == 0 and line.startswith("From ")) or (number and line[0] in " \t"):
            continue
        header = _HEADER.match(line)
        if header is None:
            return False
        found.add(header[1].lower())
    if hinted:
        return bool(found & (_ADDRESSING | _TRANSPORT))
    return bool(found & _ADDRESSING) and bool(found & _TRANSPORT)


def _json_kind(sample: str, name: str, media_type: str, *, whole: bool) -> Format | None:
    """JSON or JSON Lines if it begins like one and, where the sample is the whole text, parses or is named so."""
    if not _JSON_START.match(sample):
        return None
    lines = [line for line in sample.split("\n", _HEADER_LINES) if line.strip()]
    complete = lines if whole else lines[:-1]
    if len(complete) > 1 and all(_JSON_LINE.fullmatch(line.strip()) for line in complete[:2]):
        return Format.JSONL
    if name.endswith(_JSONL_NAMES) or "jsonl" in media_type or "ndjson" in media_type:
        return Format.JSONL
    if name.endswith(_JSON_NAMES) or "json" in media_type or not whole:
        return Format.JSON
    try:
        json.loads(sample)
    except (ValueError, RecursionError):
        return None
    return Format.JSON


def _is_table(sample: str, whole: bool) -> bool:
    """Whether every line of a text without a telling name splits at the same character into as many fields."""
    lines = sample.split("\n") if whole else sample.split("\n")[:-1]
    text = [line for line in lines[:_HEADER_LINES] if line.strip()]
    if len(text) < _LEAST_ROWS:
        return False
    for delimiter in "\t;|,":
        try:
            widths = {len(row) for row in csv.reader(text, delimiter=delimiter)}
        except csv.Error:
            continue
        if len(widths) == 1 and widths.pop() >= 3:
            return True
    return False
