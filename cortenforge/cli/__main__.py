"""`python -m cortenforge.cli` is the `cortenforge` command."""

from .app import main

main()
