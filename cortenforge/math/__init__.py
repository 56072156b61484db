"""Small kernels: vectors, rotations, spatial algebra, factorizations."""
