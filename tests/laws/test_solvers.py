"""The three solvers on one problem: the same forces, in their cones, however many there are."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Disable, Solver

FLOOR = '<geom type="plane" size="0 0 1"/>'
BODY = '<body pos="{}"><freejoint/><geom {}/></body>'


def bodies(*rows: tuple[str, str]) -> str:
    return FLOOR + "".join(BODY.format(*row) for row in rows)


def wall(columns: int, rows: int) -> str:
    """Bricks that overlap, each on two others."""
    brick = 'type="box" size=".2 .1 .1" density="300"'
    places = [
        f"{0.42 * column + 0.21 * (row % 2):.3f} 0 {0.0999 + 0.1998 * row:.4f}"
        for row in range(rows)
        for column in range(columns - row % 2)
    ]
    return bodies(*((place, brick) for place in places))


SCENES = {
    "ball": bodies(("0 0 .0995", 'size=".1"')),
    "box": bodies(("0 0 .0995", 'type="box" size=".1 .1 .1"')),
    "slippery": bodies(("0 0 .0995", 'type="box" size=".1 .1 .1" condim="1"')),
    "turning": bodies(("0 0 .0995", 'type="box" size=".1 .1 .1" condim="4" friction="1 .1 .1"')),
    "rolling": bodies(("0 0 .0995", 'size=".1" condim="6" friction="1 .1 .1"')),
    "stack": bodies(*((f"0 0 {0.0995 + 0.199 * k}", 'type="box" size=".1 .1 .1"') for k in (0, 1))),
    "heavy above": bodies(
        ("0 0 .0995", 'size=".1" density="100"'), ("0 0 .298", 'size=".1" density="2000"')
    ),
    "wall": wall(2, 3),
}


def pushed(scene: str, cone: str) -> cf.Data:
    """Bodies that touch, slide and turn."""
    option = f'<option cone="{cone}" iterations="20000" tolerance="1e-15"/>'
    model = cf.Model.from_mjcf(f"<mujoco>{option}<worldbody>{scene}</worldbody></mujoco>")
    # a warm start would hand one solver what another has found
    model.opt.disableflags |= int(Disable.WARMSTART)
    data = model.make_data()
    data.qvel[:] = 0.1 * np.random.default_rng(1).normal(size=model.nv)
    return data


def found_by(data: cf.Data, solver: Solver) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and forces."""
    data.model.opt.solver = int(solver)
    data.forward()
    assert data.solver_converged
    return data.qacc.copy(), np.array([data.contact_force(i) for i in range(data.ncon)])


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_solvers_agree(scene, cone):
    """000.3-AC1, 000.3-AC2, 000.3-AC3, 002-M4: one answer, inside of the cones of friction.

    In each scene one body at least is pressed on the ground.
    """
    data = pushed(scene, cone)
    best, forces = found_by(data, Solver.NEWTON)
    assert data.ncon > 0 and forces[:, 0].max() > 0
    for solver in Solver:
        acceleration, forces = found_by(data, solver)
        # PGS and CG stop when they gain less than 1e-15 of the cost, the square of what is left
        np.testing.assert_allclose(acceleration, best, atol=1e-5 * max(1, np.abs(best).max()))
        for i, force in enumerate(forces):
            friction = data.contact_friction[i][: data.contact_dim[i] - 1]
            sides = force[1 : data.contact_dim[i]] / friction
            size = np.abs(sides).sum() if cone == "pyramidal" else np.linalg.norm(sides)
            assert force[0] >= 0 and size <= force[0] * (1 + 1e-9) + 1e-12


def test_iterations_of_cg_do_not_grow_with_contacts():
    """000.3-AC5, 000.3-S2: from 48 contacts to 532 in one island they differ by less than 30%.

    `docs/constraints.md` shows the plot, with PGS and Newton beside it.
    """
    counts, iterations = [], []
    for columns in (2, 6, 13):
        data = pushed(wall(columns, 6), "pyramidal")
        data.model.opt.tolerance, data.model.opt.solver = 1e-8, int(Solver.CG)
        data.qvel[:] *= 0.5
        data.forward()
        assert data.solver_converged and data.nisland == 1
        # it stops at what an iteration gains, which is the square of what is left
        assert 0 < data.solver_residual < 1e-3
        counts.append(data.ncon)
        iterations.append(int(data.solver_niter[0]))
    assert counts[0] < 50 and counts[-1] > 500
    assert max(iterations) < 1.3 * min(iterations) < 130
