"""Engines behind the store ports, one room each: `sqlite` is the embedded default."""
