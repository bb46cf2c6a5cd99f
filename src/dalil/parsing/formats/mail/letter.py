"""What a message says, whichever program stored it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from dalil.models import RawSource
from dalil.parsing.characters import Cleaner, one_line
from dalil.parsing.formats.html.page import page_of
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import join_blocks

FIELDS = ("From", "To", "Cc", "Date", "Subject")
_LONGEST_FIELD = 2000
_LONGEST_NAME = 120
_FORBIDDEN_IN_NAMES = re.compile(r'[\x00-\x1f\x7f<>:"|?*]')
_TNEF = ("winmail.dat", "win.dat")
_UNNAMED = "attachment"


class Letter:
    """Collects a message: fields, bodies and messages inside it as text, attachments as documents of their own."""

    def __init__(self, limits: ParsingLimits) -> None:
        self.limits = limits
        self.subject: str | None = None
        self.body: list[str] = []
        self.attachments: list[RawSource] = []
        self.locked = False
        self._fields: dict[str, str] = {}
        self._cleaner = Cleaner()
        self._hidden = 0
        self._left_out = 0
        self._in_outlook_format = 0
        self._bytes = 0
        self._names: set[str] = set()

    def add_fields(self, fields: Mapping[str, str], *, inner: bool) -> None:
        """The fields of the header as one block of lines. Those of an `inner` message stand within the body."""
        cleaned = {name: one_line(self._cleaner.clean(text))[:_LONGEST_FIELD] for name, text in fields.items()}
        kept = {name: cleaned[name] for name in FIELDS if cleaned.get(name)}
        if not inner:
            self.subject = kept.get("Subject")
            self._fields = kept
        elif kept:
            self.body.append("\n".join(f"{name}: {text}" for name, text in kept.items()))

    def add_html(self, markup: str) -> bool:
        """A body in HTML; False where it shows nothing."""
        page = page_of(self._cleaner.clean(markup), keep_boilerplate=True)
        self._hidden += page.hidden
        text = self._cleaner.clean(page.text).strip()
        if text:
            self.body.append(text)
        return bool(text)

    def add_plain(self, text: str) -> None:
        """A body in plain text."""
        text = self._cleaner.clean(text).strip("\n").rstrip()
        if text.strip():
            self.body.append(text)

    def attach(self, name: str, content: bytes, media_type: str) -> None:
        """An attached document, if there are not too many already."""
        name = _harmless(self._cleaner.clean(name)) or _UNNAMED
        if name.lower() in _TNEF or media_type == "application/ms-tnef":
            self._in_outlook_format += 1
            return
        self._bytes += len(content)
        if len(self.attachments) >= self.limits.attachments or self._bytes > self.limits.archive_bytes:
            self._left_out += 1
        elif content:
            self.attachments.append(RawSource(self._unique(name), content=content, media_type=media_type or None))

    def text(self) -> str:
        """The page: the fields, and after them everything that is written."""
        head = "\n".join(f"{name}: {text}" for name, text in self._fields.items())
        return join_blocks([head, *self.body])

    def metadata(self) -> dict[str, object]:
        """The fields together under `mail`. Filters read the document's metadata, and a sender must not choose them."""
        return {"mail": {name.lower(): text for name, text in self._fields.items()}} if self._fields else {}

    def warnings(self) -> list[str]:
        """What was left out, and why."""
        found: list[str] = []
        if self._hidden:
            found.append(f"hidden text was left out: {self._hidden} characters that the message does not show")
        found.extend(self._cleaner.warnings())
        if self._left_out:
            found.append(f"attachments beyond the limits were left out: {self._left_out}")
        if self._in_outlook_format:
            found.append("winmail.dat holds attachments in Outlook's own format, which cannot be read")
        if self.locked:
            found.append("an encrypted part was left out")
        return found

    def _unique(self, name: str) -> str:
        stem, ending = posixpath.splitext(name)
        candidate, count = name, 1
        while candidate.lower() in self._names:
            count += 1
            candidate = f"{stem} ({count}){ending}"
        self._names.add(candidate.lower())
        return candidate


def _harmless(name: str) -> str:
    """A file name that leads nowhere: without folders, controls and the characters that systems forbid."""
    name = one_line(_FORBIDDEN_IN_NAMES.sub(" ", name)).replace("\\", "/").rpartition("/")[2].strip(". ")
    stem, ending = posixpath.splitext(name)
    return stem[:_LONGEST_NAME] + ending[:20]
