"""Worlds on many machines: shards of worlds, worked on by actors of Ray, or in this process.

A shard is some consecutive worlds of a pool, always the same ones: what is computed of a shard
depends on the model, the shard's worlds and their seeds, and never on the worker that does it.
"""

from typing import TYPE_CHECKING, Any

from cortenforge.ray.evaluation import Evaluation
from cortenforge.ray.pool import Pool, Stepped, rollout
from cortenforge.ray.results import arrow_table, dataset, write_parquet
from cortenforge.ray.shard import Shard
from cortenforge.suggest import unknown_attribute

__all__ = [
    "Evaluation",
    "Pool",
    "Shard",
    "Stepped",
    "arrow_table",
    "dataset",
    "rollout",
    "write_parquet",
]

# type checkers would take a module with this function to have every attribute
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise unknown_attribute(__name__, name, () if name.startswith("_") else __all__)
