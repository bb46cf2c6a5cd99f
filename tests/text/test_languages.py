"""Which language a text is in, and about how many tokens it takes."""

from __future__ import annotations

import pytest

from dalil.text import arabic_share, detect_language, estimate_tokens


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How many days of leave do I get?", "en"),
        ("كم يوم إجازة أحصل عليه؟", "ar"),
        ("ما هو PostgreSQL؟", "ar"),
        ("ما إعدادات Kubernetes في المشروع؟", "ar"),
        ("What does the word كتاب mean in the English language?", "en"),
        ("ﻣﺪﺭﺳﺔ", "ar"),
        ("", "en"),
        ("12345 ...", "en"),
        ("٢٠٢٦؟", "en"),
        ("¿Dónde está?", "en"),
    ],
)
def test_a_quarter_of_arabic_letters_makes_a_text_arabic(text: str, language: str):
    assert detect_language(text) == language


def test_share_of_arabic_letters():
    assert arabic_share("كتاب book") == 0.5
    assert arabic_share("123 !?") == 0.0


def test_arabic_and_dense_scripts_take_more_tokens_than_english():
    assert estimate_tokens("a" * 100) < estimate_tokens("ك" * 100) < estimate_tokens("語" * 100) == 100
