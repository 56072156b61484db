"""Small scenes with constraints: contacts of every family, limits, friction loss, equalities."""

from __future__ import annotations

import numpy as np

import cortenforge as cf

FLOOR = '<geom type="plane" size="5 5 0.1"/>'
#: attributes of a geom by its type, about 0.1 m large
SHAPES = {
    "sphere": 'type="sphere" size="0.1"',
    "capsule": 'type="capsule" size="0.06 0.08"',
    "ellipsoid": 'type="ellipsoid" size="0.1 0.08 0.06"',
    "cylinder": 'type="cylinder" size="0.08 0.06"',
    "box": 'type="box" size="0.1 0.08 0.06"',
    "mesh": 'type="mesh" mesh="wedge"',
}
WEDGE = '<mesh name="wedge" vertex="-.1 -.1 -.05  .1 -.1 -.05  0 .1 -.05  0 0 .1  .05 .05 .05"/>'
HILLS = (
    '<hfield name="hills" nrow="4" ncol="4" size="1 1 0.1 0.1" '
    'elevation="0 .2 .1 0 .3 .5 .2 .1 0 .4 .6 .2 .1 .2 .3 0"/>'
)
#: a loose body, two arms in an equality, joints at their limits, tendons, friction loss
MIXED = """
<mujoco><option timestep="0.005">{option}</option><worldbody><geom type="plane" size="5 5 0.1"/>
  <body pos="0 0 0.098"><freejoint/><geom size="0.1"/></body>
  <body pos="-0.5 0 0.2">
    <joint name="slide" type="slide" axis="0 0 1" range="-0.1 0.1" limited="true"/>
    <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/>
    <body pos="0.2 0 0">
      <joint name="hinge" axis="0 1 0" range="-10 10" limited="true" frictionloss="0.05"/>
      <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/>
    </body>
  </body>
  <body pos="1 0 1">
    <joint name="other" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/>
  </body>
</worldbody>
<tendon>
  <fixed name="sum" range="-0.1 0.1" limited="true" frictionloss="0.1">
    <joint joint="hinge" coef="1"/><joint joint="other" coef="-0.5"/>
  </fixed>
</tendon>
<equality><joint joint1="hinge" joint2="other" polycoef="0 0.5 0 0 0"/></equality></mujoco>"""
EQUALITIES = """
<mujoco><worldbody>
  <body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="a"/></body>
  <body name="b" pos="0.3 0 1"><freejoint/><geom size="0.1"/><site name="b"/></body>
  <body name="c" pos="0.6 0 1"><joint name="c" type="slide"/><geom size="0.1"/></body>
  <body name="e" pos="0.9 0 1"><joint name="e" type="slide"/><geom size="0.1"/></body>
</worldbody>
<tendon><fixed name="t"><joint joint="c" coef="1"/></fixed>
  <fixed name="s"><joint joint="e" coef="2"/></fixed></tendon>
<equality>
  <connect body1="a" body2="b" anchor="0.15 0 0"/><weld body1="b" body2="c"/>
  <joint joint1="c" joint2="e"/><tendon tendon1="t" tendon2="s"/>
</equality></mujoco>"""


def pair_text(one: str, other: str, option: str = "", more: str = "") -> str:
    """Two geoms that overlap a little, the second on the first; planes and terrain are fixed."""
    fixed = {
        "plane": FLOOR,
        "hfield": '<geom type="hfield" hfield="hills"/>',
    }
    below = fixed.get(one) or f"<body><freejoint/><geom {SHAPES[one]} {more}/></body>"
    height = {"plane": 0.05, "hfield": 0.1}.get(one, 0.12)
    return (
        f"<mujoco><option>{option}</option><asset>{WEDGE}{HILLS}</asset><worldbody>{below}"
        f'<body pos="0.01 0.02 {height}" euler="10 20 30"><freejoint/>'
        f"<geom {SHAPES[other]} {more}/></body></worldbody></mujoco>"
    )


#: models whose steps are scheduled: each family of pairs, each kind of row, both cones
SCHEDULED: dict[str, str] = {
    **{
        f"{one}-{other}": pair_text(one, other)
        for one in ("plane", "hfield", *SHAPES)
        for other in SHAPES
        if list(SHAPES).index(other) >= list(("plane", "hfield", *SHAPES)).index(one) - 2
    },
    **{
        f"{cone} condim {dim}": pair_text(
            "plane", "box", more=f'condim="{dim}"'
        ).replace("<option>", f'<option cone="{cone}">')
        for cone in ("pyramidal", "elliptic")
        for dim in (1, 3, 4, 6)
    },
    **{
        f"{key} {value}": MIXED.format(option="").replace("<option ", f'<option {key}="{value}" ')
        for key, value in (
            ("solver", "CG"), ("solver", "PGS"), ("solver", "Newton"), ("cone", "elliptic"),
            ("integrator", "RK4"), ("integrator", "implicit"), ("integrator", "implicitfast"),
        )
    },
    "islands off": MIXED.format(option='<flag island="disable"/>'),
    "equalities": EQUALITIES,
}  # fmt: skip


def constrained(name: str) -> cf.Model:
    """A model by name."""
    return cf.Model.from_mjcf(SCHEDULED[name])


def moving_worlds(model: cf.Model, n: int, *, steps: int = 20, speed: float = 0.5) -> list[cf.Data]:
    """Worlds that have been moving for a while, each from velocities of its own."""
    random = np.random.default_rng(11)
    worlds = [model.make_data() for _ in range(n)]
    for k, world in enumerate(worlds):
        world.qvel[:] = speed * random.normal(size=model.nv)
        world.step(steps + k)
    return worlds
