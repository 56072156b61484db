"""Many worlds on the CPU: groups of eight in lockstep on each core, groups over threads.

A world is one simulation. A group is the worlds whose numbers share SIMD vectors, one world in each
lane; they run the same instructions. A row is the state and inputs of one world between calls.
"""

from typing import TYPE_CHECKING, Any

from cortenforge.batch.batch import BatchSim
from cortenforge.batch.error_codes import ErrorCode
from cortenforge.batch.world_program import WorldProgram
from cortenforge.suggest import unknown_attribute

__all__ = ["BatchSim", "ErrorCode", "WorldProgram"]

# type checkers would take a module with this function to have every attribute
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise unknown_attribute(__name__, name, () if name.startswith("_") else __all__)
