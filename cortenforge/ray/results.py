"""Results as tables: a row for each world and time, for Arrow, Parquet and Ray Data."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np

from cortenforge.batch.rollout import Rollout
from cortenforge.disk import replacing
from cortenforge.errors import MissingPackage


def arrow_table(run: Rollout) -> Any:
    """A rollout as a pyarrow.Table: columns `world`, `time`, `state`, and one for each field.

    `time` is the number of the control after which a row is. Columns of several numbers are lists
    of a fixed size. `error` is the text of what went wrong in a world, on all of its rows, or null.
    """
    pyarrow = needed("pyarrow", "PyArrow")
    worlds, times = run.states.shape[:2]
    columns = {
        "world": np.repeat(np.arange(worlds), times),
        "time": np.tile(np.arange(times), worlds),
    }
    arrays = {name: pyarrow.array(values) for name, values in columns.items()}
    for name, values in {"state": run.states, **run.fields}.items():
        width = int(np.prod(values.shape[2:], dtype=int))
        flat = pyarrow.array(np.ascontiguousarray(values).reshape(-1))
        arrays[name] = pyarrow.FixedSizeListArray.from_arrays(flat, width) if width else None
    texts = [None if error is None else str(error) for error in run.errors]
    arrays["error"] = pyarrow.array(np.repeat(np.array(texts, object), times), pyarrow.string())
    return pyarrow.table({name: array for name, array in arrays.items() if array is not None})


def write_parquet(run: Rollout, path: str | os.PathLike[str]) -> None:
    """Write a rollout as a Parquet file, columns as in `arrow_table`; it is replaced atomically."""
    table = arrow_table(run)
    with replacing(path) as beside:
        needed("pyarrow.parquet", "PyArrow").write_table(table, beside)


def dataset(run: Rollout) -> Any:
    """A rollout as a ray.data.Dataset, columns as in `arrow_table`."""
    return needed("ray.data", "Ray Data").from_arrow(arrow_table(run))


def needed(module: str, package: str) -> Any:
    """A module of the extra `ray`."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackage("tables of rollouts", package, "ray") from error
