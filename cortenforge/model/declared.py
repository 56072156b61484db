"""Bases that carry the types of the fields; `declared.pyi` lists them for type checkers."""


class ModelFields:
    """Fields of Model."""


class DataFields:
    """Fields of Data."""
