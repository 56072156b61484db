"""What is raced: pendulums, damped chains, humanoids, a hand on tendons, bodies full of muscles.

Robots that are not bundled are looked for in the folder of public models, and in a copy of
MuJoCo's Menagerie that CORTENFORGE_MENAGERIE names; what a machine lacks is not raced.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cortenforge as cf
from conformance.cases import public_folder
from cortenforge.compare import load_reference
from cortenforge.enums import Disable

__all__ = [
    "CHAINS",
    "INTEGRATORS",
    "LINKS",
    "Subject",
    "damped_chain",
    "falling_humanoid",
    "missing_subjects",
    "pendulum",
    "subjects",
]

LINKS = (1, 3, 10, 30)
CHAINS = (10, 30, 100)
#: as MuJoCo numbers them
INTEGRATORS = {"Euler": 0, "RK4": 1}
HUMANOID = Path(cf.__file__).parent / "models" / "humanoid_floating.xml"


@dataclass(frozen=True)
class Subject:
    """A model to race: its name, its MJCF, its number of links if it is a pendulum.

    `spread` is how far positions, velocities and controls are from rest at the start. `most` steps
    make a run: without limits of its joints, a body full of muscles soon flies apart.
    """

    name: str
    xml: str | Path
    links: int | None = None
    integrators: tuple[str, ...] = tuple(INTEGRATORS)
    spread: tuple[float, float, float] = (0.3, 0.5, 1.0)
    most: int | None = None

    def load(self) -> cf.Model:
        """The model, without constraints."""
        model = cf.Model.from_mjcf(self.xml)
        model.opt.disableflags |= int(Disable.CONSTRAINT)
        return model

    def load_reference(self) -> Any:
        """MuJoCo's model, without constraints."""
        reference = load_reference(self.xml)
        reference.opt.disableflags |= int(Disable.CONSTRAINT)
        return reference


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


def sensing_humanoid() -> str:
    """The bundled humanoid with a motor, an encoder and a tachometer on each joint, and an IMU."""
    text = HUMANOID.read_text()
    joints = re.findall(r'<joint name="(\w+)"', text)
    motors = "".join(f'<motor joint="{joint}" gear="20"/>' for joint in joints)
    sensors = "".join(f'<jointpos joint="{j}"/><jointvel joint="{j}"/>' for j in joints)
    for kind in ("accelerometer", "gyro", "velocimeter"):
        sensors += f'<{kind} site="chest"/>'
    for end in ("left_hand", "right_hand", "left_foot", "right_foot"):
        sensors += f'<framepos objtype="site" objname="{end}"/>'
        sensors += f'<framelinvel objtype="site" objname="{end}"/>'
    sensors += '<framequat objtype="body" objname="torso"/><subtreecom body="torso"/>'
    added = f"<actuator>{motors}</actuator><sensor>{sensors}</sensor></mujoco>"
    return text.replace("</mujoco>", added)


def falling_humanoid() -> str:
    """The same on a floor, with contacts and limits."""
    text = sensing_humanoid().replace(' contact="disable" limit="disable"', "")
    return text.replace("<worldbody>", '<worldbody><geom type="plane" size="20 20 1"/>', 1)


#: robots with tendons and muscles: file in the Menagerie, spread of starts, steps of a run
WIRED = {
    "shadow hand": ("shadow_hand/right_hand.xml", (0.3, 0.5, 1.0), None),
    "100 muscles": ("ms_human_700/MS-Human-700-Locomotion.xml", (0.01, 0.01, 0.01), 20),
    "700 muscles": ("ms_human_700/MS-Human-700.xml", (0.01, 0.01, 0.01), 20),
}


def menagerie_file(path: str) -> Path | None:
    """A file of MuJoCo's Menagerie, if this machine has it."""
    public, given = public_folder(), os.environ.get("CORTENFORGE_MENAGERIE")
    folders = [public / "menagerie"] if public else []
    folders += [Path(given)] if given else []
    return next((folder / path for folder in folders if (folder / path).is_file()), None)


def wired_subjects() -> list[Subject]:
    """Bodies whose wires are most of the work, as far as this machine has them."""
    found = [Subject("humanoid with sensors", sensing_humanoid(), integrators=("Euler",))]
    for name, (path, spread, most) in WIRED.items():
        file = menagerie_file(path)
        if file is not None:
            found.append(Subject(name, file, integrators=("Euler",), spread=spread, most=most))
    return found


def missing_subjects() -> list[str]:
    """What is not raced because this machine lacks it."""
    return [name for name, (path, _, _) in WIRED.items() if menagerie_file(path) is None]


def subjects() -> list[Subject]:
    """Everything that is raced, by every integrator that it is meant for."""
    pendulums = [Subject(f"pendulum {n}", pendulum(n), n) for n in LINKS]
    chains = [Subject(f"damped chain {n}", damped_chain(n), integrators=("Euler",)) for n in CHAINS]
    humanoid = Subject("humanoid", HUMANOID.read_text())
    return [*pendulums, *chains, humanoid, *wired_subjects()]
