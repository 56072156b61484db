"""Every field of MjModel and MjData equals MuJoCo's, in value, shape and type."""

from __future__ import annotations

import pytest

from tests.mujoco.pairs import MODELS, Side, differences, models, sides, unwritten

pytestmark = pytest.mark.oracle

#: constants that this engine computes by other sums, as docs/conformance.md says
MODEL_RTOL = 1e-9


@pytest.mark.parametrize("name", MODELS)
def test_fields_of_models(name: str) -> None:
    theirs, own = models(name)
    assert not differences(theirs, own, rtol=MODEL_RTOL)
    for part in ("opt", "stat"):
        assert not differences(getattr(theirs, part), getattr(own, part), rtol=MODEL_RTOL)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", [1, 2])
def test_fields_of_data(name: str, seed: int) -> None:
    theirs, own = sides(name, seed)
    assert not differences(theirs.d, own.d, rtol=1e-8, skip=unwritten(theirs))
    for side in (theirs, own):
        side.mujoco.mj_step(side.m, side.d, 3)
    # with RK4, MuJoCo's energy is that of the last stage
    energy = frozenset({"energy"} if name == "assorted_rk4" else ())
    assert not differences(theirs.d, own.d, rtol=1e-8, skip=unwritten(theirs) | energy)
    compare_contacts(theirs, own)


def compare_contacts(theirs: Side, own: Side) -> None:
    assert len(theirs.d.contact) == len(own.d.contact) == own.d.ncon
    assert not differences(theirs.d.contact, own.d.contact, rtol=1e-7)
