"""A description as MJCF."""
