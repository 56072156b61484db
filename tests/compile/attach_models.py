"""Random models that attach one another, to be compiled by both engines."""

from __future__ import annotations

import random

ASSETS = """<texture name="tex" type="2d" builtin="checker" width="4" height="4"/>
<texture type="skybox" builtin="gradient" width="4" height="4"/>
<material name="mat" texture="tex"/>
<mesh name="wedge" vertex="0 0 0 1 0 0 0 2 0 0 0 3" material="mat"/>
<hfield name="hill" nrow="2" ncol="2" size="1 1 1 1"/>"""

COMPILERS = (
    "",
    '<compiler angle="radian"/>',
    '<compiler eulerseq="zyx" inertiafromgeom="true"/>',
    '<compiler autolimits="false" boundmass="0.3" boundinertia="0.2"/>',
    '<compiler inertiagrouprange="0 1" alignfree="true"/>',
    '<compiler balanceinertia="true" eulerseq="XYZ"/>',
)


class Child:
    """One random model: bodies with everything that can come along when they are attached."""

    def __init__(self, random: random.Random) -> None:
        self.random = random
        self.bodies: list[str] = []
        self.frames: list[str] = []
        compiler = random.choice(COMPILERS)
        self.limit = ' limited="true" range="0.1 0.9"'
        self.mocap = random.random() < 0.3
        world = "".join(self.body(2) for _ in range(random.randint(1, 3)))
        if self.mocap:
            self.bodies.append("m")
            world += '<body name="m" mocap="true" pos="1 2 3"><geom name="gm" size="1"/></body>'
        assets = ASSETS if random.random() < 0.6 else '<material name="mat"/>'
        self.text = f"""<mujoco model="child">{compiler}
<default><geom rgba="1 0 0 1"/><default class="thick"><geom size=".3" material="mat"/>
<joint damping="2"/><site size=".2"/></default></default>
<asset>{assets}</asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><camera name="eye"/>
<light name="lamp" mode="targetbody" target="{self.bodies[0]}"/>{world}</worldbody>
{self.wiring()}</mujoco>"""

    def body(self, depth: int) -> str:
        """A body, sometimes in a frame, with bodies inside."""
        pick = self.random
        name = f"b{len(self.bodies)}"
        self.bodies.append(name)
        place = f'pos="{pick.uniform(-1, 1):.3f} 1 {pick.uniform(-1, 1):.3f}"'
        turn = pick.choice(("", ' euler="10 20 30"', ' axisangle="0 1 1 40"', ' quat="1 2 0 3"'))
        inside = "".join(self.body(depth - 1) for _ in range(pick.randint(0, 2))) if depth else ""
        heavy = '<inertial pos="0 0 .1" mass="2" diaginertia="1 2 2.5" euler="5 6 7"/>'
        kind = pick.choice(("", ' childclass="thick"'))
        text = f"""<body name="{name}" {place}{turn}{kind}>{pick.choice(("", heavy))}
<joint name="j{name}" axis="{pick.choice(("1 0 0", "0 1 1"))}" ref=".2"{self.limit}/>
<geom name="g{name}" size=".1" group="{pick.randint(0, 3)}" euler="{pick.randint(0, 90)} 0 5"
 type="{pick.choice(("box", "ellipsoid"))}"/>
<geom class="thick" pos="0 .3 0"/><site name="s{name}"/>
<site name="z{name}" pos="0 .5 0"/>{inside}</body>"""
        text = text.replace('size=".1"', 'size=".1 .2 .3"')
        if pick.random() < 0.4:
            self.frames.append(f"f{name}")
            text = f'<frame name="f{name}" pos="0 0 1" euler="0 50 0">{text}</frame>'
        return text

    def jointed(self) -> list[str]:
        """Bodies with a joint."""
        return [name for name in self.bodies if name != "m"]

    def wiring(self) -> str:
        """Everything outside of the tree."""
        pick = self.random
        one, two, three = (pick.choice(self.jointed()) for _ in range(3))
        joints = "".join(f'<joint joint="j{name}" coef="2"/>' for name in {one, two})
        other = [name for name in self.jointed() if name != one]
        equality = f'<weld name="e1" body1="{one}"/>'
        if other:
            far = pick.choice(other)
            equality += f'<joint name="e2" joint1="j{one}" joint2="j{far}"/>'
            equality += f'<connect name="e3" body1="{one}" body2="{far}" anchor="0 0 0"/>'
        count = len(self.jointed())
        spots = " ".join(f"{pick.uniform(-1, 1):.2f}" for _ in range(count))
        return f"""<contact><exclude name="x" body1="{one}" body2="world"/>
<pair name="p" geom1="g{two}" geom2="g{three}"/><exclude body1="{two}" body2="{three}"/></contact>
<tendon><fixed name="t">{joints}</fixed><spatial name="r" material="mat"><site site="s{one}"/>
<site site="z{three}"/></spatial></tendon><equality>{equality}</equality>
<actuator><motor name="a1" joint="j{one}"/><position name="a2" joint="j{two}" kp="3"
 timeconst="1"/><motor name="a3" tendon="t"/>
<general site="s{three}" gear="1 0 0 0 0 0"/></actuator>
<sensor><clock name="c"/><jointpos name="o1" joint="j{one}"/><framepos name="o2" objtype="site"
 objname="s{two}" reftype="body" refname="{three}"/><actuatorfrc name="o3" actuator="a3"/></sensor>
<custom><numeric name="n" data="1 2"/><text name="w" data="word"/><tuple name="u">
<element objtype="body" objname="{one}"/><element objtype="sensor" objname="c"/></tuple></custom>
<keyframe><key name="k" qpos="{spots}" ctrl="1 2 3 4"/><key time="3" qvel="{spots}" act="7"/>
</keyframe>"""

    def part(self) -> str:
        """An attribute that chooses what to attach: a body, a frame, or nothing for all."""
        pick = self.random
        choices = ["", f'body="{pick.choice(self.jointed())}"']
        if self.frames:
            choices.append(f'frame="{pick.choice(self.frames)}"')
        return "" if self.mocap else pick.choice(choices)


def random_attachments(seed: int) -> tuple[str, dict[str, bytes]]:
    """A model that attaches parts of two others, and their files."""
    pick = random.Random(seed)
    children = {"one": Child(pick), "two": Child(pick)}
    world = '<body name="own"><joint name="own"/><geom size=".2"/></body>'
    for number in range(pick.randint(1, 3)):
        name = pick.choice(list(children))
        one = f'<attach model="{name}" {children[name].part()} prefix="p{number}_"/>'
        if children[name].mocap:
            around = pick.choice(("{}", '<frame pos="1 0 0">{}</frame>'))
        else:
            around = pick.choice(
                (
                    "{}",
                    '<frame euler="0 30 0">{}</frame>',
                    '<body pos="0 0 2"><freejoint/><geom size=".4"/>{}</body>',
                    '<replicate count="2" sep="-" offset="3 0 0" euler="0 0 20">{}</replicate>',
                    '<replicate count="2"><body>{}</body></replicate>',
                )
            )
        world += around.format(one)
    world += '<body name="last" pos="9 9 9"><joint/><geom size=".2"/></body>'
    if pick.random() < 0.3:
        world += '<attach body="own" prefix="again_"/>'
    text = f"""<mujoco><compiler conflict="{pick.choice(("warning", "merge"))}"/>
<default><geom rgba="0 1 0 1"/></default>
<asset><model name="one" file="one.xml"/><model name="two" file="two.xml"/>
<material name="mat"/></asset><worldbody>{world}</worldbody>
<keyframe><key name="mine" time="2"/></keyframe></mujoco>"""
    return text, {f"{name}.xml": child.text.encode() for name, child in children.items()}
