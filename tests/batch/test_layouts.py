"""Kernels fit worlds that differ in their model, whichever integrator takes the step."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.units import mistyped
from cortenforge.batch.lockstep import step_groups
from cortenforge.batch.program import lane_linker
from cortenforge.kernel.language.reach import Shared
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step.engine import ENGINE

WORDS = ("Euler", "RK4", "implicit", "implicitfast", "discrete", "implicitspringdamper")
SWIMMER = """<mujoco><option integrator="{}" density="{}" viscosity="{}"/><worldbody>
<body><freejoint/><geom type="box" size=".1 .2 .05"/><body pos=".2 0 0"><joint name="j"
damping=".2" stiffness="3"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/></body></body>
</worldbody><tendon><fixed name="t" stiffness="2" damping=".1"><joint joint="j" coef="1"/></fixed>
</tendon><actuator><position joint="j" kp="4"/></actuator></mujoco>"""


#: where pytest keeps the keys of units whose types were found to fit
KNOWN = "units/with_types"


def test_units_of_every_integrator_have_types(pytestconfig: pytest.Config):
    """All that a step can reach in lanes that differ; `make conformance` has every layout.

    It takes 20 s, so units that were typed before, or are compiled, are not typed again: a unit's
    key follows from its source, from all that it calls and from the fields that it uses.
    """
    linker = lane_linker(ENGINE, True)
    units = linker.reach([step_groups]).found(alone=False)
    for word in WORDS:
        model = cf.Model.from_mjcf(SWIMMER.format(word, 1, 1))
        reached = linker.reach([step_groups], Shared(plain_model(model))).found(alone=False)
        assert {unit.name for unit in reached} <= {unit.name for unit in units}
    # absent with `-p no:cacheprovider`
    cache = getattr(pytestconfig, "cache", None)
    known = set(cache.get(KNOWN, [])) if cache else set()
    keys = {linker.key(unit): unit for unit in units}
    new = [unit for key, unit in keys.items() if key not in known and linker.kept(unit) is None]
    assert [str(error) for error in mistyped(linker, new)] == []
    if cache:
        cache.set(KNOWN, sorted(keys))


@pytest.mark.parametrize("word", ["discrete", "implicitfast"])
def test_a_medium_that_only_some_worlds_have(word):
    """Density and viscosity of each world's own: each has the bits of a world alone."""
    batch = cf.BatchSim(cf.Model.from_mjcf(SWIMMER.format(word, 0, 0)), 9, threads=1)
    batch.expand("opt_density", "opt_viscosity")
    rng = np.random.default_rng(1)
    batch.parameters["opt_density"][:4] = density = rng.uniform(1, 1000, size=4)
    batch.parameters["opt_viscosity"][2:6] = viscosity = rng.uniform(0.1, 5, size=4)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    start = batch.get_states()
    assert batch.step_all(5) == [None] * 9
    densities = [*density, 0, 0, 0, 0, 0]
    viscosities = [0, 0, *viscosity, 0, 0, 0]
    for i in range(9):
        text = SWIMMER.format(word, f"{densities[i]:.17g}", f"{viscosities[i]:.17g}")
        data = cf.Model.from_mjcf(text).make_data()
        data.set_state(start[i])
        data.step(5)
        np.testing.assert_array_equal(batch.get_states()[i], data.get_state().vector)
