"""Markdown: already what pages are written in, so only the front matter is taken out."""

from __future__ import annotations

import re

from dalil.models import Page, RawSource
from dalil.parsing.characters import Cleaner, one_line
from dalil.parsing.encodings import decode
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^([A-Za-z_][\w-]*):[ \t]+(\S.*)$", re.MULTILINE)
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_CODE_OR_COMMENT = re.compile(
    r"^(?P<fence>```|~~~).*?(?:^(?P=fence)|\Z)|`[^`\n]+`|<!--(?P<comment>.*?)(?:-->|\Z)", re.DOTALL | re.MULTILINE
)
_TOP_HEADING = re.compile(r"^# +(\S.*)$|^(\S.*)\n=+$", re.MULTILINE)


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page. Scalar fields of the front matter stay together under `front_matter`.

    They are not spread over the document's metadata: filters read that, and a document must not be able to place
    itself inside someone's filter.
    """
    cleaner = Cleaner()
    text = cleaner.clean(decode(data))
    fields: dict[str, str] = {}
    found = _FRONT_MATTER.match(text)
    if found:
        fields = {name: value.strip().strip("\"'") for name, value in _FIELD.findall(found[1])}
        text = text[found.end() :]
    text, comments = _without_comments(text)
    text = text.strip("\n")
    warnings = cleaner.warnings()
    if comments:
        warnings.append(f"hidden text was left out: {comments} characters in HTML comments")
    title = fields.get("title") or _first_heading(text)
    return Reading((Page(1, text),), title, {"front_matter": fields} if fields else {}, warnings)


def _without_comments(text: str) -> tuple[str, int]:
    """The text without HTML comments outside code, which no rendering shows, and how many characters they held."""
    left_out = 0

    def judge(match: re.Match[str]) -> str:
        nonlocal left_out
        if match["comment"] is None:
            return match[0]
        left_out += len(match["comment"].strip())
        return ""

    return _CODE_OR_COMMENT.sub(judge, text), left_out


def _first_heading(text: str) -> str | None:
    """The first level-1 heading that does not stand in a code block."""
    found = _TOP_HEADING.search(_FENCED.sub("", text))
    if found is None:
        return None
    title = one_line(found[1] or found[2])
    unclosed = title.rstrip("#")
    return unclosed.rstrip(" ") if found[1] and unclosed.endswith(" ") else title
