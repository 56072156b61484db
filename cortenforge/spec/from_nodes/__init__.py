"""Nodes, of a file or of a program, become elements under the rules of the grammar."""
