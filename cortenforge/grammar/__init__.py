"""Grammar of MJCF: rules of elements as tables, and parsing of attributes by these rules."""
