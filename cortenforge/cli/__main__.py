"""`python -m cortenforge.cli` is the `cortenforge` command."""

from cortenforge_command import main

main()
