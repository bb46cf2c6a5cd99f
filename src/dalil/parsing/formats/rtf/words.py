"""What the control words of RTF stand for."""

from __future__ import annotations

CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "softline": "\n",
    "emdash": "—",
    "endash": "–",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "zwj": "\u200d",
    "zwnj": "\u200c",
    "nestcell": " ",
}
SYMBOLS = {"~": "\u00a0", "_": "-", "{": "{", "}": "}", "\\": "\\", "\t": "\t"}

# Groups that hold no text of the document. A group that begins with `\*` is left out too, unless it is named below.
SKIPPED = frozenset(
    """
    colortbl pict objdata objclass objname fldinst datafield formfield themedata colorschememapping latentstyles
    rsidtbl generator xmlnstbl listtable listoverridetable revtbl filetbl shprslt sn sv xe tc rxe bkmkstart bkmkend
    nonesttables ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn atrfstart atrfend atnref atnid atnicn atndate atnparent
    mmathPict background keycode template operator category comment doccomm company manager hlinkbase userprops
    pgptbl protusertbl wgrffmtfilter nesttableprops
    """.split()
)
READ_IF_STARRED = frozenset(
    "shpinst shptxt dptxbxtext footnote annotation atnauthor ud moMath moMathPara do pntext listtext".split()
)
# Groups whose text goes elsewhere than into the flow.
ASIDE = frozenset(
    """
    fonttbl stylesheet info title author subject keywords creatim revtim footnote annotation atnauthor listtext pntext
    header headerl headerr headerf footer footerl footerr footerf shptxt dptxbxtext
    """.split()
)
