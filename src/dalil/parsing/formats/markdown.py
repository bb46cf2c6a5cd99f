"""Markdown: already what pages are written in, so only the front matter is taken out."""

from __future__ import annotations

import re

from dalil.models import Page, RawSource
from dalil.parsing.characters import clean, one_line
from dalil.parsing.encodings import decode
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^([A-Za-z_][\w-]*):[ \t]+(\S.*)$", re.MULTILINE)
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_TOP_HEADING = re.compile(r"^# +(.+?)(?: +#+)?$|^(\S.*)\n=+$", re.MULTILINE)


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page. Scalar fields of the front matter stay together under `front_matter`.

    They are not spread over the document's metadata: filters read that, and a document must not be able to place
    itself inside someone's filter.
    """
    text = clean(decode(data))
    fields: dict[str, str] = {}
    found = _FRONT_MATTER.match(text)
    if found:
        fields = {name: value.strip().strip("\"'") for name, value in _FIELD.findall(found[1])}
        text = text[found.end() :]
    text = text.strip("\n")
    title = fields.get("title") or _first_heading(text)
    return Reading((Page(1, text),), title, {"front_matter": fields} if fields else {})


def _first_heading(text: str) -> str | None:
    """The first level-1 heading that does not stand in a code block."""
    found = _TOP_HEADING.search(_FENCED.sub("", text))
    return one_line(found[1] or found[2]) if found else None
