"""Objects in their order, as arrays: trees, sparsity, bounding volumes."""
