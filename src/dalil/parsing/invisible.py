"""Characters that nobody sees: which of them shape a text, and which only hide one.

Tag characters and variation selectors can carry a whole message that a model reads and a person does not; direction
overrides show a text in another order than it has; zero-width characters cut words so that they are not found.
"""

from __future__ import annotations

import re
from collections import Counter

# The insides of character classes. First what no document prints: control characters, lone surrogates.
CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff"
# Then soft hyphen, joiners, marks and overrides of direction, invisible operators,
# fillers, variation selectors, annotation marks, tags.
INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc"
    "\U000e0000-\U000e01ef"
)
_QUIET = re.compile(f"[{CONTROLS}\u00ad\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069\ufeff\ufffc]")
_TAG = re.compile("[\U000e0000-\U000e007f]")
_OVERRIDE = re.compile("[\u202d\u202e]")
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_FLAG = "\U0001f3f4"
_FLAG_TAGS = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
# Arabic, Syriac and N'Ko with their forms, the scripts of India, Mongolian: letters that join.
_JOINING = re.compile("[\u0620-\u06ff\u0700-\u08ff\u0900-\u0dff\u1800-\u18aa\ufb50-\ufdff\ufe70-\ufefc]")
_EMOJI = re.compile("[\u203c-\u3299\U0001f000-\U0001faff]")
_ALPHABETIC = re.compile("[\\sA-Za-z\u00c0-\u17ff]")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_NOTABLE_ZERO_WIDTH = 20


class Findings:
    """How many invisible characters of each kind were left out."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, run: str) -> None:
        """Counts the characters of a run that was left out."""
        for kind, pattern in (("tag", _TAG), ("override", _OVERRIDE), ("selector", _SELECTOR)):
            self._counts[kind] += len(pattern.findall(run))
            run = pattern.sub("", run)
        self._counts["zero-width"] += len(run)

    def notable(self) -> list[str]:
        """What is worth telling: "120 tag characters". A few zero-width characters stand in honest texts."""
        names = {"tag": "tag character", "override": "direction override", "selector": "variation selector"}
        found = [(self._counts[kind], name) for kind, name in names.items() if self._counts[kind]]
        if self._counts["zero-width"] >= _NOTABLE_ZERO_WIDTH:
            found.append((self._counts["zero-width"], "zero-width character"))
        return [f"{count} {name}{'s' if count > 1 else ''}" for count, name in found]


def judge(match: re.Match[str], findings: Findings) -> str:
    """What stays of a run of controls and invisible characters: nothing, or what shapes the characters around it."""
    run = match[0]
    if run != _ZWNJ:
        run = _QUIET.sub("", run)
        if not run:
            return ""
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    if _shapes(before, run, after):
        return run
    findings.add(run)
    return ""


def _shapes(before: str, run: str, after: str) -> bool:
    if run == _ZWNJ:
        return bool(_JOINING.match(before) and _JOINING.match(after))
    if run == _ZWJ:
        joins = _JOINING.match(before) or _JOINING.match(after)
        return bool(joins or (_EMOJI.match(before) and _EMOJI.match(after)))
    if len(run) == 1 and _SELECTOR.match(run):
        return bool(before) and not _ALPHABETIC.match(before)
    if len(run) == 2 and _SELECTOR.match(run) and run[1] == _ZWJ:
        return bool(_EMOJI.match(before) and _EMOJI.match(after))
    return before == _FLAG and bool(_FLAG_TAGS.fullmatch(run))
