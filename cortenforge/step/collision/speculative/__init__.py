"""Contacts that would happen within the step: what is fast and small does not pass a sheet."""
