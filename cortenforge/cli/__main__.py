"""`python -m cortenforge.cli` is the `cortenforge` command."""

from cortenforge.cli.app import main

main()
