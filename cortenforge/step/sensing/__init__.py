"""What sensors read, after each stage of forward dynamics."""
