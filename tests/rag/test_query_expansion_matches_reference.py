"""The quick search for words of the table finds what a slow, obvious one does: a regular expression a keyword."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dalil.text import normalise
from dalil.text.synonyms import find_synonyms, synonym_table

MARK = "[\u064b-\u065f\u0670\u0640]"
LETTERS = {"ا": "[اأإآ]", "ه": "[هة]", "ي": "[يىئ]", "و": "[وؤ]", "e": "[eé]"}
JOINTS = [" ", " ", " ", "  ", "-", "'", ", ", "؟ ", ". ", "\n", "_", ""]
PARTICLES = "وبال وكال فبال فكال ولل فلل وال فال بال كال وب وك ول فب فك فل ال لل و ف ب ك ل".split()
FILLER = "zzz plugh 42 ورق كتب سلام على the s of_x ولد لون بلا والد وجد للغة عن x ال و فارق للغاية بحرية".split()
TABLE = synonym_table()


def spelled(word: str) -> str:
    """A pattern for a word in any of its spellings."""
    return "".join(f"{LETTERS.get(letter, re.escape(letter))}{MARK}*" for letter in normalise(word))


ARTICLE = spelled("ال")
START = rf"(?<!\w)(?<!{MARK})"
END = rf"(?!\w)(?!{MARK})"


def without_article(word: str) -> str:
    return re.sub("^(و?)ال", r"\1", word)


def later_word(word: str, arabic: bool) -> str:
    if not arabic:
        return spelled(word)
    stem = without_article(word)
    with_article = [f"{ARTICLE}{spelled(stem)}"]
    if stem.startswith("و"):
        with_article.append(f"{spelled('و')}{ARTICLE}{spelled(stem[1:])}")
    return f"(?:{'|'.join([spelled(stem), *with_article])})"


def pattern(keyword: str) -> re.Pattern[str]:
    words = re.findall(r"\w+", keyword)
    arabic = "\u0600" < words[0][0] < "\u0700"
    first = without_article(words[0]) if len(words) > 1 else words[0]
    allowed = PARTICLES if len(first) >= 3 else [particle for particle in PARTICLES if particle.endswith(("ال", "لل"))]
    if len(first) < 2:  # one letter behind a particle is too little to know a word by
        allowed = []
    particle = f"(?:{'|'.join(map(spelled, allowed))})?"
    rest = "".join(rf"(?:\s+|[-'])(?:{later_word(word, arabic)})" for word in words[1:])
    return re.compile(rf"{START}(?P<first>{particle}{spelled(first)}){END}{rest}{END}", re.IGNORECASE)


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    return {keyword: pattern(keyword) for keyword in TABLE}


@cache
def never_taken_apart() -> set[str]:
    """Single words of the lists, and those that the lists except."""
    text = "\n".join(
        line
        for file in (files("dalil.text") / "synonyms").iterdir()
        for line in file.read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
    entries = re.split("[=,،!\n]", text)
    return {normalise(entry.strip(" ()")) for entry in entries if len(re.findall(r"\w+", entry)) == 1}


def slowly(query: str) -> tuple[str, int, int] | None:
    """The first keyword in the table's order that the query holds, and its first place."""
    for keyword, searched in patterns().items():
        exact = normalise(re.findall(r"\w+", keyword)[0])
        for found in searched.finditer(query):
            word = normalise(found["first"])
            if word in (exact, without_article(exact)) or word not in never_taken_apart():
                return keyword, found.start(), found.end()
    return None


@st.composite
def decorated(draw: st.DrawFn) -> str:
    """A keyword in some spelling, perhaps behind a particle, perhaps without its articles."""
    keyword = draw(st.sampled_from(list(TABLE)))
    if draw(st.booleans()):
        keyword = " ".join(map(without_article, keyword.split(" ")))
    keyword = draw(st.sampled_from([str, str.upper, str.title, lambda word: word.translate(SLOPPY), marked]))(keyword)
    return draw(st.sampled_from(["", "", "", *PARTICLES])) + keyword


SLOPPY = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ة": "ه", "ى": "ي", "ئ": "ي"})


def marked(word: str) -> str:
    return re.sub("([\u0628-\u064a])", "\\1\u064e", word)


QUERIES = st.lists(
    st.tuples(st.one_of(decorated(), st.sampled_from(FILLER)), st.sampled_from(JOINTS)), min_size=1, max_size=8
).map(lambda pieces: "".join(word + joint for word, joint in pieces))


@pytest.mark.slow  # compiling the patterns of the reference takes 20 seconds
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(QUERIES)
def test_the_first_keyword_in_table_order_at_its_first_place(query: str):
    wanted = slowly(query)
    found = find_synonyms(query)
    if wanted is None:
        assert found == []
        return
    keyword, start, end = wanted
    assert (found[0].start, found[0].end) == (start, end)
    written = query[start:end]
    if written.isascii():
        assert found[0].variants(query) == [query[:start] + synonym + query[end:] for synonym in TABLE[keyword]]
    else:
        assert len(found[0].replacements) == len(TABLE[keyword])
