"""A step: check, forward, integrate. `pipeline` holds the order; the folders hold the stages."""
