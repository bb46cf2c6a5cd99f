"""What all hosted models share: addresses and keys, calls that are tried again, batches, checked answers, usage."""

from dalil.providers.hosting.address import Address
from dalil.providers.hosting.retrying import RetryPolicy
from dalil.providers.hosting.usage import ProviderUsage

__all__ = ["Address", "ProviderUsage", "RetryPolicy"]
