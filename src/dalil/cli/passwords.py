"""Passwords, which are never shown."""

from __future__ import annotations

import sys
from getpass import getpass

from dalil.errors import ConfigurationError

FROM_STDIN = "-"


def password_of(option: str | None) -> str | None:
    """The password that the option gives; for `-` the first line of stdin, asked for on a terminal.

    Raises:
        ConfigurationError: if it is empty, or no valid Unicode.
    """
    if option is None:
        return None
    if option == FROM_STDIN:
        option = getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    if not option:
        raise ConfigurationError("The password is empty.", advice="Leave --password out for documents without one.")
    try:
        option.encode()
    except UnicodeEncodeError:
        raise ConfigurationError("The password is not valid Unicode.", advice="Write it in UTF-8.") from None
    return option
