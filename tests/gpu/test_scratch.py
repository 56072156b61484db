"""Scratch that shaders share: it has no value between kernels, so its memory may be another's."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import UnknownAttribute
from cortenforge.gpu import GpuBatchSim
from cortenforge.gpu.program import Translation, is_brief
from cortenforge.model.internals import store_of
from cortenforge.models import find
from cortenforge.step.engine import ENGINE
from tests.gpu.constrained import SCHEDULED, constrained

BRIEF = [field.name for field in ENGINE.fields if is_brief(field) and field.in_kernels]
#: more than 64 dofs in one island
PILE = (
    '<mujoco><worldbody><geom type="plane" size="5 5 0.1"/>'
    + "".join(
        f'<body pos="{0.01 * k} 0 {0.09 + 0.19 * k}"><freejoint/>'
        f'<geom type="{("sphere", "cylinder")[k % 2]}" size="0.1 0.1"/></body>'
        for k in range(12)
    )
    + "</worldbody></mujoco>"
)
STEPS = 25


def loaded(name: str) -> cf.Model:
    """A model by name."""
    if name == "humanoid":
        return cf.load_model(find("humanoid"))
    return cf.Model.from_mjcf(PILE) if name == "pile" else constrained(name)


def bits_of_run(model: cf.Model, spoiled: list[str]) -> list[bytes]:
    """Accelerations and states of some steps; these fields are overwritten before each."""
    random = np.random.default_rng(0)
    data = model.make_data()
    data.qvel[:] = 0.5 * random.normal(size=model.nv)
    seen = []
    for _ in range(STEPS):
        arrays = store_of(data).arrays
        for name in spoiled:
            array = arrays[name]
            array[...] = random.integers(-1, 2, size=array.shape)
        data.step()
        seen.append(data.qacc.tobytes() + data.qpos.tobytes())
    return seen


@pytest.mark.parametrize("name", ["humanoid", "pile", *SCHEDULED])
def test_no_step_depends_on_scratch_of_the_step_before(name):
    """Whatever stands there, results have the same bits, on the CPU, whose kernels these are."""
    model = loaded(name)
    assert bits_of_run(model, BRIEF) == bits_of_run(model, [])


def test_scratch_of_different_shaders_shares_memory():
    """Collision's and the solver's begin at the same place, behind everything that lasts."""
    translation = Translation(constrained("ellipsoid-cylinder"), ENGINE, {"npolytopemax": 234})
    translation.add(ENGINE.step)
    places = translation.layout().places["d"]
    shared = {name: place for name, place in places.items() if place.shared}
    lasting = [place for name, place in places.items() if not place.shared and name != "state"]
    for real in (True, False):
        starts = [place.offset for place in shared.values() if place.is_real == real]
        ends = [max(p.offset, p.low) + p.count for p in lasting if p.is_real == real]
        assert starts and min(starts) == max(ends)
        assert starts.count(min(starts)) > 1
    assert {"diff_point", "small_H"} <= shared.keys()
    assert not {"pattern_known", "apart_axis", "iefc_force", "qacc"} & shared.keys()


def test_scratch_that_is_shared_cannot_be_read(gpu):
    """It holds what the last shader left there."""
    batch = GpuBatchSim(constrained("solver Newton"), 1)
    with pytest.raises(UnknownAttribute, match="cpu_reference"):
        batch.small_H  # noqa: B018
    assert batch.qacc.shape == (1, batch.model.nv)
