"""Comments on the cells of an XLSX worksheet."""

from __future__ import annotations

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.xml import child, children, name, number, value

_THREADED = "[Threaded comment]"
_THREADED_TEXT = "Comment:"


def sheet_comments(package: OfficePackage, member: str) -> list[str]:
    """The comments of a sheet as `Comment by X on B3: text`."""
    root = package.root(package.first(member, "comments"))
    authors = [one_line(author.text or "") for author in children(child(root, "authors"), "author")]
    found: list[str] = []
    for comment in children(child(root, "commentList"), "comment"):
        place = number(comment, "authorId", default=-1)
        author = authors[place] if 0 <= place < len(authors) else ""
        text = "".join(part.text or "" for part in comment.iter() if name(part) == "t")
        if text.startswith(_THREADED):
            # Programs that do not know threads are told so before the text, and the author is a number.
            author, text = "", text.partition(_THREADED_TEXT)[2]
        text = one_line(text).removeprefix(f"{author}:").strip() if author else one_line(text)
        if text:
            found.append(f"Comment{f' by {author}' if author else ''} on {value(comment, 'ref')}: {text}")
    return found
