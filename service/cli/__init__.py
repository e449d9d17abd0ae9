"""The command line. Every command prints for people, and with `--json` for programs.

Exit codes: 0 done, 1 finished with failed items (listed), 2 wrong use or nothing could be done.
"""

from service.cli.main import main

__all__ = ["main"]
