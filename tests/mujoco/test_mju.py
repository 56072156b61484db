"""Small functions beside MuJoCo's: the same results, in the same places, for random arguments."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cortenforge.mujoco.registry import all_functions
from cortenforge.mujoco.tables import FUNCTIONS

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.oracle

OURS = all_functions()
ARRAY = re.compile(r"(\w+)\[(\w+),(\w+)\]")
TRIES = 30
N = 4


def normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape)


def unit(rng: np.random.Generator, n: int = 4) -> np.ndarray:
    made = normal(rng, n)
    return made / np.linalg.norm(made)


def positive(rng: np.random.Generator, n: int = N) -> np.ndarray:
    root = normal(rng, n, n)
    return root @ root.T + 0.1 * np.eye(n)


def integers(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def band(rng: np.random.Generator) -> tuple[np.ndarray, int, int, int]:
    """A positive definite band matrix of six rows, three entries wide, with two dense rows."""
    ntotal, nband, ndense = 6, 3, 2
    full = positive(rng, ntotal) * np.tri(ntotal, ntotal, 0)
    for i in range(ntotal - ndense):
        full[i, : max(0, i - nband + 1)] = 0.0
    full = full + full.T + 20.0 * np.eye(ntotal)
    made = np.zeros((ntotal - ndense) * nband + ndense * ntotal)
    mujoco.mju_dense2Band(made, full, ntotal, nband, ndense)
    return made, ntotal, nband, ndense


def sparse(rng: np.random.Generator, square: bool) -> tuple[np.ndarray, ...]:
    """Values, counts, addresses and columns of a matrix with three rows; lower if square."""
    values = normal(rng, 6)
    columns = integers(0, 0, 1, 0, 1, 2) if square else integers(3, 0, 2, 1, 2, 3)
    return values, integers(1, 2, 3), integers(0, 1, 3), columns


Recipe = Callable[[np.random.Generator], tuple[Any, ...]]
#: arguments of functions whose sizes depend on each other, or that take special matrices
RECIPES: dict[str, Recipe] = {
    "mju_mulMatVec": lambda r: (np.zeros(3), normal(r, 3, 4), normal(r, 4)),
    "mju_mulMatTVec": lambda r: (np.zeros(4), normal(r, 3, 4), normal(r, 3)),
    "mju_transpose": lambda r: (np.zeros((4, 3)), normal(r, 3, 4)),
    "mju_mulMatMat": lambda r: (np.zeros((2, 4)), normal(r, 2, 3), normal(r, 3, 4)),
    "mju_mulMatMatT": lambda r: (np.zeros((2, 4)), normal(r, 2, 3), normal(r, 4, 3)),
    "mju_mulMatTMat": lambda r: (np.zeros((3, 4)), normal(r, 2, 3), normal(r, 2, 4)),
    "mju_sqrMatTD": lambda r: (np.zeros((3, 3)), normal(r, 2, 3), normal(r, 2)),
    "mju_sparse2dense": lambda r: (np.ones((3, 4)), *sparse(r, False)),
    "mju_sym2dense": lambda r: (np.ones((3, 3)), *sparse(r, True)),
    "mju_dense2sparse": lambda r: (
        np.zeros(9), (normal(r, 3, 3) > 0.3) * normal(r, 3, 3), np.zeros(3, np.int32),
        np.zeros(3, np.int32), np.zeros(9, np.int32),
    ),
    "mju_cholFactor": lambda r: (positive(r), 1e-9),
    "mju_cholSolve": lambda r: (np.zeros(N), np.linalg.cholesky(positive(r)), normal(r, N)),
    "mju_cholUpdate": lambda r: (
        np.linalg.cholesky(positive(r)), 0.3 * normal(r, N), int(r.integers(2))
    ),
    "mju_bandDiag": lambda r: (int(r.integers(6)), 6, 3, 2),
    "mju_band2Dense": lambda r: (np.ones((6, 6)), *band(r), bool(r.integers(2))),
    "mju_dense2Band": lambda r: (np.zeros(24), positive(r, 6), 6, 3, 2),
    "mju_bandMulMatVec": lambda r: (
        np.zeros(6), (b := band(r))[0].reshape(1, -1), normal(r, 6, 1), *b[1:], 1,
        bool(r.integers(2)),
    ),
    "mju_cholFactorBand": lambda r: (*band(r), 0.1, 0.2),
    "mju_cholSolveBand": lambda r: (
        np.zeros(6), factored(b := band(r)), normal(r, 6), *b[1:]
    ),
    "mju_eig3": lambda r: (np.zeros(3), np.zeros(9), np.zeros(4), positive(r, 3).ravel()),
    "mju_mat2Quat": lambda r: (np.zeros(4), rotation(r)),
    "mju_mat2Rot": lambda r: (unit(r), normal(r, 9)),
    "mju_quat2Mat": lambda r: (np.zeros(9), unit(r)),
    "mju_rotVecQuat": lambda r: (np.zeros(3), normal(r, 3), unit(r)),
    "mju_trnVecPose": lambda r: (np.zeros(3), normal(r, 3), unit(r), normal(r, 3)),
    "mju_mulPose": lambda r: (
        np.zeros(3), np.zeros(4), normal(r, 3), unit(r), normal(r, 3), unit(r)
    ),
    "mju_negPose": lambda r: (np.zeros(3), np.zeros(4), normal(r, 3), unit(r)),
    "mju_euler2Quat": lambda r: (
        np.zeros(4), normal(r, 3), "".join(r.choice(list("xyzXYZ"), 3))
    ),
    "mju_boxQP": lambda r: (
        0.1 * normal(r, N), np.zeros((N, N + 7)), np.zeros(N, np.int32), positive(r),
        normal(r, N), -0.3 * np.abs(normal(r, N)), 0.3 * np.abs(normal(r, N)),
    ),
    "mju_muscleGain": lambda r: (
        r.uniform(0.1, 1.5), r.uniform(-2.0, 2.0), np.array([0.2, 1.0]), r.uniform(0.1, 5.0),
        muscle(r),
    ),
    "mju_muscleBias": lambda r: (
        r.uniform(0.1, 1.5), np.array([0.2, 1.0]), r.uniform(0.1, 5.0), muscle(r)
    ),
    "mju_muscleDynamics": lambda r: (
        r.uniform(-0.2, 1.2), r.uniform(-0.2, 1.2),
        np.array([0.01, 0.04, r.choice([0.0, 0.5])]),
    ),
    "mju_encodePyramid": lambda r: (
        np.zeros(6), normal(r, 4), r.uniform(0.1, 1.0, 3)
    ),
    "mju_decodePyramid": lambda r: (np.zeros(4), normal(r, 6), r.uniform(0.1, 1.0, 3)),
    "mju_springDamper": lambda r: (
        r.normal(), r.normal(), r.uniform(0.0, 9.0), r.choice([0.0, 1.0, 2.0, 8.0]), 0.3
    ),
    "mju_rayGeom": lambda r: (
        normal(r, 3), rotation(r), r.uniform(0.5, 2.0, 3), 3.0 * normal(r, 3), normal(r, 3),
        int(r.choice([0, 2, 3, 4, 5, 6])), np.ones(3),
    ),
    "mju_raySkin": lambda r: (
        20, 12, r.integers(0, 12, (20, 3)).astype(np.int32),
        normal(r, 12, 3).astype(np.float32), 3.0 * normal(r, 3), normal(r, 3),
        np.zeros(1, np.int32),
    ),
    "mju_Halton": lambda r: (int(r.integers(-3, 1000)), int(r.choice([2, 3, 5, 7]))),
    "mju_type2Str": lambda r: (int(r.choice([*range(-1, 30), 100])),),
    "mju_str2Type": lambda r: (str(r.choice(["body", "xbody", "frame", "plugin", "Body", ""])),),
    "mju_writeNumBytes": lambda r: (int(r.integers(0, 40)) * 2 ** int(r.integers(0, 40)),),
    "mju_round": lambda r: (float(r.choice([0.5, -0.5, 1.5, 2.4, 1e12, -1e12, np.nan])),),
    "mju_isBad": lambda r: (float(r.choice([0.0, 1e10, -1.1e10, np.nan, np.inf])),),
    "mju_sign": lambda r: (float(r.choice([0.0, 2.0, -3.0])),),
    "mju_isZero": lambda r: (r.integers(0, 2, 2).astype(float),),
}  # fmt: skip
#: without a result that could be compared
APART = {"mju_standardNormal", "mju_printMat", "mju_printMatSparse", "mju_writeLog"}
#: what text they give is ours
OWN_WORDS = {"mju_warningText"}
ABSENT = {"mju_threadpool", "mju_getXMLDependencies"}
NAMES = sorted(name for name in FUNCTIONS if name.startswith("mju_"))


def factored(given: tuple[np.ndarray, int, int, int]) -> np.ndarray:
    mujoco.mju_cholFactorBand(*given, 0.0, 0.0)
    return given[0]


def rotation(rng: np.random.Generator) -> np.ndarray:
    made = np.zeros(9)
    mujoco.mju_quat2Mat(made, unit(rng))
    return made


def muscle(rng: np.random.Generator) -> np.ndarray:
    return np.array(
        [0.75, 1.05, rng.choice([-1.0, 50.0]), 200.0, 0.5, 1.6, 1.5, 1.3, 1.2], float
    )  # fmt: skip


def argument(rng: np.random.Generator, kind: str) -> Any:
    """A random argument of a type of the table; all free sizes are the same."""
    found = ARRAY.match(kind)
    if found:
        rows, columns = (int(n) if n.isdigit() else N for n in found.groups()[1:])
        shape = (rows,) if found[3] == "1" else (rows, columns)
        numbers = 3.0 * rng.standard_normal(shape)
        return numbers.astype(getattr(np, found[1]))
    return {"float": rng.normal(), "int": int(rng.integers(0, 3)), "bool": True}[kind]


def arguments(name: str, rng: np.random.Generator) -> tuple[Any, ...]:
    if name in RECIPES:
        return RECIPES[name](rng)
    return tuple(argument(rng, row[1]) for row in FUNCTIONS[name])


def assert_close(name: str, mine: Any, theirs: Any) -> None:
    if isinstance(theirs, (str, type(None))):
        assert mine == theirs, name
    else:
        np.testing.assert_allclose(mine, theirs, rtol=1e-10, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in APART | OWN_WORDS | ABSENT])
def test_results_are_mujocos(name: str) -> None:
    """What a function returns, and what it writes, for random arguments."""
    rng = np.random.default_rng(7)
    for _ in range(TRIES):
        mine = arguments(name, rng)
        theirs = copy.deepcopy(mine)
        found = OURS[name](*mine)
        assert_close(name, found, getattr(mujoco, name)(*theirs))
        for row, own, other in zip(FUNCTIONS[name], mine, theirs, strict=True):
            if name == "mju_boxQP" and row[0] in ("R", "index"):
                # the rest of their room is scratch
                count = found if row[0] == "index" else found * found
                own, other = own.ravel()[:count], other.ravel()[:count]
                if row[0] == "R":
                    own, other = (np.tril(part.reshape(found, found)) for part in (own, other))
            assert_close(f"{name}: {row[0]}", own, other)


@pytest.mark.parametrize("name", ["mju_printMat", "mju_printMatSparse"])
def test_printed_matrices_are_mujocos(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(5)
    given = (normal(rng, 2, 3),) if name == "mju_printMat" else sparse(rng, False)
    printed = []
    for call in (OURS[name], getattr(mujoco, name)):
        call(*given)
        printed.append(capfd.readouterr().out)
    assert printed[0] == printed[1] != ""


def test_log_is_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each entry has its time, type and message, as MuJoCo writes them."""
    monkeypatch.chdir(tmp_path)
    for call in (OURS["mju_writeLog"], mujoco.mju_writeLog):
        call("Note", "a message")
    lines = (tmp_path / "MUJOCO_LOG.TXT").read_text().splitlines()
    assert lines[1:3] == lines[4:6] == ["Note: a message", ""]
    assert [len(line.split()) for line in (lines[0], lines[3])] == [5, 5]


def test_standard_normal_is_normal() -> None:
    drawn = np.array([OURS["mju_standardNormal"](None) for _ in range(20_000)])
    assert abs(drawn.mean()) < 0.05
    assert abs(drawn.std() - 1.0) < 0.05


def test_warning_texts_name_what_is_wrong() -> None:
    """Our words, MuJoCo's numbers and order."""
    for warning in range(-1, 9):
        mine, theirs = (
            call(warning, 3) for call in (OURS["mju_warningText"], mujoco.mju_warningText)
        )
        for word in ("QPOS", "QVEL", "QACC", "CTRL", "ncon", "Unknown"):
            assert (word in mine) == (word in theirs)


def test_results_may_be_arguments() -> None:
    """A function may write to an array that it reads."""
    q, turn = unit(np.random.default_rng(2)), unit(np.random.default_rng(3))
    expected = np.zeros(4)
    OURS["mju_mulQuat"](expected, q, turn)
    OURS["mju_mulQuat"](q, q, turn)
    np.testing.assert_array_equal(q, expected)


def test_every_function_is_there() -> None:
    """All of MuJoCo's small functions are here, but for those that say why they are not."""
    assert set(NAMES) == {name for name in dir(mujoco) if name.startswith("mju_")}
    for name in ABSENT:
        with pytest.raises(NotImplementedError, match=name):
            OURS[name]()


def outcome(call: Callable[..., Any], given: tuple[Any, ...]) -> type | None:
    """The exception of a call, or None."""
    try:
        call(*given)
    except Exception as error:
        return type(error)
    return None


def misfits(kind: str, good: Any) -> list[Any]:
    """Arguments of another size or type than a good one."""
    if isinstance(good, np.ndarray):
        ragged = np.zeros(good.size + 1, good.dtype)
        frozen = good.copy()
        frozen.flags.writeable = False
        strided = np.zeros((*good.shape[:-1], 2 * good.shape[-1]), good.dtype)[..., ::2]
        made = [ragged, good.astype(np.int64), "text", None, [[1.0], [2.0, 3.0]], 1j * good]
        return [*made, frozen, strided, good.reshape(1, *good.shape)]
    return ["text", None, 1j, [1.0, 2.0]] if kind != "str" else [1.0, [1]]


#: MuJoCo's binding takes these to be written, though they are read; a list is accepted here
READ_ONLY = {"mju_sum", "mju_L1", "mju_isZero", "mju_sqrMatTD"}


@pytest.mark.parametrize(
    "name", [n for n in NAMES if n not in APART | ABSENT | READ_ONLY and "Str" not in n]
)
def test_misfits_are_refused_as_mujoco_refuses_them(name: str) -> None:
    """Wrong sizes and types: the same exception as MuJoCo's, and nothing else where it has none."""
    rng = np.random.default_rng(11)
    good = arguments(name, rng)
    for k, row in enumerate(FUNCTIONS[name]):
        for bad in misfits(row[1], good[k]):
            given = (*good[:k], bad, *good[k + 1 :])
            theirs = outcome(getattr(mujoco, name), copy.deepcopy(given))
            mine = outcome(OURS[name], copy.deepcopy(given))
            same = mine is theirs or (mine and theirs and mine.__name__ == theirs.__name__)
            assert same, f"{name}: {row[0]} = {bad!r}: {mine} here, {theirs} in MuJoCo"
