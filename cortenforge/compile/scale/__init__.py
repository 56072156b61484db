"""Frames that scale what is in them, and everything that refers to it."""
