"""What MJCF may say: the rules of its elements as tables, and text to values under these rules."""
