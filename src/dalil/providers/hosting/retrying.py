"""When a failed call is made again, and after how long."""

from __future__ import annotations

import random
from dataclasses import dataclass

from dalil.errors import ConfigurationError
from dalil.providers.hosting.failures import Cause, Failure


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential back-off with jitter. Times are in seconds.

    The n-th wait is between half and all of `first_wait` * 2 ** (n - 1), and at most `longest_wait`; where the service
    says how long to wait, it is waited for instead, and a tenth more at most. A service that asks for more than
    `longest_wait` is not asked again. `attempts` counts calls in all; of these at most `unreachable_attempts` may
    find nobody there, and at most `timeout_attempts` may take too long.

    Raises:
        ConfigurationError: unless there is at least one attempt of each kind and no time is negative.
    """

    attempts: int = 6
    unreachable_attempts: int = 3
    timeout_attempts: int = 2
    first_wait: float = 0.5
    longest_wait: float = 60.0

    def __post_init__(self) -> None:
        if min(self.attempts, self.unreachable_attempts, self.timeout_attempts) < 1:
            raise ConfigurationError("A call needs at least one attempt.")
        if min(self.first_wait, self.longest_wait) < 0:
            raise ConfigurationError("The waits between attempts must not be negative.")


class Attempts:
    """The failed attempts of one call."""

    def __init__(self, policy: RetryPolicy):
        self._policy = policy
        self._causes: list[Cause] = []

    def wait_after(self, failure: Failure) -> float | None:
        """How long to wait before the next attempt; None if there shall be none."""
        policy = self._policy
        self._causes.append(failure.cause)
        if (
            not failure.passing
            or len(self._causes) >= policy.attempts
            or self._causes.count(Cause.UNREACHABLE) >= policy.unreachable_attempts
            or self._causes.count(Cause.TIMEOUT) >= policy.timeout_attempts
        ):
            return None
        if failure.retry_after is not None:
            if failure.retry_after > policy.longest_wait:
                return None
            return failure.retry_after * random.uniform(1.0, 1.1)
        longest = min(policy.longest_wait, policy.first_wait * 2.0 ** (len(self._causes) - 1))
        return longest * random.uniform(0.5, 1.0)
