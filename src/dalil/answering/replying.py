"""A model's reply as it may be shown."""

from __future__ import annotations

from dalil.answering.markers import MarkerFilter
from dalil.answering.prompts import Prompt
from dalil.text.messages import is_not_found, may_become_not_found


class Reply:
    """Dead markers removed, a refusal said in the question's language. Feed it fragments, then `finish` it.

    What could still turn out to be the not-found message is held back until it is certain.
    """

    def __init__(self, prompt: Prompt, refusal: str):
        self._filter = MarkerFilter([item.marker for item in prompt.evidence])
        self._refusal = refusal
        self._held: str | None = ""
        self._said: list[str] = []
        self.declined = False

    @property
    def text(self) -> str:
        return "".join(self._said)

    def feed(self, fragment: str) -> str:
        return self._release(self._filter.feed(fragment))

    def finish(self) -> str:
        rest = self._release(self._filter.finish())
        if self._held is None:
            return rest
        self.declined = not self._held.strip() or is_not_found(self._held)
        return self._say(self._refusal if self.declined else self._held)

    def _release(self, text: str) -> str:
        if self._held is None:
            return self._say(text)
        self._held += text
        if may_become_not_found(self._held):
            return ""
        text, self._held = self._held, None
        return self._say(text)

    def _say(self, text: str) -> str:
        if text:
            self._said.append(text)
        return text
