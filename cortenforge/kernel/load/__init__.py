"""Compiled units: kept on disk, compiled when they are missing, loaded, linked."""
