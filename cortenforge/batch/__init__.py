"""Many worlds on the CPU: groups of eight in lockstep on each core, groups over threads.

A world is one simulation. A group is the worlds whose numbers share SIMD vectors, one world in each
lane; they run the same instructions. A row is the state and inputs of one world between calls.
"""

from cortenforge.batch.batch import BatchSim

__all__ = ["BatchSim"]
