"""What is raced: pendulums and damped chains of growing length, and the bundled humanoid."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cortenforge

__all__ = ["CHAINS", "INTEGRATORS", "LINKS", "Subject", "damped_chain", "pendulum", "subjects"]

LINKS = (1, 3, 10, 30)
CHAINS = (10, 30, 100)
#: as MuJoCo numbers them
INTEGRATORS = {"Euler": 0, "RK4": 1}
HUMANOID = Path(cortenforge.__file__).parent / "models" / "humanoid.xml"


@dataclass(frozen=True)
class Subject:
    """A model to race: its name, its MJCF text, its number of links if it is a pendulum."""

    name: str
    xml: str
    links: int | None = None
    integrators: tuple[str, ...] = tuple(INTEGRATORS)


def pendulum(links: int) -> str:
    """A chain of capsules on hinges that turn by turns about x and y, without contact."""
    lines = []
    for i in range(links):
        pos, axis = ("0 0 0", "0 1 0") if i == 0 else ("0 0 -0.2", "0 1 0" if i % 2 else "1 0 0")
        lines.append(
            f'<body pos="{pos}"><joint axis="{axis}" damping="0.01"/>'
            '<geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.02" contype="0" conaffinity="0"/>'
        )
    chain = "".join(lines) + "</body>" * links
    return f'<mujoco model="pendulum {links}"><worldbody>{chain}</worldbody></mujoco>'


def damped_chain(links: int) -> str:
    """A chain whose joints are damped so much that Euler's method must take damping implicitly."""
    axes = ("1 0 0", "0 1 0")
    chain = "".join(
        f'<body pos="0 0 {-0.1 if i else 0}"><joint axis="{axes[i % 2]}" damping="0.1"/>'
        '<geom type="capsule" fromto="0 0 0 0 0 -0.1" size="0.02"/>'
        for i in range(links)
    )
    return (
        f'<mujoco model="damped chain {links}"><option><flag contact="disable"/></option>'
        f"<worldbody>{chain}{'</body>' * links}</worldbody></mujoco>"
    )


def subjects() -> list[Subject]:
    """Everything that is raced, by every integrator that it is meant for."""
    pendulums = [Subject(f"pendulum {n}", pendulum(n), n) for n in LINKS]
    chains = [Subject(f"damped chain {n}", damped_chain(n), integrators=("Euler",)) for n in CHAINS]
    return [*pendulums, *chains, Subject("humanoid", HUMANOID.read_text())]
