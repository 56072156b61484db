"""States and models that nobody should simulate: finite numbers or a typed error, never a hang.

Bodies deep inside of each other, masses a million times as large as others, stiffness from nothing
to anything, equalities that contradict each other, rows that move nothing, inertias that are
singular. Each case takes some steps with each solver and cone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

import cortenforge as cf
from conformance.findings import Finding
from cortenforge.enums import Cone, Solver

__all__ = ["HOSTILE", "Trial", "endure", "trials"]

STEPS = 20
#: seconds after which a case counts as hanging; the slowest takes a thousandth of it
PATIENCE = 60.0
SHAPES = (
    'type="sphere" size=".1"',
    'type="capsule" size=".06 .1"',
    'type="box" size=".1 .08 .06"',
    'type="cylinder" size=".08 .1"',
    'type="ellipsoid" size=".1 .08 .06"',
)


@dataclass(frozen=True)
class Trial:
    """A model in a state."""

    name: str
    text: str
    qpos: np.ndarray | None = None
    qvel: np.ndarray | None = None


def endure(title: str, made: Iterable[Trial]) -> Finding:
    """Step through everything; count what comes out."""
    finding = Finding(title, "runs")
    models: dict[str, cf.Model] = {}
    for number, trial in enumerate(made):
        model = models.get(trial.text)
        if model is None:
            models.clear()
            model = models[trial.text] = cf.Model.from_mjcf(trial.text)
            finding.models += 1
        model.opt.solver = int(list(Solver)[number % len(Solver)])
        model.opt.cone = int(list(Cone)[number // len(Solver) % len(Cone)])
        finding.states += 1
        finding.compared += 1
        began = time.perf_counter()
        _run(model, trial, finding)
        taken = time.perf_counter() - began
        if taken > PATIENCE:
            finding.fail(f"{trial.name}: {taken:.0f} s for {STEPS} steps")
    return finding


def _run(model: cf.Model, trial: Trial, finding: Finding) -> None:
    data = model.make_data()
    if trial.qpos is not None:
        data.qpos[:] = trial.qpos
    if trial.qvel is not None:
        data.qvel[:] = trial.qvel
    try:
        data.step(STEPS)
    except cf.StepError as error:
        finding.notes[type(error).__name__] += 1
    except Exception as error:
        finding.fail(f"{trial.name}: {type(error).__name__}: {error}")
        return
    else:
        finding.notes["went on"] += 1
    # of a world that failed the state before is left, which is finite, too
    for name in ("qpos", "qvel") if data.status else ("qpos", "qvel", "qacc", "qfrc_constraint"):
        if not np.isfinite(getattr(data, name)).all():
            finding.fail(f"{trial.name}: {name} is not finite")


# ---------------------------------------------------------------------- trials


def trials(count: int) -> Iterator[Trial]:
    """So many deep starts, and some of every other kind."""
    yield from deep(count)
    for make in HOSTILE.values():
        yield from make(max(1, count // 20))


def deep(count: int) -> Iterator[Trial]:
    """Bodies of all shapes thrown into one place, at any speed; ten starts a model."""
    rng = np.random.default_rng(1)
    for number in range(0, count, 10):
        bodies = int(rng.integers(2, 9))
        text = _scene(
            "".join(
                f"<body><freejoint/><geom {SHAPES[rng.integers(len(SHAPES))]} "
                f'condim="{rng.choice([1, 3, 4, 6])}"/></body>'
                for _ in range(bodies)
            )
        )
        for k in range(min(10, count - number)):
            qpos = rng.normal(size=(bodies, 7))
            qpos[:, :3] *= 10 ** rng.uniform(-3, -0.5)
            speed = 10 ** rng.uniform(-1, 2)
            qvel = speed * rng.normal(size=6 * bodies)
            yield Trial(f"deep {number + k}", text, qpos.ravel(), qvel)


def heavy(count: int) -> Iterator[Trial]:
    """Stacks in which one body weighs a million times what another does."""
    rng = np.random.default_rng(2)
    for number in range(count):
        masses = 10 ** rng.uniform(-3, 3, 4)
        masses[rng.permutation(4)[:2]] = [1e-3, 1e3]
        bodies = "".join(
            f'<body pos="0 0 {0.1 + 0.199 * k}"><freejoint/>'
            f'<geom type="box" size=".1 .1 .1" mass="{mass}"/></body>'
            for k, mass in enumerate(masses)
        )
        yield Trial(f"heavy {number}", _scene(bodies))


def stiff(count: int) -> Iterator[Trial]:
    """Contacts, limits and equalities with stiffness and damping from 1e-8 to 1e8."""
    rng = np.random.default_rng(3)
    for number in range(count):
        refs = [f"{-(10 ** rng.uniform(-8, 8))} {-(10 ** rng.uniform(-8, 8))}" for _ in range(3)]
        body = (
            f'<body name="a" pos="0 0 .09"><freejoint/><geom size=".1" solref="{refs[0]}"/>'
            f'<body pos=".2 0 0"><joint axis="0 1 0" range="5 20" solreflimit="{refs[1]}"/>'
            '<geom size=".05" pos=".1 0 0"/></body></body>'
        )
        held = f'<equality><connect body1="a" anchor=".1 0 .1" solref="{refs[2]}"/></equality>'
        yield Trial(f"stiff {number}", _scene(body, held))


def conflicting(count: int) -> Iterator[Trial]:
    """A body welded to places that are apart, and connected to others."""
    rng = np.random.default_rng(4)
    for number in range(count):
        sites = "".join(f'<site name="s{k}" pos="{_three(rng)}"/>' for k in range(4))
        body = '<body name="a"><freejoint/><geom size=".1"/><site name="t"/><site name="u"/></body>'
        pulls = "".join(
            f'<{rng.choice(["weld", "connect"])} site1="{rng.choice(["t", "u"])}" site2="s{k}"/>'
            for k in range(4)
        )
        text = _scene(sites + body, f"<equality>{pulls * 2}</equality>")
        yield Trial(f"conflicting {number}", text)


def moving_nothing(count: int) -> Iterator[Trial]:
    """Equalities, friction and limits of what does not move: rows without entries."""
    rng = np.random.default_rng(5)
    for number in range(count):
        text = _scene(
            '<site name="p" pos="1 0 0"/><site name="q" pos="0 1 0"/>'
            '<body name="still"><geom size=".1"/><site name="r"/></body>'
            '<body name="b" pos="0 0 1"><joint name="j"/><geom size=".1"/><site name="s"/>'
            '<site name="t"/></body>',
            f'<equality><connect body1="still" anchor="{_three(rng)}"/>'
            '<weld site1="p" site2="q"/><weld site1="r" site2="q"/>'
            '<connect site1="r" site2="p"/></equality>'
            '<tendon><spatial name="fixed" frictionloss="1" range="0 .1">'
            '<site site="p"/><site site="q"/></spatial>'
            '<spatial frictionloss="1" range="0 .1"><site site="s"/><site site="t"/></spatial>'
            '<fixed range="-1 -.5" frictionloss="2"><joint joint="j" coef="0"/></fixed></tendon>',
        )
        yield Trial(f"moving nothing {number}", text, qvel=rng.normal(size=1))


def singular(count: int) -> Iterator[Trial]:
    """Two slides along one axis, hinges that fall on each other, and contacts that press them."""
    rng = np.random.default_rng(6)
    for number in range(count):
        kind = rng.choice(["slide", "hinge"])
        axis = _three(rng)
        text = _scene(
            f'<body pos="0 0 .05"><joint type="{kind}" axis="{axis}"/>'
            f'<joint type="{kind}" axis="{axis}" range="-1 .01" frictionloss=".1"/>'
            '<geom size=".1"/></body>'
        )
        yield Trial(f"singular {number}", text, qvel=rng.normal(size=2))


#: kinds of trials, deep ones aside
HOSTILE: dict[str, Callable[[int], Iterator[Trial]]] = {
    "heavy": heavy,
    "stiff": stiff,
    "conflicting": conflicting,
    "moving nothing": moving_nothing,
    "singular": singular,
}


def _scene(bodies: str, rest: str = "") -> str:
    floor = '<geom type="plane" size="5 5 1"/>'
    return (
        '<mujoco><compiler autolimits="true"/>'
        f"<worldbody>{floor}{bodies}</worldbody>{rest}</mujoco>"
    )


def _three(rng: np.random.Generator) -> str:
    return " ".join(f"{x:.3f}" for x in rng.normal(size=3))
