"""The `cortenforge` command, one verb a file."""

from .app import app, main

__all__ = ["app", "main"]
