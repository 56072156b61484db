"""Smooth forces by positions: formulas for whatever pulls, against differences."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.driven import driven_model, pulled_model
from cortenforge.derive.config import DEFAULT_CONFIG
from cortenforge.derive.formulas import Formulas, forces_have_formulas
from cortenforge.derive.transition import workspace_of
from cortenforge.enums import Disable
from tests.derive.scenes import SMOOTH, apart, at_random, richardson

#: a free body with a chain on it, and a ball joint on a slide, in which scenes put what pulls
FRAME = """<mujoco><option timestep=".004" {option}><flag contact="disable"/></option><worldbody>
<site name="hook" pos=".1 .2 1.3"/><site name="peg" pos=".9 -.1 1.4" euler="20 30 0"/>
<geom name="post" type="cylinder" size=".12 .3" pos=".35 .12 1.25" euler="70 10 0"/>
<site name="axle" pos=".35 .13 1.25"/>
<body name="trunk" pos="0 0 1"><freejoint name="free"/><geom type="box" size=".1 .15 .2" {shape}/>
<site name="hip" pos=".1 .02 .05" euler="10 40 0"/>
<body pos=".3 0 0"><joint name="h1" axis="0 1 .2" damping=".5"/>
<geom type="capsule" size=".05" fromto="0 0 0 .3 0 0" {shape}/>
<geom name="knob" size=".09" pos=".15 0 .08" mass=".1"/><site name="mid" pos=".1 .04 .05"/>
<site name="beside" pos=".15 .02 .3"/><site name="within" pos=".16 0 .08"/>
<body pos=".3 0 0" gravcomp=".7"><joint name="h2" axis="0 .3 1" damping=".1"
actuatorfrcrange="{most}" actuatorgravcomp="true"/>
<geom type="capsule" size=".04" fromto="0 0 0 .2 0 .1"/><site name="tip" pos=".2 0 .1"/>
</body></body></body>
<body name="cart" pos=".6 .3 1"><joint name="slide" type="slide" axis="1 .2 0"/><geom size=".08"/>
<body pos="0 0 .2"><joint name="ball" type="ball"/><geom type="ellipsoid" size=".05 .1 .2"
pos=".05 0 .1" {shape}/><site name="top" pos=".02 .05 .3" euler="0 25 50"/></body></body>
</worldbody>{pulls}</mujoco>"""

#: scenes by name: options, shapes to the medium, and what pulls
SCENES = {
    "box in a medium": ('density="20" viscosity=".3" wind="1 -.5 .3"', "", ""),
    "ellipsoids in a medium": (
        'density="20" viscosity=".3" wind="1 -.5 .3"',
        'fluidshape="ellipsoid"',
        "",
    ),
    "lines": (
        "",
        "",
        """<tendon><spatial name="t" stiffness="20 3 1" damping="1" springlength=".1"><site
        site="hook"/><site site="mid"/><site site="tip"/><pulley divisor="2"/><site site="tip"/>
        <site site="top"/><pulley divisor="3"/><site site="hip"/><site site="mid"/></spatial>
        </tendon><actuator><position tendon="t" kp="3" kv=".4" gear="1.5"/></actuator>""",
    ),
    "around a sphere": (
        "",
        "",
        """<tendon><spatial name="t" stiffness="20" damping="1" springlength=".1"><site site="hip"/>
        <geom geom="knob"/><site site="tip"/><geom geom="knob" sidesite="beside"/><site
        site="top"/></spatial></tendon>""",
    ),
    "around a cylinder": (
        "",
        "",
        """<tendon><spatial name="t" stiffness="20" damping="1" springlength=".1"><site
        site="hook"/><geom geom="post"/><site site="top"/><geom geom="post"/><site
        site="hip"/></spatial></tendon><actuator><muscle tendon="t" lengthrange=".5 2"/>
        </actuator>""",
    ),
    "inside of a sphere": (
        "",
        "",
        """<tendon><spatial name="t" stiffness="20" damping="1" springlength=".1"><site site="hip"/>
        <geom geom="knob" sidesite="within"/><site site="tip"/></spatial></tendon>""",
    ),
    "inside of a cylinder": (
        "",
        "",
        """<tendon><spatial name="t" stiffness="20" damping="1" springlength=".1"><site
        site="hook"/><geom geom="post" sidesite="axle"/><site site="top"/></spatial></tendon>""",
    ),
    "muscles": (
        "",
        "",
        """<actuator><muscle joint="h1" lengthrange="-2 2"/><muscle joint="slide" gear="2"
        lengthrange="-1 3" force="40"/></actuator>""",
    ),
    "sites": (
        "",
        "",
        """<actuator><general site="tip" gear="1 .5 2 .3 -.4 .2" gainprm="3" biastype="affine"
        biasprm="1 0 -.5"/><general site="top" refsite="hip" gear="1 .5 2 .3 -.4 .2" gainprm="3"
        biastype="affine" biasprm="0 -4 -.6"/><general site="tip" refsite="hip" gear="0 1 0"
        gaintype="affine" gainprm="1 2 .3" biastype="affine" biasprm="0 -2 -.3"/></actuator>""",
    ),
    "cranks": (
        "",
        "",
        """<actuator><general cranksite="top" slidersite="peg" cranklength="1.2" gainprm="3"
        biastype="affine" biasprm="0 -4 -.6" gear="1.3"/><general cranksite="tip" slidersite="hip"
        cranklength=".9" gainprm="3" biastype="affine" biasprm="1 -4 -.6"/><general cranksite="tip"
        slidersite="mid" cranklength=".05" gainprm="2" biastype="affine" biasprm="1 -3 -.1"/>
        </actuator>""",
    ),
    "balls": (
        "",
        "",
        """<actuator><position joint="ball" kp="3" kv=".4" gear="1 .5 -.3"/><general
        jointinparent="ball" gainprm="2" biastype="affine" biasprm="1 -3 -.1" gear=".2 1 .7"/>
        <motor joint="free" gear="1 2 3 .4 .5 .6"/><general jointinparent="free" gainprm="2"
        biastype="affine" biasprm="1 -3 -.1" gear="1 2 3 .4 .5 .6"/></actuator>""",
    ),
    "orientation servos": (
        "",
        "",
        """<actuator><orientation joint="ball" kp="3" kv=".4" forcerange="0 1"/><orientation
        site="tip" refsite="top" kp="4" kv=".5"/></actuator>""",
    ),
    "controllers": (
        "",
        "",
        """<actuator><pid joint="h1" kp="3" kv=".2"/><pid site="top" refsite="hip" gear="1 .5 2"
        kp="2" kv=".3"/><dcmotor joint="h2" motorconst=".5" resistance="2" cogging=".3 5 .1"
        controller="2 0 .1 0 0 0" input="pos"/><hillmuscle joint="h1" offset="1" fmax="10"
        lopt=".9" slack=".1" vmax="3"/></actuator>""",
    ),
    "limits of tendons": (
        "",
        "",
        """<tendon><spatial name="t" actuatorfrcrange="-1 1"><site site="hook"/><site
        site="mid"/><site site="tip"/></spatial></tendon><actuator><position tendon="t" kp="30"
        kv=".4"/><position tendon="t" kp="50" kv=".2" gear="1.5"/><position tendon="t" kp="20"
        forcerange="-.1 .1"/></actuator>""",
    ),
    "limits of joints": (
        "",
        "",
        """<tendon><spatial name="t" stiffness="4"><site site="hook"/><site site="mid"/><site
        site="tip"/></spatial></tendon><actuator><position tendon="t" kp="30" kv=".4"/><position
        site="tip" refsite="top" gear="0 1 0" kp="20" kv=".3"/></actuator>""",
    ),
    "inertia of tendons": (
        "",
        "",
        """<tendon><spatial name="t" armature=".3" stiffness="4"><site site="hook"/><site
        site="mid"/><site site="tip"/><pulley divisor="2"/><site site="tip"/><site site="top"/>
        </spatial><spatial name="u" armature=".2"><site site="hip"/><site site="mid"/></spatial>
        </tendon>""",
    ),
}


def scene(name: str, option: str = "") -> cf.Data:
    """A scene in a random state."""
    options, shape, pulls = SCENES[name]
    most = "-.1 .1" if name == "limits of joints" else "-999 999"
    text = FRAME.format(option=f"{options} {option}", shape=shape, pulls=pulls, most=most)
    return at_random(text, seed=3, spread=0.3)


def extrapolated(data: cf.Data, moved: str = "qpos", eps: float = 1e-3) -> np.ndarray:
    """Differences of qfrc_smooth at three distances, extrapolated to none."""
    model, nv = data.model, data.model.nv
    world = data.copy()

    def force(k: int, shift: float) -> np.ndarray:
        step = np.zeros(nv)
        step[k] = shift
        world.qpos[:], world.qvel[:] = data.qpos, data.qvel
        if moved == "qpos":
            world.qpos[:] = model.integrate_pos(data.qpos, step, 1.0)
        else:
            world.qvel[:] += step
        world.forward(smooth_only=True)
        found: np.ndarray = world.qfrc_smooth.copy()
        return found

    found = np.zeros((nv, nv))
    for k in range(nv):
        one, two, four = ((force(k, e) - force(k, -e)) / (2 * e) for e in (eps, eps / 2, eps / 4))
        found[:, k] = (16 * (4 * four - two) / 3 - (4 * two - one) / 3) / 15
    return found


@pytest.mark.parametrize("name", SCENES)
def test_forces_have_formulas(name: str) -> None:
    """To 1e-9 of differences that are extrapolated, and to the error of centred ones."""
    data = scene(name)
    assert forces_have_formulas(data.model)
    found = data.smooth_position_derivative()
    wanted = extrapolated(data)
    size = max(1.0, np.abs(wanted).max())
    assert np.abs(found - wanted).max() < 1e-9 * size
    centred = workspace_of(data).linearisation.smooth_differences(data, DEFAULT_CONFIG)
    assert np.abs(found - centred).max() < 1e-7 * size
    if name != "inertia of tendons":
        # what pulls is there, and is more than a spring of constant arms
        text = FRAME.format(option="", shape="", pulls="", most="-999 999")
        bare = at_random(text, seed=3, spread=0.3).smooth_position_derivative()
        assert np.abs(found - bare).max() > 1e-3


def test_forces_of_limits_are_not_smooth() -> None:
    """A tendon at its limit has the derivative of its spring and damper, and of nothing else."""
    options, shape, pulls = SCENES["lines"]
    pulls = pulls.replace('damping="1"', 'damping="1" range="0 .5"')
    text = FRAME.format(option=options, shape=shape, pulls=pulls, most="-999 999")
    data = at_random(text, seed=3, spread=0.3)
    data.forward()
    assert data.ten_limit_frc[0] > 1.0
    found, wanted = data.smooth_position_derivative(), extrapolated(data)
    assert np.abs(found - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())
    # of a step, too
    matrices = data.transition_derivatives(cf.DerivativeConfig(method="analytic"))
    assert max(apart(matrices, richardson(data, 1e-3)).values()) < 1e-8


@pytest.mark.parametrize("name", SCENES)
def test_steps_are_derived_by_formulas(name: str) -> None:
    """A, by columns of positions that are no differences, as of our own step, extrapolated."""
    data = scene(name)
    assert Formulas.of(data.model).by_position
    found = data.transition_derivatives(cf.DerivativeConfig(method="analytic"))
    off = apart(found, richardson(data, 1e-3))
    assert max(off.values()) < 1e-9, off


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_inertia_of_tendons_by_velocities(integrator: str) -> None:
    """Bias forces of heavy tendons are quadratic in velocities; MuJoCo's qDeriv leaves them out."""
    data = scene("inertia of tendons", f'integrator="{integrator}"')
    assert Formulas.of(data.model).by_velocity
    found = data.smooth_velocity_derivative()
    wanted = extrapolated(data, "qvel")
    assert np.abs(found - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())
    matrices = data.transition_derivatives(cf.DerivativeConfig(method="analytic"))
    off = apart(matrices, richardson(data, 1e-3))
    assert max(off.values()) < 1e-8, off


@pytest.mark.parametrize("name", ["limits of joints", "sites", "lines"])
def test_joints_at_their_limits_by_velocities(name: str) -> None:
    """They feel no more of actuators, whatever these act on."""
    data = scene(name)
    wanted = extrapolated(data, "qvel")
    found = data.smooth_velocity_derivative()
    assert np.abs(found - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())
    if name == "limits of joints":
        data.forward(smooth_only=True)
        assert abs(data.qfrc_actuator[data.model.joint("h2").dofadr[0]]) == 0.1


def test_random_models_by_formulas() -> None:
    """Tendons, actuators of all kinds, limits, media: all that is drawn, where it has formulas."""
    seen = 0
    for seed in range(40):
        for text in (driven_model(seed, "Euler"), pulled_model(seed, "Euler")):
            model = cf.Model.from_mjcf(text)
            if not model.nv or model.nv > 20 or not forces_have_formulas(model):
                continue
            data = at_random(text, seed)
            found, wanted = data.smooth_position_derivative(), extrapolated(data, eps=1e-4)
            off = np.abs(found - wanted).max() / max(1.0, np.abs(wanted).max())
            assert off < 1e-7, (seed, off)
            seen += 1
    assert seen > 30


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicitspringdamper"])
def test_matrices_that_follow_from_single_dofs(integrator: str) -> None:
    """Steps whose matrix is M and damping, or springs, of joints: no column is a difference."""
    text = SMOOTH.replace('type="slide"', 'type="slide" damping="1 .5 .3"').replace(
        'stiffness="10" damping="1"', 'stiffness="10"'
    )
    data = at_random(text.format(option=f'integrator="{integrator}"'), spread=0.2)
    data.model.opt.disableflags |= int(Disable.CONTACT)
    plain = Formulas.of(data.model)
    assert plain.by_position and plain.by_velocity and plain.by_input and plain.step_by_velocity
    found = data.transition_derivatives(cf.DerivativeConfig(method="analytic"))
    off = apart(found, richardson(data, 1e-3))
    assert max(off.values()) < 2e-9, off


@pytest.mark.parametrize("smooth", ["0", ".4"])
@pytest.mark.parametrize("early", ["false", "true"])
def test_muscles_by_activation_and_control(early: str, smooth: str) -> None:
    """How muscles get stronger and weaker, at once or smoothly, has formulas as their force has."""
    pulls = f"""<default><general dyntype="muscle" gaintype="muscle" biastype="muscle"
    actearly="{early}" dynprm=".03 .05 {smooth}" gainprm=".75 1.05 30 200 .5 1.6 1.5 1.3 1.2"
    biasprm=".75 1.05 30 200 .5 1.6 1.5 1.3 1.2" ctrlrange="0 1" actrange="0 1"/></default>
    <actuator><general joint="h1" lengthrange="-2 2"/><general joint="h2" lengthrange="-2 2"/>
    <general joint="slide" lengthrange="-2 2"/></actuator>"""
    text = FRAME.format(option="", shape="", pulls=pulls, most="-999 999")
    data = at_random(text, seed=3, spread=0.3)
    data.act[:], data.ctrl[:] = (0.2, 0.5, 0.7), (0.6, 0.4, 0.9)
    plain = Formulas.of(data.model)
    assert plain.by_input and plain.by_position
    found = data.transition_derivatives(cf.DerivativeConfig(method="analytic"))
    off = apart(found, richardson(data, 1e-3))
    assert max(off.values()) < 1e-9, off


@pytest.mark.parametrize("method", ["hybrid", "analytic"])
@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_gains_that_damp_are_in_the_matrix(integrator: str, method: str) -> None:
    """A control that sets a damping changes the matrix of an implicit step."""
    text = FRAME.format(
        option=f'integrator="{integrator}"',
        shape="",
        most="-999 999",
        pulls="""<actuator><general joint="h1" gaintype="affine" gainprm="1 .5 -3"/></actuator>""",
    )
    data = at_random(text, seed=3, spread=0.3)
    data.ctrl[:] = 0.8
    found = data.transition_derivatives(cf.DerivativeConfig(method=method))
    off = apart(found, richardson(data, 1e-3))
    assert max(off.values()) < 1e-8, off


def test_paths_touch_what_they_go_around() -> None:
    """The scenes above are of paths that touch."""
    for name in (name for name in SCENES if " a " in name and "medium" not in name):
        data = scene(name)
        data.forward(smooth_only=True)
        assert (data.wrap_obj[: data.ten_wrapnum[0]] >= 0).sum() >= 2, name
