"""The kernel language: what a kernel is, its values and rules, what its source tells."""
