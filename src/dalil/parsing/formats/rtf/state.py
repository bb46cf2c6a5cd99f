"""What a group of RTF inherits from the one around it, and may change for itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dalil.parsing.formats.rtf.text import TextBuffer


@dataclass(frozen=True)
class Paragraph:
    """The properties of a paragraph. `outline` counts from 0, and is None where the style decides."""

    style: int = 0
    outline: int | None = None
    list_level: int = 0
    in_table: bool = False
    starts_page: bool = False


@dataclass
class Group:
    """The state inside one group. `aside` names the destination where its text goes; it is empty in the flow.

    `is_fresh` holds until the first token of the group, `is_starred` after `\\*`.
    """

    buffer: TextBuffer = field(default_factory=TextBuffer)
    paragraph: Paragraph = field(default_factory=Paragraph)
    aside: str = ""
    opens_aside: bool = False
    font: int = -1
    skip_after_unicode: int = 1
    is_hidden: bool = False
    is_deleted: bool = False
    is_markup: bool = False
    is_fresh: bool = True
    is_starred: bool = False

    def inner(self) -> Group:
        """The state with which a group inside this one begins."""
        return replace(self, opens_aside=False, is_fresh=True, is_starred=False)
