"""A base that carries types of MJCF's attributes; `declared.pyi` lists them for type checkers."""


class ElementAttributes:
    """Attributes that elements of MJCF can have."""
