"""Texts as they come: several scripts, structure, marks, invisible characters and plain noise."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = st.sampled_from(
    [
        *("Dr. Smith", "e.g. tea", "U.S. law", "J. Smith", "3.14", "18,870", "C++", "node.js", "--flag", "No.", "it's"),
        *("مرحبا", "مُدَرِّسَة", "د. أحمد", "الكتاب", "كتـــاب", "١٢٣٫٥", "ﻣﺪﺭﺳﺔ", "\u0627\u0653سفي", "\u200fنص\u200e"),
        *("成語しりとり", "云工开物。", "ภาษาไทย", "한국어", "हिन्दी"),
        *("👩‍👩‍👧", "e\u0301", "\ufb01", "İ", "ß", "\u00ad", "\ufeff", "\x00", "\ud800", "\U0010ffff"),
        *(".", "!", "?", "؟", "؛", "…", "۔", "...", ":", ",", "،", '"', "»", ")", "]", "**", "'", "[1]"),
        *(" ", " ", " ", "\n", "\n\n", "\t", "\u00a0", "\r\n", "\f", "\u2028", "\x85"),
        *("\n- ", "\n1. ", "\n# ", "\n| a | b |\n", "\n|---|---|\n", "\n```\n"),
    ]
)
PIECES = st.one_of(FRAGMENTS, FRAGMENTS, st.text(max_size=6), st.characters(categories=["Cs"]))
TEXTS = st.lists(PIECES, max_size=30).map("".join)
"""Any text, lone surrogates and NULs included."""
