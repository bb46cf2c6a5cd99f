"""What PostgreSQL cannot hold as it is comes back as it was, in the same order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dalil.stores.postgres.encoding import restored, stored, unit_rows, vector_rows, vector_texts
from dalil.stores.postgres.filters import fields_of

TEXTS = st.text(alphabet=st.sampled_from("\x00\x01\x02\x03a ي😀"), max_size=12)


@given(TEXTS)
def test_any_text_comes_back(text: str) -> None:
    assert "\x00" not in stored(text)
    assert restored(stored(text)) == text


@given(TEXTS, TEXTS)
def test_the_order_of_texts_is_kept(left: str, right: str) -> None:
    assert (left < right) == (stored(left).encode() < stored(right).encode())


@given(st.lists(st.floats(-(2.0**100), 2.0**100, width=32), min_size=3, max_size=3))
def test_vectors_keep_every_bit(numbers: list[float]) -> None:
    rows = unit_rows([numbers])
    read = [float(number) for number in vector_texts(rows)[0][1:-1].split(",")]
    sent = b"\x00\x03\x00\x00" + rows.astype(">f4").tobytes()
    assert unit_rows([read]).shape == rows.shape
    assert [float(number) for number in rows[0]] == [float(rows.dtype.type(number)) for number in read]
    assert (vector_rows([sent]) == rows).all()


def test_equal_values_have_one_field_and_others_their_own() -> None:
    same = [fields_of({"n": value}) for value in (1, 1.0, True)]
    assert same[0] == same[1] == same[2]
    values = [0, 1, -1, 255, 256, -256, 2**70, 0.5, float("inf"), "1", "", None, "none", "\ud800"]
    fields = [tuple(fields_of({name: value})) for name in ("n", "nt", "") for value in values]
    assert len(set(fields)) == len(fields)
    assert fields_of({"n": [1, 1.0, "a"]}) == fields_of({"n": (1, "a")})
    assert fields_of({"n": float("nan"), "m": {"k": 1}, "o": object(), "p": []}) == []
