"""Fields as people see them: storage, views by name, declarations for type checkers."""
