"""The `cortenforge` command, one verb a file."""
