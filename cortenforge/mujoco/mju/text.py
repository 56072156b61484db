"""Types, messages and matrices as text; random numbers; what belongs to MuJoCo's C library."""

from __future__ import annotations

import random
from datetime import datetime
from pathlib import Path

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.mujoco.mju.shapes import as_matrix
from cortenforge.mujoco.mju.sparse import entries
from cortenforge.mujoco.registry import function

#: units of memory
UNITS = " KMGTPE"
#: messages of warnings, in the order of mjtWarning; {} is the warning's number
WARNINGS = (
    "Inertia matrix is not positive definite, or a solve with it failed, at DOF {}. Check model.",
    "Too many contacts: memory is full (ncon = {}).",
    "Too many constraints: they need more than {bytes} bytes of memory.",
    "Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable.",
    "Nan, Inf or huge value in QVEL at DOF {}. The simulation is unstable.",
    "Nan, Inf or huge value in QACC at DOF {}. The simulation is unstable.",
    "Nan, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.",
)
#: mjOBJ_FRAME, which only specs have
FRAME = 100
#: where MuJoCo writes messages that nobody handles
LOG_FILE = "MUJOCO_LOG.TXT"


@function
def mju_type2Str(type: int) -> str | None:
    """Name of a type of object, as in MJCF; None for a number that is none."""
    if type == FRAME:
        return "frame"
    if type == ObjType.UNKNOWN or type not in ObjType._value2member_map_:
        return None
    return ObjType(type).name.lower()


@function
def mju_str2Type(str: str) -> int:
    """Type of object of a name; 0 for a name that is none."""
    if str == "frame":
        return FRAME
    known = str.upper() if str.islower() else ""
    return int(ObjType[known]) if known in ObjType.__members__ else 0


def bytes_text(count: int) -> str:
    """A number of bytes, in the largest unit of which it is a multiple."""
    unit = 0
    while count and count % 1024 == 0 and unit < len(UNITS) - 1:
        count //= 1024
        unit += 1
    return f"{count}{UNITS[unit].strip()}"


@function
def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes as text: 2K, 10M."""
    if nbytes < 0:
        raise TypeError(f"nbytes: expected 0 or more, got {nbytes}")
    return bytes_text(nbytes)


@function
def mju_warningText(warning: int, info: int) -> str:
    """Message of a warning (mjtWarning)."""
    if not 0 <= warning < len(WARNINGS):
        return f"Unknown warning type {warning}."
    return WARNINGS[warning].format(info, bytes=bytes_text(max(info, 0)))


@function
def mju_printMat(mat: np.ndarray) -> None:
    """Print a matrix."""
    for row in as_matrix(mat):
        print("".join(f"{value:.8f} " for value in row))
    print()


@function
def mju_printMatSparse(
    mat: np.ndarray, rownnz: np.ndarray, rowadr: np.ndarray, colind: np.ndarray
) -> None:
    """Print the entries of a sparse matrix with their rows and columns."""
    rows = len(rownnz)
    row, column, at = entries(rows, 2**31 - 1, mat, rownnz, rowadr, colind)
    for i in range(rows):
        own = row == i
        pairs = zip(column[own], mat[at[own]], strict=True)
        print("".join(f"({i} {j}): {value:9.6f}  " for j, value in pairs))
    print()


@function
def mju_writeLog(type: str, msg: str) -> None:
    """Append a message with its time to the file MUJOCO_LOG.TXT in the current folder."""
    with Path(LOG_FILE).open("a", encoding="utf-8") as file:
        file.write(f"{datetime.now():%a %b %e %H:%M:%S %Y}\n{type}: {msg}\n\n")


@function
def mju_standardNormal(num2: float | None) -> float:
    """A random number of the standard normal distribution.

    MuJoCo puts a second one where num2 points to, which a number in Python has not.
    """
    return random.gauss()
