"""Anthropic's models: generation and vision. Needs the extra `anthropic`."""

from dalil.providers.anthropic.messages import AnthropicLLM

__all__ = ["AnthropicLLM"]
