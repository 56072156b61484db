"""The device against float64: after one step, over many, and the same bits every time."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Integrator
from cortenforge.gpu import GpuBatchSim
from tests.gpu.scenes import BUNDLED, cpu_worlds, largest_errors, scene, stir
from tests.laws.mechanics import dense_inertia

ONE_STEP = 5e-6
EPSILON = 1.2e-7


def steps_and_errors(batch: GpuBatchSim, count: int) -> dict[str, float]:
    """Step both from the same states; largest errors of the device."""
    worlds = cpu_worlds(batch)
    assert batch.step_all(count) == [None] * batch.n
    for world in worlds:
        world.step(count)
    return largest_errors(batch, worlds)


def cases(every: Iterable[tuple[str, Integrator]], kept: set[tuple[str, Integrator]]) -> list[Any]:
    """Scenes with integrators; `make test` leaves all but a few to `make gpu-conformance`.

    Mesa's software driver compiles the shaders of each for 5 to 30 s, when it has not kept them.
    """
    return [
        pytest.param(
            name,
            integrator,
            id=f"{name}-{integrator.name.lower()}",
            marks=() if (name, integrator) in kept else pytest.mark.sweep,
        )
        for name, integrator in every
    ]


SCENES = (*BUNDLED, "joints", "fluid", "cameras")
EXPLICIT = {
    *((name, Integrator.EULER) for name in SCENES),
    *((name, Integrator.RK4) for name in ("joints", "fluid")),
}


@pytest.mark.parametrize(
    ("name", "integrator"),
    cases(itertools.product(SCENES, (Integrator.EULER, Integrator.RK4)), EXPLICIT),
)
def test_every_field_after_one_step(name, integrator, gpu):
    """10b: within 5e-6 of the largest entry of each field."""
    batch = GpuBatchSim(scene(name, integrator), 6)
    stir(batch)
    errors = steps_and_errors(batch, 1)
    too_large = {field: error for field, error in errors.items() if error > ONE_STEP}
    assert not too_large


IMPLICIT = {
    ("humanoid_floating", Integrator.IMPLICIT),
    ("fluid", Integrator.IMPLICIT),
    *(("joints", integrator) for integrator in list(Integrator)[3:]),
}


@pytest.mark.parametrize(
    ("name", "integrator"),
    cases(
        itertools.product(("humanoid_floating", "joints", "fluid"), list(Integrator)[2:]), IMPLICIT
    ),
)
def test_implicit_steps(name, integrator, gpu):
    """The same by the implicit integrators."""
    batch = GpuBatchSim(scene(name, integrator), 6)
    stir(batch)
    errors = steps_and_errors(batch, 1)
    assert not {field: error for field, error in errors.items() if error > ONE_STEP}


def test_an_integrator_that_needs_more_fields(gpu):
    """A batch made for Euler's method is given them when the model is changed."""
    batch = GpuBatchSim(scene("joints"), 3)
    stir(batch)
    batch.step_all()
    assert "qDeriv" not in batch._buffers.layout.places["d"]
    batch.model.opt.integrator = int(Integrator.IMPLICIT)
    errors = steps_and_errors(batch, 1)
    assert "qDeriv" in batch._buffers.layout.places["d"]
    assert not {field: error for field, error in errors.items() if error > ONE_STEP}


def test_momentum_of_subtrees(gpu):
    """The unit that a step does not run."""
    batch = GpuBatchSim(scene("humanoid_floating"), 4)
    stir(batch)
    worlds = cpu_worlds(batch)
    batch.forward_all()
    batch.subtree_momentum()
    for world in worlds:
        world.forward()
        world.subtree_momentum()
    errors = largest_errors(batch, worlds)
    assert max(errors["subtree_linvel"], errors["subtree_angmom"]) < ONE_STEP


@pytest.mark.parametrize("integrator", [0, 1])
def test_forces_on_bodies(gpu, integrator):
    """Once they are bound, those of the end of a call, as of the last stage of Runge-Kutta's."""
    model = scene("humanoid_floating")
    model.opt.integrator = integrator
    batch = GpuBatchSim(model, 4)
    batch.bind("cfrc_ext", "subtree_angmom")
    stir(batch)
    batch.xfrc_applied[:, 1:] = np.random.default_rng(0).normal(size=(4, model.nbody - 1, 6))
    worlds = cpu_worlds(batch)
    assert batch.step_all() == [None] * 4
    for world in worlds:
        world.step()
        world.interaction_forces()
        world.subtree_momentum()
    names = ("cfrc_ext", "cfrc_int", "cacc", "subtree_linvel", "subtree_angmom")
    errors = largest_errors(batch, worlds)
    assert max(errors[name] for name in names) < ONE_STEP
    assert np.abs(batch.cfrc_ext[:, 1:]).max() > 0.1


def test_forward_does_not_move(gpu):
    """forward_all fills derived fields for the states as they are."""
    batch = GpuBatchSim(scene("joints"), 5)
    stir(batch)
    worlds = cpu_worlds(batch)
    before = batch.get_states()
    batch.forward_all()
    for world in worlds:
        world.forward()
    np.testing.assert_array_equal(batch.get_states(), before)
    assert max(largest_errors(batch, worlds).values()) < ONE_STEP


def rounding_of_acceleration(data: cf.Data) -> np.ndarray:
    """What solving M a = f in f32 may do to each acceleration: inverse times rounded terms."""
    M = dense_inertia(data.model, data)
    terms = np.abs(M) @ np.abs(data.qacc) + np.abs(data.qfrc_bias) + np.abs(data.qfrc_smooth)
    return EPSILON * np.abs(np.linalg.inv(M)) @ terms


def test_gpu_matches_cpu_single_step(gpu):
    """10-AC1: one step from the CPU's state gives the CPU's qvel, dof by dof, to the last bits.

    The criterion allows 1.2e-7 of the velocity, as if only v + h a were done on the device. The
    acceleration is the device's own here, and it has cancelled terms that are larger than what is
    left of them: for that the bound of a solve in f32 is added.
    """
    batch = GpuBatchSim(scene("triple_pendulum"), 64)
    stir(batch)
    worlds = cpu_worlds(batch)
    assert batch.step_all() == [None] * 64
    for i, world in enumerate(worlds):
        world.forward()
        allowed = world.model.opt.timestep * rounding_of_acceleration(world)
        world.step()
        allowed += EPSILON * np.abs(world.qvel) + 1e-10
        assert (np.abs(batch.qvel[i] - world.qvel) <= allowed).all()
        # the bound is far below anything that a wrong formula would change
        assert (allowed <= 1e-5 * max(1.0, np.abs(world.qvel).max())).all()


@pytest.mark.parametrize(("angle", "speed"), [(0.1, 0.1), (0.3, 1.0)])
def test_gpu_matches_cpu_100_steps(angle, speed, gpu):
    """10-AC1: the error of each dof grows no faster than in proportion to the number of steps.

    The criterion's bound, a share of the dof's own speed, holds as it stands for every dof that
    moves. A dof that is just turning back has no speed to take a share of, but the error of its
    past: there its largest speed on the way counts.
    """
    batch = GpuBatchSim(scene("triple_pendulum"), 64)
    stir(batch, angle=angle, speed=speed)
    reference = batch.cpu_reference()
    fastest = np.abs(reference.qvel)
    for _ in range(100):
        assert batch.step_all() == [None] * 64
        reference.step_all()
        fastest = np.maximum(fastest, np.abs(reference.qvel))
    error, own = np.abs(batch.qvel - reference.qvel), np.abs(reference.qvel)
    moving = own > fastest / 10
    assert moving.mean() > 0.8
    assert (error <= 100 * (EPSILON * own + 1e-10))[moving].all()
    assert (error <= 100 * (EPSILON * fastest + 1e-10)).all()


@pytest.mark.parametrize("name", ["humanoid_floating", "joints"])
def test_growth_over_100_steps_is_that_of_rounding(name, gpu):
    """As large as what a float64 run makes of a start that is rounded a little differently."""
    batch = GpuBatchSim(scene(name), 4)
    stir(batch, angle=0.1, speed=0.3)
    reference, nudged = batch.cpu_reference(), batch.cpu_reference()
    signs = np.random.default_rng(3).choice([-1.0, 1.0], size=nudged.qvel.shape)
    nudged.qvel *= 1.0 + EPSILON * signs
    nudged.qpos *= 1.0 + EPSILON * np.resize(signs, nudged.qpos.shape)
    for simulation in (batch, reference, nudged):
        simulation.step_all(100)
    for field in ("qpos", "qvel"):
        truth = getattr(reference, field)
        ours = np.abs(getattr(batch, field) - truth).max()
        natural = np.abs(getattr(nudged, field) - truth).max()
        # every step rounds once more, in random directions
        assert ours < 10 * natural + 10 * EPSILON * np.abs(truth).max()


def test_gpu_determinism(gpu):
    """10-AC4: five runs have the same bits."""
    runs = []
    for _ in range(5):
        batch = GpuBatchSim(scene("triple_pendulum"), 4)
        stir(batch)
        for _ in range(10):
            batch.step_all()
        runs.append(batch.get_states().tobytes())
    assert len(set(runs)) == 1


def test_steps_at_once_are_steps_one_by_one(gpu):
    """Also across several submissions, and wherever a world stands in a batch."""
    alone, together = GpuBatchSim(scene("joints"), 5), GpuBatchSim(scene("joints"), 70)
    stir(alone)
    together.set_states(np.resize(alone.get_states(), (70, alone.get_states().shape[1])))
    for _ in range(40):
        alone.step_all()
    together.step_all(40)
    np.testing.assert_array_equal(together.get_states()[65:], alone.get_states())


def test_time_does_not_lose_digits(gpu):
    """Time is counted in float64, as a world alone would count it."""
    batch = GpuBatchSim(scene("pendulum"), 2)
    batch.time[:] = 10000.0
    world = cpu_worlds(batch)[0]
    batch.step_all(50)
    world.step(50)
    assert batch.time.tolist() == [world.time, world.time]
