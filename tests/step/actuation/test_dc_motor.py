"""DC motors: voltage, current, heat, friction and cogging."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.step.actuation.driven import hinge, set_both
from tests.step.stages import field, written_by

PARTS = (
    'inductance="0.02"',
    'thermal="2 3 0 0.004 25 22"',
    'lugre="20 0.3 0.4 0.6 0.2"',
    'input="pos vel ff" controller="4 2 0.3 5 0.1 6"',
)
FIELDS = (*written_by("step.actuation.dc_motor"), field("actuator_force"), field("qfrc_actuator"))


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("count", range(len(PARTS) + 1))
def test_parts_in_every_combination(count, integrator):
    """Each adds its activations, in a fixed order; rollouts agree with MuJoCo."""
    for parts in itertools.combinations(PARTS, count):
        both = hinge(
            f'<dcmotor joint="j" resistance="1.5" motorconst="0.4 0.5" gear="3" '
            f'saturation="2 0 40" cogging="0.1 6 0.3" {" ".join(parts)}/>',
            option=f'integrator="{integrator}"',
        )
        rng = np.random.default_rng(count)
        set_both(both, qvel=2.0)
        for _ in range(15):
            set_both(both, ctrl=5 * rng.normal(size=both.model.nu))
            both.forward()
            both.assert_equal(*FIELDS)
            both.step()
            both.assert_equal(field("act"), field("qpos"), field("qvel"))


def test_speed_without_load():
    """A motor turns at voltage over its constant in the end: back-EMF takes all of the voltage."""
    both = hinge('<dcmotor joint="j" resistance="0.5" motorconst="0.8"/>', joint='armature="0.01"')
    set_both(both, ctrl=4.0)
    both.data.step(3000)
    assert both.data.qvel[0] == pytest.approx(4.0 / 0.8, rel=1e-6)


def test_a_motor_without_inputs_brakes():
    """input="none": shorted, it brakes by its own back-EMF."""
    both = hinge('<dcmotor joint="j" resistance="0.5" motorconst="0.8" input="none"/>')
    set_both(both, qvel=3.0)
    both.forward()
    assert both.model.nu == 0
    assert both.data.actuator_force[0] == pytest.approx(-0.8 * 0.8 / 0.5 * 3.0)
    both.assert_equal(*FIELDS)


def test_bristles_hold_up_to_their_friction():
    """Pushed for long, the friction of sliding is Coulomb's."""
    both = hinge(
        '<dcmotor joint="j" resistance="1" motorconst="0" input="none" lugre="100 1 0.4 0.6 0.01"/>'
    )
    set_both(both, qvel=5.0)
    both.data.step(200)
    assert both.data.actuator_force[0] == pytest.approx(-0.4, abs=1e-3)
