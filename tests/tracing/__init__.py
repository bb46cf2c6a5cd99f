"""Tracers, and what the engine tells them."""
