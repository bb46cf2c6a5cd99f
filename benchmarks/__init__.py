"""Measurements, each run as `python -m benchmarks.NAME`. Data lies in `DALIL_DATA` (default `../shared/data`)."""
