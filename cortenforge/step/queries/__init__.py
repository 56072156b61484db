"""What scripts ask of one world: Jacobians, products with M, motions of objects."""
