"""What becomes of the texts that do not stand in the flow of an RTF document."""

from __future__ import annotations

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.comments import comment_text
from dalil.parsing.formats.office.running import says_something
from dalil.parsing.formats.rtf.state import Group
from dalil.parsing.formats.rtf.writer import Style, Writer

_PROPERTIES = frozenset({"title", "author", "subject", "keywords"})
_MOMENTS = {"creatim": "created", "revtim": "modified"}
_BOXES = frozenset({"shptxt", "dptxbxtext"})
_LABELS = frozenset({"listtext", "pntext"})


class Destinations:
    """Takes the text of each group that is set aside, once the group ends."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.properties: dict[str, object] = {}
        self.label = ""
        self.boxes: list[str] = []
        self.comments: list[str] = []
        self.footers: dict[str, None] = {}
        self.moment: dict[str, int] = {}
        self._headers: set[str] = set()
        self._author = ""
        self._note_count = 0

    def end(self, group: Group, around: Group) -> None:
        """The end of a group that is set aside, within another."""
        text = group.buffer.take()
        kind = group.aside
        if kind == "footnote":
            self._note_count += 1
            mark = f"[^{self._note_count}]"
            around.buffer.add(mark)
            self._writer.note(mark, text)
        elif kind == "annotation":
            self.comments.append(comment_text(self._author, text))
        elif kind == "atnauthor":
            self._author = text
        elif kind in _BOXES:
            self.boxes.extend(line for line in text.split("\n") if line.strip())
        elif kind in _LABELS:
            label = one_line(text)
            self.label = label if any(letter.isalnum() for letter in label) else "-"
        elif kind.startswith("header"):
            self._header(one_line(text))
        elif kind.startswith("footer") and says_something(text):
            self.footers[one_line(text)] = None
        elif kind in _PROPERTIES and text.strip():
            self.properties[kind] = one_line(text)
        elif kind in _MOMENTS:
            self._moment(_MOMENTS[kind])

    def style(self, group: Group) -> None:
        """The end of an entry of the style sheet."""
        name = one_line(group.buffer.take()).rstrip(";").strip()
        if name:
            self._writer.styles[group.paragraph.style] = Style(name, group.paragraph.outline)

    def _header(self, text: str) -> None:
        if says_something(text) and text not in self._headers:
            self._headers.add(text)
            self._writer.pages.add(text)

    def _moment(self, name: str) -> None:
        moment, self.moment = self.moment, {}
        if moment.get("yr"):
            day = f"{moment['yr']:04d}-{moment.get('mo', 1):02d}-{moment.get('dy', 1):02d}"
            time = f"{moment.get('hr', 0):02d}:{moment.get('min', 0):02d}:{moment.get('sec', 0):02d}"
            self.properties[name] = f"{day}T{time}"
