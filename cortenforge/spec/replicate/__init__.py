"""Copies of a subtree, and of what refers to it."""
