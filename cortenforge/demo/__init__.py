"""A first look: bundled models, their speed, what they conserve, what falls and lies, a picture."""
