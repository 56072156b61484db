"""States: initial values, keyframes, saving, histories, noise, positions on their manifold."""
