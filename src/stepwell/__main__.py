"""`python -m stepwell` is the command `stepwell`."""

from __future__ import annotations

from stepwell.serve.cli import main

if __name__ == "__main__":
    main()
