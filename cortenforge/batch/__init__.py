"""Many worlds on the CPU: eight in lockstep on each core, worlds over threads."""

from cortenforge.batch.batch import BatchSim

__all__ = ["BatchSim"]
