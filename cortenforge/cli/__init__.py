"""The `cortenforge` command, one verb a file."""

from cortenforge.cli.app import app, main

__all__ = ["app", "main"]
