"""Functions of the module, by topic; importing a module registers its functions."""
