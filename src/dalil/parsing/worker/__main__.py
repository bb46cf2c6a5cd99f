"""Serves the process that started this one."""

from dalil.parsing.worker.serving import main

if __name__ == "__main__":
    main()
