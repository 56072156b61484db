"""Nodes to elements: attributes parsed by the grammar, default classes applied."""
