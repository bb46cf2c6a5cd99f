"""The small built-in golden set: a leave policy, a network guide and an Arabic library notice, written for it."""

from __future__ import annotations

from dalil.evaluation.goldens import GoldenExample
from dalil.text.messages import NOT_FOUND_MESSAGE

_LEAVE = """\
# Annual leave

Full-time employees receive 24 days of annual leave each year.

Unused leave may be carried over until the end of March.
"""
_NETWORK = """\
# Office network

The guest wireless network is called Sindbad and its password changes every Monday.

Printers are reached through the cable network only.
"""
_LIBRARY = """\
# المكتبة العامة

تفتح المكتبة أبوابها من التاسعة صباحا حتى الثامنة مساء.

يحق لكل عضو استعارة خمسة كتب لمدة ثلاثة أسابيع.
"""
CORPUS = {
    "annual-leave.md": _LEAVE.encode(),
    "office-network.md": _NETWORK.encode(),
    "المكتبة.md": _LIBRARY.encode(),
}
EXAMPLES = (
    GoldenExample(
        "How many days of annual leave do full-time employees receive?",
        expected_answer="24 days",
        ground_truth_answer="Full-time employees receive 24 days of annual leave each year.",
        relevant_sources=frozenset({"annual-leave.md"}),
        id="leave-days",
        kind="number",
        lang="en",
    ),
    GoldenExample(
        "What is the guest wireless network called?",
        expected_answer="Sindbad",
        ground_truth_answer="The guest wireless network is called Sindbad.",
        relevant_sources=frozenset({"office-network.md"}),
        id="guest-network",
        kind="answerable",
        lang="en",
    ),
    GoldenExample(
        "متى تفتح المكتبة أبوابها؟",
        expected_answer="من التاسعة صباحا",
        ground_truth_answer="تفتح المكتبة أبوابها من التاسعة صباحا حتى الثامنة مساء.",
        relevant_sources=frozenset({"المكتبة.md"}),
        id="library-hours",
        kind="answerable",
        lang="ar",
    ),
    GoldenExample(
        "كم عدد الكتب التي يحق لكل عضو استعارتها؟",
        expected_answer="خمسة كتب",
        ground_truth_answer="يحق لكل عضو استعارة خمسة كتب لمدة ثلاثة أسابيع.",
        relevant_sources=frozenset({"المكتبة.md"}),
        id="library-loans",
        kind="number",
        lang="ar",
    ),
    GoldenExample(
        "Which volcano erupted near Naples?",
        ground_truth_answer=NOT_FOUND_MESSAGE,
        id="volcano",
        kind="unanswerable",
        lang="en",
    ),
)
