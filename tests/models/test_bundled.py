"""Bundled models: they load in silence, agree with MuJoCo, stand, and look bright."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf
from cortenforge import compare, models

#: models that show the engine; `cloth` has elements of our own
SHOWN = ("ant", "arm", "cartpole", "cloth", "humanoid", "quadruped")
#: those that stay as a keyframe says: the keyframe, and how far anything moves in a second [m, rad]
RESTING = {
    "ant": ("stand", 0.03),  # sinks slowly: nothing but damping holds its ankles
    "arm": ("home", 1e-3),
    "cartpole": ("upright", 1e-12),
    "quadruped": ("stand", 0.01),
}


def loaded(name: str) -> cf.Model:
    """A bundled model, of which nothing is odd."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return cf.load_model(models.find(name))


@pytest.mark.parametrize("name", SHOWN)
def test_pictures_are_bright(name: str) -> None:
    """Cameras `side` and `track` show something, in the light, below a sky."""
    model = loaded(name)
    data = model.make_data()
    if model.nkey:
        data.reset_to_keyframe(0)
    for camera in ("side", "track"):
        pixels = data.render(camera, width=160, height=120).astype(float)
        assert 150 < pixels.mean() < 230 and pixels.std() > 15
        owners = data.render(camera, width=160, height=120, mode="segmentation")[..., 0]
        floor = model.geom("floor").id
        assert 0.01 < ((owners >= 0) & (owners != floor)).mean() < 0.5


@pytest.mark.oracle
@pytest.mark.parametrize("name", sorted(set(SHOWN) - {"cloth"}))
def test_every_field_is_mujocos(name: str) -> None:
    report = compare.run(models.find(name), states=3)
    assert report.ok, report.worst
    assert not report.smooth_only and len(report.rows) > 300


@pytest.mark.parametrize("name", RESTING)
def test_keyframes_are_kept_for_a_second(name: str) -> None:
    key, most = RESTING[name]
    model = loaded(name)
    data = model.make_data()
    data.reset_to_keyframe(key)
    start = data.qpos.copy()
    data.step(round(1.0 / model.opt.timestep))
    assert np.abs(data.qpos - start).max() < most


def stood(kp: float, kd: float) -> cf.Data:
    """A humanoid after a second of PD control by its motors."""
    model = loaded("humanoid")
    joints = model.actuator_trnid[:, 0]
    places, dofs = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
    data = model.make_data()
    data.reset_to_keyframe("stand")
    wanted = data.qpos[places].copy()
    while data.time < 1.0:
        torque = kp * (wanted - data.qpos[places]) - kd * data.qvel[dofs]
        data.ctrl[:] = torque / model.actuator_gear[:, 0]
        data.step()
    return data


def test_the_humanoid_stands_by_pd_control() -> None:
    """With the gains that its file names, its motors keep it upright; without control it sinks."""
    data = stood(400.0, 4.0)
    touching = {data.model.geom(int(g)).name for contact in data.contact for g in contact.geom}
    assert touching == {"floor", "left_instep", "left_sole", "right_instep", "right_sole"}
    assert data.sensor("com").data[2] > 0.92
    assert stood(0.0, 0.0).sensor("com").data[2] < 0.8


def test_the_cloth_comes_to_hang_over_ball_and_post() -> None:
    data = loaded("cloth").make_data()
    data.step(400)
    sheet = data.deformable("sheet").positions
    assert sheet[:, 2].min() > -1e-3 and 0.55 < sheet[:, 2].max() < 0.65


def test_the_readmes_humanoid_has_what_the_readme_asks_for() -> None:
    model = loaded("humanoid")
    assert {"side", "track"} <= set(model.names["camera"])
    assert model.nu == 21 and model.nsensor > 0 and model.ngeom > 0
    data = model.make_data()
    data.step(100)
    assert data.ncon and "normal force" in str(data.explain_contact(0))
    assert data.transition_derivatives().B.shape == (2 * model.nv, model.nu)
