"""Around a call into the engine: linked units, guards, callbacks, failures, progress."""
