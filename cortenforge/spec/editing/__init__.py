"""Changes of a description: elements added and deleted, whole models attached."""
