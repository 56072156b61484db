"""What is raced: pendulums of growing length and the bundled humanoid."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cortenforge

__all__ = ["LINKS", "Subject", "pendulum", "subjects"]

LINKS = (1, 3, 10, 30)
HUMANOID = Path(cortenforge.__file__).parent / "models" / "humanoid.xml"


@dataclass(frozen=True)
class Subject:
    """A model to race: its name, its MJCF text, its number of links if it is a pendulum."""

    name: str
    xml: str
    links: int | None = None


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


def subjects() -> list[Subject]:
    chains = [Subject(f"pendulum {n}", pendulum(n), n) for n in LINKS]
    return [*chains, Subject("humanoid", HUMANOID.read_text())]
