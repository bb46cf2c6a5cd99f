"""Embedders whose weights lie inside Python packages: no download, no server, no key."""

from dalil.providers.local.embedders import AccurateEmbedder, FastEmbedder

__all__ = ["AccurateEmbedder", "FastEmbedder"]
