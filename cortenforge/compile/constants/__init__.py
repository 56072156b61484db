"""Numbers that follow from the model in its reference position."""
