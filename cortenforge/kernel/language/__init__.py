"""The kernel language: what a kernel is, its values and rules, and analysis of its source."""
