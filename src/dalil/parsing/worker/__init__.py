"""Reading in a process of its own, which can be killed: what a hostile document costs is one document.

`python -m dalil.parsing.worker` serves one parent over its standard input and output, so a caller's script needs no
`__main__` guard. `isolated.py`, `pool.py` and `process.py` are the parent's side, `serving.py` and `guards.py` the
worker's; `frames.py` and `records.py` are what they say to each other.
"""
