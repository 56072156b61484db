"""Fields of models and data as attributes: views, lists, what is computed when it is read."""
