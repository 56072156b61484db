"""Contacts between geoms: which pairs come near, where they touch, and with which parameters."""
