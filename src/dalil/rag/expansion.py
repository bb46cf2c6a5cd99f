"""A question in other words: by a language model, by the synonym table, or by both."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from dalil.errors import QueryExpansionError
from dalil.rag.loop import settled
from dalil.text.synonyms import find_synonyms

logger = logging.getLogger("dalil.rag")

ARABIC_ABOVE = 0.30
"""The share of Arabic letters among all characters above which the prompt is in Arabic."""

_EXPANSION_PROMPT_EN = """\
Say the question below in 3 to 4 other ways for a document search.
Each way must ask for the same thing with different words: synonyms, other common terms, another sentence form.
Write one way per line, without numbers, bullets or comments.

Question: {query}

Other ways:"""

_EXPANSION_PROMPT_AR = """\
أعد صياغة السؤال التالي بثلاث أو أربع طرق أخرى للبحث في المستندات.
يجب أن تسأل كل صياغة عن الشيء نفسه بكلمات مختلفة: مرادفات، أو تعبيرات شائعة أخرى، أو تركيب آخر للجملة.
اكتب كل صياغة في سطر مستقل، دون ترقيم أو علامات أو شرح.

السؤال: {query}

الصياغات الأخرى:"""

_ARABIC = re.compile("[\u0600-\u06ff]")
_BULLET = re.compile(r"^[\-\d\.\)\•]+\s*")


class QueryExpander:
    """Gives a question back with up to `max_variants` other phrasings of it.

    Safe to share between threads: nothing changes after construction but the caches of the module, which all
    expanders share.
    """

    def __init__(
        self,
        llm: Any | None = None,
        max_variants: int = 3,
        use_llm: bool = True,
        fallback_synonyms: bool = True,
        *,
        multi_keyword: bool = False,
    ) -> None:
        """
        Args:
            llm: anything with `generate(prompt, max_tokens=, temperature=)` that gives a string or an awaitable of
                one; None means the synonym table alone.
            max_variants: how many phrasings to give at most, besides the question itself.
            use_llm: whether to ask the model; False whenever there is none.
            fallback_synonyms: whether the synonym table stands in for the model, and adds to what it says.
            multi_keyword: whether the table replaces every word it knows, in turn, one in each variant; by default
                only the first in its own order.
        """
        self.llm = llm
        self.max_variants = max_variants
        self.use_llm = use_llm and llm is not None
        self.fallback_synonyms = fallback_synonyms
        self.multi_keyword = multi_keyword

    def expand(self, query: str) -> list[str]:
        """`query` itself, then its variants, no two alike but for case. A model's failure is logged, never raised."""
        if not query.strip():
            return [query]
        if self.use_llm:
            try:
                return self._llm_expand(query)
            except Exception as error:
                logger.warning("No variants from the language model for %r: %s", query[:60], error)
        if self.fallback_synonyms:
            variants = self._synonym_variants(query)
            logger.debug("%d variants from the synonym table for %r", len(variants) - 1, query[:60])
            return variants
        return [query]

    def _llm_expand(self, query: str) -> list[str]:
        """The model's variants, and the table's where they leave room.

        Raises:
            QueryExpansionError: if the model fails, or says anything but text.
        """
        template = _EXPANSION_PROMPT_AR if _detect_language(query) == "ar" else _EXPANSION_PROMPT_EN
        assert self.llm is not None
        try:
            raw = settled(self.llm.generate(template.format(query=query), max_tokens=300, temperature=0.3))
        except Exception as exc:
            raise QueryExpansionError(str(exc)) from exc
        if not isinstance(raw, str):
            raise QueryExpansionError(f"the language model gave {type(raw).__name__}, not text")
        variants = _parse_llm_variants(raw, query, self.max_variants)
        if self.fallback_synonyms:
            variants = self._cut(_distinct([*variants, *self._synonym_variants(query)]))
        logger.info("%d variants from the language model for %r", len(variants) - 1, query[:60])
        return variants

    def _synonym_variants(self, query: str) -> list[str]:
        build = _build_multi_keyword_variants if self.multi_keyword else _build_synonym_variants
        return self._cut(build(query))

    def _cut(self, variants: Iterable[str]) -> list[str]:
        return list(variants)[: max(self.max_variants, 0) + 1]


def _detect_language(text: str) -> str:
    """`"ar"` when more than 30 % of all characters are Arabic letters, else `"en"`."""
    return "ar" if len(_ARABIC.findall(text)) > ARABIC_ABOVE * len(text) else "en"


def _parse_llm_variants(raw: str, original: str, max_variants: int) -> list[str]:
    """`original`, then up to `max_variants` lines of `raw` without bullets or numbers and without repeats."""
    lines = (_BULLET.sub("", line.strip()).strip() for line in raw.splitlines())
    return _distinct([original, *filter(None, lines)])[: max(max_variants, 0) + 1]


@lru_cache(maxsize=1024)
def _build_synonym_variants(query: str) -> tuple[str, ...]:
    """`query`, then it with the table's first keyword in it replaced by each synonym, at its first place only."""
    found = find_synonyms(query)
    return tuple(_distinct([query, *(found[0].variants(query) if found else [])]))


@lru_cache(maxsize=1024)
def _build_multi_keyword_variants(query: str) -> tuple[str, ...]:
    """`query`, then it with one keyword replaced: the first synonym of each keyword, then the second of each, ..."""
    rounds = zip_longest(*(occurrence.variants(query) for occurrence in find_synonyms(query)))
    return tuple(_distinct([query, *(variant for turn in rounds for variant in turn if variant is not None)]))


def _distinct(queries: Iterable[str]) -> list[str]:
    """Each query once, the first of those that differ only in case or in white space around them."""
    first: dict[str, str] = {}
    for query in queries:
        first.setdefault(query.strip().casefold(), query)
    return list(first.values())
