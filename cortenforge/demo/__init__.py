"""A first look: three bundled models, their speed, what they conserve, and a picture."""
