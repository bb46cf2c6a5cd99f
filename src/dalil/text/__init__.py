"""Language: what Arabic, English and any other script look like to the engine.

normalise         one spelling for every way of writing the same thing
analyze           search tokens: stemmed, without stop words
split_sentences   exact spans of sentences
detect_language   "ar" or "en"
estimate_tokens   about how many model tokens a text takes
"""

from dalil.text.analysis import analyze
from dalil.text.languages import arabic_share, detect_language
from dalil.text.normalizing import normalise, remove_unencodable
from dalil.text.sentences import runs_on, sentences_of, split_sentences
from dalil.text.tokens import estimate_tokens, token_weight

__all__ = [
    "analyze",
    "arabic_share",
    "detect_language",
    "estimate_tokens",
    "normalise",
    "remove_unencodable",
    "runs_on",
    "sentences_of",
    "split_sentences",
    "token_weight",
]
