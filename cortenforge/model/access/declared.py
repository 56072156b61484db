"""Bases that carry the types of the fields; `declared.pyi` lists them for type checkers."""


class ModelFields:
    """Fields of Model."""


class DataFields:
    """Fields of Data."""


class ContactFields:
    """Fields of a contact."""


class ContactColumns:
    """Fields of contacts, with a row for each."""


class BatchFields:
    """Fields of batches, with a row for each world."""
