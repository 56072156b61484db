"""Collision: contact filter, broad phase, narrow phase, parameters of contacts."""
