"""The tables of the grammar, one file a section of MJCF."""
