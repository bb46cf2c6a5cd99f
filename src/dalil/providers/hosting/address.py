"""Where a hosted model answers, and the key that is shown there and nowhere else."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

from dalil.errors import ConfigurationError, MissingAPIKeyError

_SHOWN = 300  # characters of a service's own message


@dataclass(frozen=True)
class Address:
    """A base URL without a user's name in it, and the credentials for it. Credentials are never shown by repr."""

    url: str
    is_default: bool
    api_key: str | None = field(default=None, repr=False)
    basic: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, provider: str, base_url: str | None, api_key: str | None, *, default: str, needs_key: bool) -> Address:
        """The address behind `base_url`, or the provider's own.

        A URL with `user:password@` is asked with Basic authentication, which takes the place of the key.

        Raises:
            MissingAPIKeyError: if the provider's own address needs a key and there is none.
            ConfigurationError: if the URL or the key cannot be one.
        """
        url, basic = _taken_apart(base_url or default)
        is_default = url == default
        key = (api_key or "").strip() or None
        if key is None and basic is None and needs_key and is_default:
            raise MissingAPIKeyError(f"{provider} needs an API key.", advice="Give it as api_key.")
        if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
            raise ConfigurationError(f"The API key for {provider} has characters that no key has.")
        return cls(url, is_default, key, basic)

    @property
    def authorization(self) -> str | None:
        """The value of the header of that name."""
        if self.basic is not None:
            return f"Basic {self.basic}"
        return None if self.api_key is None else f"Bearer {self.api_key}"

    def without_secrets(self, text: str) -> str:
        """A service's message on one line, cut, and without the key if the service repeated it."""
        for secret in (self.api_key, self.basic):
            if secret:
                text = text.replace(secret, "***")
        text = " ".join(text.split())
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _taken_apart(base_url: str) -> tuple[str, str | None]:
    """The URL without credentials and closing slash, and the credentials as Basic authentication writes them."""
    wrong = ConfigurationError(
        "A base URL is http:// or https:// and a host, without a query.", advice="For example: http://localhost:8000/v1"
    )
    try:
        parts = urlsplit(base_url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise wrong
    basic = None
    if parts.username is not None or parts.password is not None:
        pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        basic = base64.b64encode(pair.encode()).decode()
    place = f"[{host}]" if ":" in host else host
    if port is not None:
        place = f"{place}:{port}"
    return urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", "")), basic
