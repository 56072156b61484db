"""Rows of constraints: what holds or limits motion, as MuJoCo's soft constraints."""
