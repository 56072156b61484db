"""From acceleration to the next state."""
