"""Every quote is found on the page it names, character for character."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.answering.citing import cite
from dalil.models import Citation, Span

from .conftest import SCOPE, Pages, chunk_of, chunk_over_pages, sources

TEXT = "Employees get twenty-two days of paid leave. Unused days expire in March. Ask Human Resources for a form."
ARABIC = "يستحق الموظف اثنين وعشرين يوما من الإجازة. تنتهي الأيام غير المستعملة في مارس."


async def quotes(said: str, *texts: str) -> list[tuple[int, str]]:
    return [(citation.marker, citation.quote) for citation in await cite(said, sources(*texts), SCOPE, None)]


async def test_a_verbatim_sentence_is_quoted_where_it_stands():
    chunk = chunk_of(TEXT, page=4, start=100)
    (citation,) = await cite("Unused days expire in March. [1]", sources(chunk), SCOPE, None)
    assert citation == Citation(
        marker=1,
        chunk_id="d0c:0",
        document_id="d0c",
        page=4,
        quote="Unused days expire in March.",
        source="d0c.txt",
        start=145,
        end=173,
        spans=(Span(4, 145, 173),),
        verified=False,
    )


async def test_a_paraphrase_is_proved_by_the_closest_sentence():
    assert await quotes("In March, days that were not used are gone [1]", TEXT) == [(1, "Unused days expire in March.")]
    assert await quotes("في مارس تنتهي الأيام التي لم تستعمل [1]", ARABIC) == [
        (1, "تنتهي الأيام غير المستعملة في مارس.")
    ]


async def test_spelling_does_not_matter():
    assert await quotes("تَنْتَهِي الايام غير المستعمله في مارس [1]", ARABIC) == [
        (1, "تنتهي الأيام غير المستعملة في مارس.")
    ]


async def test_white_space_of_the_page_is_kept_in_the_quote():
    assert await quotes("Unused days expire in March. [1]", "Unused days\nexpire  in March. More.") == [
        (1, "Unused days\nexpire  in March.")
    ]


async def test_several_sentences_before_one_marker_are_each_proved():
    said = "Leave is twenty-two paid days. A form comes from Human Resources. [1]"
    assert await quotes(said, TEXT) == [
        (1, "Employees get twenty-two days of paid leave."),
        (1, "Ask Human Resources for a form."),
    ]


async def test_several_verbatim_sentences_are_one_quote():
    said = "Unused days expire in March. Ask Human Resources for a form. [1]"
    assert await quotes(said, TEXT) == [(1, said.removesuffix(" [1]"))]


async def test_markers_that_share_a_statement():
    found = await quotes("Unused days expire in March. [1][2]", TEXT, "All unused days expire at the end of March.")
    assert found == [(1, "Unused days expire in March."), (2, "All unused days expire at the end of March.")]


async def test_a_marker_group_after_nothing_belongs_to_the_statement_before():
    found = await quotes("Unused days expire in March. [1]. [2]", TEXT, "All unused days expire at the end of March.")
    assert [marker for marker, _ in found] == [1, 2]


async def test_the_same_quote_is_given_once():
    said = "Unused days expire in March. [1] Again: Unused days expire in March. [1]"
    assert len([quote for quote in await quotes(said, TEXT) if quote[1] == "Unused days expire in March."]) == 1


async def test_in_the_order_in_which_they_are_said():
    found = await quotes("All days expire. [2] Ask Human Resources for a form. [1]", TEXT, "All days expire.")
    assert [marker for marker, _ in found] == [2, 1]


async def test_a_marker_before_the_stop_proves_the_sentence_it_ends():
    found = await quotes("Unused days expire in March [1]. Ask Human Resources for a form [1].", TEXT)
    assert found[0][1].startswith("Unused days expire in March")


async def test_a_stop_after_a_marker_is_never_a_quote():
    found = await quotes("Days not used are gone in March [1]. Human Resources has the form [1].", TEXT)
    assert found == [(1, "Unused days expire in March."), (1, "Ask Human Resources for a form.")]


@pytest.mark.parametrize("said", ["Yes [1]", "22 [1]", "مارس. [1]"])
async def test_a_quote_never_begins_or_ends_inside_a_word(said: str):
    text = "Yesterday, in 2022, it was late. انتهت في مارسيليا."
    for citation in await cite(said, sources(text), SCOPE, None):
        for edge in (citation.start, citation.end):
            assert not re.fullmatch(r"\w\w", text[max(0, edge - 1) : edge + 1])


async def test_text_without_markers_cites_nothing():
    assert await quotes("Unused days expire in March.", TEXT) == []
    assert await quotes("", TEXT) == []


async def test_a_marker_without_a_source_cites_nothing():
    assert await quotes("Unused days expire. [5]", TEXT) == []


async def test_a_marker_without_words_still_shows_its_source():
    (found,) = await quotes("[1]", TEXT)
    assert found[1] in TEXT


async def test_headings_and_rules_are_no_evidence():
    found = await quotes("About leave policy [1]", "# Leave policy\n\n|---|---|\n\nThe leave policy is generous.")
    assert found == [(1, "The leave policy is generous.")]


async def test_a_bullet_is_no_part_of_the_quote():
    assert await quotes("days expire in march [1]", "- Unused days expire in March.\n- Ask for a form.") == [
        (1, "Unused days expire in March.")
    ]


async def test_a_quote_over_a_page_break():
    first, second = "It begins. The rule holds for everyone who works in the", "house and the garden. It ends."
    pages = Pages({("d0c", 1): first, ("d0c", 2): second})
    said = "The rule holds for everyone who works in the house and the garden. [1]"
    (citation,) = await cite(said, sources(chunk_over_pages(first, second)), SCOPE, pages)
    assert citation.spans == (Span(1, 11, len(first)), Span(2, 0, 21))
    assert (citation.page, citation.start, citation.end) == (1, 11, len(first))
    assert citation.quote == "The rule holds for everyone who works in the\nhouse and the garden."
    assert citation.verified


async def test_a_quote_on_the_second_page_of_a_chunk():
    (citation,) = await cite("It ends. [1]", sources(chunk_over_pages("It begins.", "It ends.")), SCOPE, None)
    assert (citation.page, citation.start, citation.end) == (2, 0, 8)


@pytest.mark.parametrize(
    ("page", "verified"),
    [
        (TEXT, True),
        (f"{TEXT} And more.", True),
        (TEXT.replace("March", "April"), False),
        (f" {TEXT}", False),
        (None, False),
    ],
)
async def test_a_quote_is_compared_with_the_stored_page(page: str | None, verified: bool):
    pages = Pages({} if page is None else {("d0c", 1): page})
    (citation,) = await cite("Unused days expire in March. [1]", sources(chunk_of(TEXT)), SCOPE, pages)
    assert citation.verified is verified
    assert citation.quote == "Unused days expire in March."


async def test_a_chunk_that_does_not_know_its_place_is_never_verified():
    chunk = chunk_of(TEXT)
    placeless = type(chunk)(chunk.id, chunk.document_id, TEXT, 3, 0)
    (citation,) = await cite("Unused days expire in March. [1]", sources(placeless), SCOPE, Pages({("d0c", 3): TEXT}))
    assert (citation.page, citation.spans, citation.verified) == (3, (), False)
    assert citation.quote == "Unused days expire in March."


WORDS = st.lists(
    st.sampled_from(["days", "expire", "يوم", "إجازة.", "March.", "\n", "[1]", "[2]", ".", "- ", "|", "# "])
)


@settings(max_examples=150, deadline=None)
@given(WORDS.map(" ".join), WORDS.map(" ".join), WORDS.map(" ".join))
async def test_every_quote_stands_on_its_page(said: str, first: str, second: str):
    pages = Pages({("d0c", 1): first, ("d0c", 2): second})
    evidence = sources(chunk_over_pages(first, second)) if f"{first}{second}".strip() else ()
    for citation in await cite(said, evidence, SCOPE, pages):
        assert citation.verified
        assert citation.quote.strip()
        texts = {1: first, 2: second}
        assert citation.quote == "\n".join(texts[span.page][span.start : span.end] for span in citation.spans)
