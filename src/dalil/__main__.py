"""`python -m dalil` is the `dalil` command."""

from dalil.cli import main

if __name__ == "__main__":
    main()
