"""Following the control words of an RTF document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dalil.errors import DocumentTooLargeError
from dalil.models import Page
from dalil.parsing.formats.rtf.charsets import of_page, of_word
from dalil.parsing.formats.rtf.destinations import Destinations
from dalil.parsing.formats.rtf.fonts import Fonts
from dalil.parsing.formats.rtf.state import Group, Paragraph
from dalil.parsing.formats.rtf.tables import RowShape
from dalil.parsing.formats.rtf.text import TextBuffer
from dalil.parsing.formats.rtf.tokens import Token, Tokens
from dalil.parsing.formats.rtf.words import ASIDE, CHARACTERS, READ_IF_STARRED, SKIPPED, SYMBOLS
from dalil.parsing.formats.rtf.writer import Writer
from dalil.parsing.limits import ParsingLimits

_MOMENT_PARTS = frozenset({"yr", "mo", "dy", "hr", "min", "sec"})
_NO_TEXT = frozenset({"fonttbl", "info", "creatim", "revtim"})
_LINE_ENDS = frozenset({"par", "sect", "row", "page"})


class Interpreter:
    """Reads one document into a writer."""

    def __init__(self, data: bytes, start: int, source_name: str, limits: ParsingLimits) -> None:
        self._tokens = Tokens(data, start)
        self._source_name = source_name
        self._deepest = limits.nesting
        self._fonts = Fonts()
        self.writer = Writer(source_name, limits)
        self.aside = Destinations(self.writer)
        self.warnings: list[str] = []
        self._group = Group()
        self._stack: list[Group] = []
        self._row = RowShape()
        self._default_font = -1
        self._table_font = 0
        self._skip = 0
        self._skips_next_group = False
        self._waiting_break = False
        self._actions: dict[str, Callable[[int | None], None]] = {
            "par": self._end_paragraph,
            "cell": self._end_cell,
            "row": lambda number: self.writer.end_row(self._row.cells),
            "page": self._end_page,
            "sect": self._end_section,
            "sbknone": self._keep_page,
            "trowd": self._start_row,
            "plain": self._plain,
            "u": self._unicode,
            "f": self._set_font,
            "deff": self._set_default_font,
            "fcharset": lambda number: self._fonts.add(self._table_font, number or 0),
            "cpg": lambda number: self._fonts.add_page(self._table_font, of_page(number or 0)),
            "ansicpg": lambda number: self._fonts.set_encoding(of_page(number or 0)),
        }

    def pages(self) -> list[Page]:
        """The pages of the document: headers where they first hold, footers and comments at the end."""
        for token in self._tokens:
            self._take(token)
        if self._stack:
            self.warnings.append("the document is cut short")
        while self._stack:
            self._close()
        self._end_paragraph(None)
        self.writer.end_document([*self.aside.footers, *self.aside.comments])
        return list(self.writer.pages.take_last())

    def _take(self, token: Token) -> None:
        kind = token.kind
        if kind == "{":
            self._open()
        elif kind == "}":
            self._close()
        elif kind == "word":
            self._skip = 0
            self._word(token.text, token.number)
        elif kind == "symbol" and token.text == "*":
            self._group.is_starred = True
            return
        elif kind == "symbol":
            if not self._skipped(1):
                self._add(SYMBOLS.get(token.text, ""))
                if token.text in "\r\n":
                    self._end_paragraph(None)
        else:
            data = token.data[self._skipped(len(token.data)) :]
            if data and self._shows(bool(data.strip())):
                self._group.buffer.add_bytes(data, self._fonts.decoder(self._font))
        if kind != "{":
            self._group.is_fresh = False

    def _skipped(self, count: int) -> int:
        """How many of the next characters are what older programs show instead of a character given by number."""
        skipped = min(self._skip, count)
        self._skip -= skipped
        return skipped

    @property
    def _font(self) -> int:
        return self._group.font if self._group.font >= 0 else self._default_font

    def _open(self) -> None:
        if len(self._stack) >= self._deepest:
            raise DocumentTooLargeError(f"{self._source_name} nests groups deeper than {self._deepest}.")
        self._skip = 0
        self._stack.append(self._group)
        self._group = self._group.inner()
        if self._skips_next_group:
            self._skips_next_group = False
            self._tokens.skip_group()

    def _close(self) -> None:
        self._skip = 0
        if not self._stack:
            return
        closed, self._group = self._group, self._stack.pop()
        if closed.opens_aside:
            self.aside.end(closed, self._group)
        elif closed.aside == "stylesheet":
            self.aside.style(closed)

    def _word(self, word: str, number: int | None) -> None:
        group = self._group
        if group.is_fresh and (word in SKIPPED or (group.is_starred and word not in READ_IF_STARRED)):
            self._tokens.skip_group()
        elif group.is_fresh and word in ASIDE:
            group.aside, group.opens_aside, group.buffer = word, True, TextBuffer()
            self._begin_page_if_waiting(word.startswith("header"))
        elif word in CHARACTERS:
            self._add(CHARACTERS[word])
        elif group.aside and word in _LINE_ENDS:
            self._add("\n")
        elif group.aside and word == "cell":
            self._add(" ")
        elif word in self._actions:
            self._actions[word](number)
        elif of_word(word):
            self._fonts.set_encoding(of_word(word))
        elif word == "upr":
            self._skips_next_group = True
        elif word in _MOMENT_PARTS:
            self.aside.moment[word] = number or 0
        elif not self._row.set(word, number):
            self._property(word, number)

    def _property(self, word: str, number: int | None) -> None:
        """Words that change how the text of the group, or its paragraph, is to be taken."""
        group = self._group
        is_on = number != 0
        if word == "pard":
            group.paragraph = Paragraph(style=0)
        elif word == "s":
            group.paragraph = replace(group.paragraph, style=number or 0)
        elif word == "outlinelevel":
            group.paragraph = replace(group.paragraph, outline=number or 0)
        elif word == "ilvl":
            group.paragraph = replace(group.paragraph, list_level=max(0, min(number or 0, 8)))
        elif word == "intbl":
            group.paragraph = replace(group.paragraph, in_table=True)
        elif word == "pagebb":
            group.paragraph = replace(group.paragraph, starts_page=is_on)
        elif word == "uc":
            group.skip_after_unicode = max(0, number if number is not None else 1)
        elif word == "v":
            group.is_hidden = is_on
        elif word == "deleted":
            group.is_deleted = is_on
        elif word == "htmlrtf":
            group.is_markup = is_on

    def _plain(self, number: int | None) -> None:
        self._group.font, self._group.is_hidden, self._group.is_deleted = -1, False, False

    def _set_font(self, number: int | None) -> None:
        if self._group.aside == "fonttbl":
            self._table_font = number or 0
        else:
            self._group.font = number or 0

    def _set_default_font(self, number: int | None) -> None:
        self._default_font = number or 0

    def _unicode(self, number: int | None) -> None:
        self._add(chr((number or 0) & 0xFFFF))
        self._skip = self._group.skip_after_unicode

    def _add(self, text: str) -> None:
        if text and self._shows(bool(text.strip())):
            self._group.buffer.add(text)

    def _shows(self, has_letters: bool) -> bool:
        """Whether text of the group is shown; hidden text is warned of."""
        group = self._group
        if group.is_hidden and has_letters and not group.aside:
            warning = f"page {self.writer.pages.number} holds hidden text, which was left out"
            if warning not in self.warnings:
                self.warnings.append(warning)
        if group.is_hidden or group.is_deleted or group.is_markup or group.aside in _NO_TEXT:
            return False
        self._begin_page_if_waiting(has_letters and not group.aside)
        return True

    def _end_paragraph(self, number: int | None) -> None:
        paragraph = self._group.paragraph
        text = self._group.buffer.take()
        if paragraph.starts_page and text.strip() and not paragraph.in_table:
            self.writer.end_page()
        self.writer.paragraph(text, paragraph, self.aside.label)
        self.aside.label = ""
        boxes, self.aside.boxes = self.aside.boxes, []
        for box in boxes:
            self.writer.paragraph(box, Paragraph(in_table=paragraph.in_table), "")

    def _end_cell(self, number: int | None) -> None:
        self._group.paragraph = replace(self._group.paragraph, in_table=True)
        self._end_paragraph(None)
        self.writer.end_cell()

    def _end_page(self, number: int | None) -> None:
        self._end_paragraph(None)
        self.writer.end_page()

    def _end_section(self, number: int | None) -> None:
        self._end_paragraph(None)
        self._waiting_break = True

    def _keep_page(self, number: int | None) -> None:
        self._waiting_break = False

    def _begin_page_if_waiting(self, is_due: bool) -> None:
        """A section begins a page, unless it says otherwise before its first text."""
        if self._waiting_break and is_due:
            self._waiting_break = False
            self.writer.end_page()

    def _start_row(self, number: int | None) -> None:
        self._row = RowShape()
