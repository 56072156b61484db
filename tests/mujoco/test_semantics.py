"""How data and models behave in Python: views, copies, pickles, warnings, callbacks, old idioms."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from tests.forked import run_forked
from tests.mujoco.pairs import ASSORTED, models, ours, randomize, real, sides
from tests.mujoco.pairs import Side as Side

pytestmark = pytest.mark.oracle

BALL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 .09"><freejoint name="free"/><geom name="round" size=".1"/></body>
  </worldbody>
</mujoco>
"""


def fresh(module: Any, xml: str = ASSORTED) -> tuple[Any, Any]:
    model = module.MjModel.from_xml_string(xml)
    return model, module.MjData(model)


def test_arrays_are_live_and_stay() -> None:
    m, d = fresh(ours)
    qpos, contact = d.qpos, d.contact
    d.qpos[0] = 0.3
    ours.mj_step(m, d, 20)
    assert d.qpos is qpos
    assert d.contact is contact
    assert len(contact) == d.ncon
    assert m.body_mass is m.body_mass
    m.body_mass[1] *= 2
    ours.mj_forward(m, d)
    other = ours.MjData(m)
    d.qvel = [1.0] * m.nv
    assert np.all(d.qvel == 1.0)
    assert np.all(other.qvel == 0.0)


def test_edits_of_a_model_act_in_the_next_step() -> None:
    for edit in (
        lambda m: m.opt.gravity.__setitem__(2, -1.0),
        lambda m: m.geom_friction.__imul__(0.1),
        lambda m: setattr(m.opt, "timestep", 0.005),
        lambda m: m.actuator_gainprm.__imul__(2.0),
        lambda m: setattr(m, "dof_damping", 0.3),
        lambda m: m.jnt_limited.__setitem__(slice(None), False),
        lambda m: setattr(m.opt, "disableflags", int(real.mjtDisableBit.mjDSBL_CONTACT)),
    ):
        found = []
        for module in (real, ours):
            m, d = fresh(module)
            randomize(Side(module, m, d), 4)
            edit(m)
            module.mj_step(m, d, 5)
            found.append(d.qpos.copy())
        assert np.allclose(*found, rtol=1e-9, atol=1e-11)


def test_views() -> None:
    theirs, own = sides("assorted", 3)
    kinds = [name for name in dir(type(theirs.m)) if name in dir(type(own.m))]
    for side_real, side_ours in ((theirs.m, own.m), (theirs.d, own.d)):
        for kind in kinds:
            find = getattr(type(side_real), kind, None)
            if not callable(find) or kind.startswith(("_", "from_", "bind")):
                continue
            compare_views(getattr(side_real, kind), getattr(side_ours, kind))


def compare_views(theirs: Any, own: Any) -> None:
    """Views of all objects of a kind."""
    number = 0
    while True:
        try:
            view = theirs(number)
        except IndexError:
            break
        other = own(number)
        assert other is own(number)
        for field in dir(view):
            if not field.startswith("_"):
                wanted, found = getattr(view, field), getattr(other, field)
                assert np.shape(wanted) == np.shape(found), field
                assert np.asarray(wanted).dtype == np.asarray(found).dtype, field
                if np.asarray(wanted).dtype.kind in "fiub":
                    assert np.allclose(wanted, found, rtol=1e-9, atol=1e-11), field
                else:
                    assert wanted == found
        if view.name:
            assert own(view.name) is other
        number += 1
    with pytest.raises(IndexError, match="Invalid index"):
        own(number)


def test_views_are_written() -> None:
    m, d = fresh(ours)
    d.joint("knee").qvel = 2.0
    d.body("ball").xfrc_applied[2] = 5.0
    m.geom("floor").rgba = [1, 0, 0, 1]
    m.site("tip").pos[:] = 0.5
    assert d.qvel[m.joint("knee").dofadr[0]] == 2.0
    assert d.xfrc_applied[m.body("ball").id, 2] == 5.0
    assert m.geom_rgba[0].tolist() == [1, 0, 0, 1]
    assert np.all(m.site_pos[m.site("tip").id] == 0.5)


@pytest.mark.parametrize(
    "call",
    [
        lambda mj, m, d: m.body("nobody"),
        lambda mj, m, d: m.body(99),
        lambda mj, m, d: m.body(-1),
        lambda mj, m, d: m.body(1.5),
        lambda mj, m, d: m.body(None),
        lambda mj, m, d: d.joint("nobody"),
        lambda mj, m, d: d.joint("knee").nothing,
        lambda mj, m, d: setattr(d.joint("knee"), "qpos", [1, 2, 3]),
        lambda mj, m, d: setattr(m, "nq", 3),
        lambda mj, m, d: setattr(m, "nothing", 3),
        lambda mj, m, d: setattr(d, "nothing", 3),
        lambda mj, m, d: setattr(d, "qpos", [1.0, 2.0]),
        lambda mj, m, d: setattr(d, "qpos", "text"),
        lambda mj, m, d: setattr(m.opt, "timestep", "text"),
        lambda mj, m, d: setattr(m.opt, "nothing", 1),
        lambda mj, m, d: setattr(m.opt, "gravity", [1, 2]),
        lambda mj, m, d: setattr(m.opt, "iterations", 1.5),
        lambda mj, m, d: setattr(m, "opt", 3),
        lambda mj, m, d: d.contact[99],
        lambda mj, m, d: d.nothing,
        lambda mj, m, d: m.opt.nothing,
        lambda mj, m, d: mj.MjModel(),
        lambda mj, m, d: mj.MjData(),
        lambda mj, m, d: mj.MjData(3),
        lambda mj, m, d: mj.mj_step(m),
        lambda mj, m, d: mj.mj_step(m, m),
        lambda mj, m, d: mj.mj_step(m, d, 1.5),
        lambda mj, m, d: mj.mj_step(m, d, steps=2),
        lambda mj, m, d: mj.mj_forward(None, d),
        lambda mj, m, d: mj.mj_resetData(m),
        lambda mj, m, d: mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, 3),
        lambda mj, m, d: mj.mj_name2id(m, "body", "ball"),
        lambda mj, m, d: mj.mj_getState(m, d, np.zeros(3), 1),
        lambda mj, m, d: mj.mj_getState(m, d, np.zeros(1), -1),
        lambda mj, m, d: mj.mj_stateSize(m, 1 << 20),
        lambda mj, m, d: mj.mj_setKeyframe(m, d, 99),
        lambda mj, m, d: mj.mj_setKeyframe(m, d, -1),
        lambda mj, m, d: mj.mj_jacBody(m, d, np.zeros((3, 2)), None, 0),
        lambda mj, m, d: mj.mj_jacBody(m, d, np.zeros((3, m.nv), np.float32), None, 0),
        lambda mj, m, d: mj.mj_jacBody(m, d, [[0.0] * m.nv] * 3, None, 0),
        lambda mj, m, d: mj.mj_mulM(m, d, np.zeros(2), np.zeros(m.nv)),
        lambda mj, m, d: mj.mj_fullM(m, d, np.zeros((2, 2))),
        lambda mj, m, d: mj.mj_solveM(m, d, np.zeros((1, m.nv)), np.zeros((2, m.nv))),
        lambda mj, m, d: mj.mj_objectVelocity(m, d, 9, 0, np.zeros(6), 0),
        lambda mj, m, d: mj.mj_objectVelocity(m, d, 1, 0, np.zeros(5), 0),
        lambda mj, m, d: mj.mj_setLengthRange(m, d, 99, mj.MjLROpt()),
        lambda mj, m, d: mj.mj_multiRay(m, d, [0, 0, 1], [0, 0, 1], None, 1, -1,
                                        np.zeros(2, np.int32), np.zeros(2), None, 1, 1.0),
        lambda mj, m, d: mj.mjtObj(77),
        lambda mj, m, d: mj.mjtObj("body"),
        lambda mj, m, d: mj.set_mjcb_control(3),
        lambda mj, m, d: mj.MjModel.from_xml_path("nowhere.xml"),
        lambda mj, m, d: mj.MjModel.from_xml_string("<mujoco><nothing/></mujoco>"),
        lambda mj, m, d: mj.MjModel.from_xml_string("<mujoco"),
        lambda mj, m, d: mj.MjModel.from_xml_path(3),
        lambda mj, m, d: mj.MjModel.from_binary_path("nowhere.mjb"),
        lambda mj, m, d: mj.nothing,
    ],
)  # fmt: skip
def test_errors_are_of_the_same_type(call: Any) -> None:
    """What programs catch; words are this engine's."""
    m, d = fresh(real)
    with pytest.raises(Exception) as wanted:
        call(real, m, d)
    kind = wanted.type
    # MuJoCo's own exceptions are this module's own here
    expected = getattr(ours, kind.__name__) if kind.__module__.startswith("mujoco") else kind
    m, d = fresh(ours)
    with pytest.raises(expected) as found:
        call(ours, m, d)
    assert str(found.value) or kind is IndexError


def test_errors_of_xml_begin_like_those_of_mujoco() -> None:
    for text in (
        "<mujoco><nothing/></mujoco>",
        "<mujoco><worldbody><geom size='a'/></worldbody></mujoco>",
    ):
        with pytest.raises(ValueError, match=r"^XML Error: "):
            ours.MjModel.from_xml_string(text)


def test_copies() -> None:
    m, d = fresh(ours)
    randomize(Side(ours, m, d), 1)
    ours.mj_step(m, d, 3)
    shallow, deep = copy.copy(d), copy.deepcopy(d)
    back = pickle.loads(pickle.dumps(d))
    assert shallow.model is m
    assert deep.model is not m
    assert copy.copy(m) is not m
    ours.mj_step(m, d, 5)
    for other in (shallow, deep, back):
        ours.mj_step(other.model, other, 5)
        assert np.array_equal(other.qpos, d.qpos)
    m.body_mass[2] *= 3
    assert deep.model.body_mass[2] != m.body_mass[2]
    again = pickle.loads(pickle.dumps(m))
    assert np.array_equal(again.body_mass, m.body_mass)
    assert again.names == m.names
    option = copy.copy(m.opt)
    option.timestep = 1.0
    assert m.opt.timestep != 1.0
    m.opt = option
    assert m.opt.timestep == 1.0


def test_pickles_keep_no_callbacks() -> None:
    m, d = fresh(ours)
    ours.set_mjcb_control(lambda m, d: None)
    try:
        ours.mj_step(m, d)
        back = pickle.loads(pickle.dumps(d))
    finally:
        ours.set_mjcb_control(None)
    ours.mj_step(back.model, back)


def test_another_model_of_the_same_structure() -> None:
    found = []
    for module in (real, ours):
        m, d = fresh(module)
        lighter = copy.deepcopy(m)
        lighter.opt.gravity[2] = -1.0
        lighter.body_mass[:] *= 0.5
        module.mj_step(m, d, 5)
        module.mj_step(lighter, d, 20)
        assert d.model is m
        module.mj_step(m, d, 5)
        found.append(d.qpos.copy())
    assert np.allclose(*found, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("field", ["qpos", "qvel", "qfrc_applied"])
@pytest.mark.parametrize("halves", [False, True])
def test_numbers_that_go_wrong_reset_the_data(field: str, halves: bool) -> None:
    found = []
    for module in (real, ours):
        m, d = fresh(module, BALL)
        said: list[Any] = []
        module.set_mju_user_warning(said.append)
        try:
            module.mj_step(m, d, 3)
            d.warning.number[2] = 7
            getattr(d, field)[2] = 1e30 if field == "qfrc_applied" else np.nan
            if halves:
                module.mj_step1(m, d)
                module.mj_step2(m, d)
            else:
                module.mj_step(m, d, 4)
        finally:
            module.set_mju_user_warning(None)
        assert len(said) == 1
        found.append((d.time, d.qpos.copy(), d.warning.number.copy(), d.warning.lastinfo.copy()))
    for wanted, value in zip(*found, strict=True):
        assert np.allclose(wanted, value, atol=1e-12)


def test_without_autoreset_bad_numbers_are_errors() -> None:
    """MuJoCo steps on with numbers that are none; this engine refuses to, by name."""
    m, d = fresh(ours, BALL)
    m.opt.disableflags |= int(ours.mjtDisableBit.mjDSBL_AUTORESET)
    d.qpos[2] = np.nan
    with pytest.warns(UserWarning, match="BADQPOS"), pytest.raises(Exception, match="autoreset"):
        ours.mj_step(m, d)
    assert d.warning[int(ours.mjtWarning.mjWARN_BADQPOS)].number == 1
    assert np.isnan(d.qpos[2])


def test_forward_with_numbers_that_are_none() -> None:
    """Neither resets nor warns: what depends on them is none."""
    for module in (real, ours):
        m, d = fresh(module, BALL)
        d.qpos[2] = np.nan
        module.mj_forward(m, d)
        assert not d.warning.number.any()
        assert np.isnan(d.xpos[1, 2])
        module.mj_step(m, d, -3)
        assert d.time == 0.0
        m, d = fresh(module)
        d.ctrl[0] = np.nan
        module.mj_step(m, d)
        assert d.warning.number.tolist() == [0, 0, 0, 0, 0, 0, 1]


def test_assets_of_one_name_are_refused() -> None:
    for module in (real, ours):
        with pytest.raises(ValueError, match="Repeated"):
            module.MjModel.from_xml_string("<mujoco/>", {"a.xml": b"", "in/a.xml": b""})


def test_timers_count_calls() -> None:
    found = []
    for module in (real, ours):
        m, d = fresh(module, BALL)
        numbers = []
        for name in ("mj_step", "mj_forward", "mj_step1", "mj_step2", "mj_inverse"):
            getattr(module, name)(m, d)
            numbers.append(d.timer.number.copy())
        assert d.timer[0].duration > 0.0
        module.mj_resetData(m, d)
        assert np.all(d.timer.duration == 0.0)
        found.append([*numbers, d.timer.number.copy()])
    assert np.array_equal(*found)


def test_callbacks_are_global() -> None:
    found = []
    for module in (real, ours):
        m, d = fresh(module)
        # memory for contacts grows before, so that no step is repeated for more of it
        module.mj_step(m, d, 200)
        calls: list[Any] = []

        def control(model: Any, data: Any, m: Any = m, d: Any = d, calls: list[Any] = calls) -> int:
            calls.append(model is m and data is d)
            data.ctrl[:] = np.sin(data.time + np.arange(model.nu))
            return 3

        module.set_mjcb_control(control)
        module.set_mjcb_contactfilter(lambda model, data, one, other: int(one == 0))
        try:
            assert module.get_mjcb_control() is control
            module.mj_step(m, d, 10)
        finally:
            module.set_mjcb_control(None)
            module.set_mjcb_contactfilter(None)
        assert module.get_mjcb_control() is None
        module.mj_step(m, d, 2)
        assert all(calls)
        found.append((len(calls), d.qpos.copy()))
    assert found[0][0] == found[1][0]
    assert np.allclose(found[0][1], found[1][1], rtol=1e-8, atol=1e-10)


def test_exceptions_of_callbacks_come_out() -> None:
    m, d = fresh(ours)

    def fail(model: Any, data: Any) -> None:
        raise RuntimeError("no more")

    ours.set_mjcb_passive(fail)
    try:
        with pytest.raises(RuntimeError, match="no more"):
            ours.mj_step(m, d)
    finally:
        ours.set_mjcb_passive(None)
    ours.mj_step(m, d)


def test_equalities_are_switched_by_booleans() -> None:
    found = []
    for module in (real, ours):
        m, d = fresh(module)
        assert d.eq_active.dtype == bool
        d.eq_active[0] = True
        d.mocap_pos[0] = [0.5, 0, 1]
        module.mj_step(m, d, 10)
        assert d.eq_active.tolist() == [True, True]
        kept = d.qpos.copy()
        module.mj_resetData(m, d)
        assert d.eq_active.tolist() == [False, True]
        found.append(kept)
    assert np.allclose(*found, rtol=1e-8, atol=1e-10)


def test_old_idioms() -> None:
    m, d = fresh(ours)
    ours.mj_forward(m, d)
    full, old = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    ours.mj_fullM(m, d, full)
    ours.mj_fullM(m, old, d.qM)
    assert np.array_equal(full, old)
    m.eq_data[0] = np.arange(11.0)
    m.eq_data[:] = np.zeros((m.neq, 11))
    assert m.eq_data.shape == (m.neq, 12)
    hinge = ours.mjtJoint.mjJNT_HINGE
    assert hinge == np.int32(3)
    assert np.int32(3) == hinge
    assert m.jnt_type[2] in (hinge,)
    assert m.flex_vertedge.shape == (0, 2)
    assert ours.mju_str2Type(b"body") == 1


def test_files(tmp_path: Any) -> None:
    m, d = fresh(ours)
    m.body_mass[1] *= 2
    binary = str(tmp_path / "model.mjb")
    ours.mj_saveModel(m, binary)
    assert ours.mj_sizeModel(m) == (tmp_path / "model.mjb").stat().st_size
    back = ours.MjModel.from_binary_path(binary)
    assert np.array_equal(back.body_mass, m.body_mass)
    assert back.names == m.names
    assert back.vis == m.vis
    other = ours.MjData(back)
    ours.mj_step(m, d, 5)
    ours.mj_step(back, other, 5)
    assert np.array_equal(d.qpos, other.qpos)
    theirs = real.MjModel.from_xml_string(BALL)
    real.mj_saveModel(theirs, str(tmp_path / "theirs.mjb"))
    with pytest.raises(ValueError, match="binary model of MuJoCo"):
        ours.MjModel.from_binary_path(str(tmp_path / "theirs.mjb"))
    (tmp_path / "broken.mjb").write_bytes((tmp_path / "model.mjb").read_bytes()[:2000])
    with pytest.raises(ValueError, match=r"damaged|buffer"):
        ours.MjModel.from_binary_path(str(tmp_path / "broken.mjb"))


def test_description_is_saved(tmp_path: Any) -> None:
    m, _ = fresh(ours, BALL)
    path = str(tmp_path / "ball.xml")
    ours.mj_saveLastXML(path, m)
    theirs = real.MjModel.from_xml_path(path)
    assert np.allclose(theirs.body_pos, m.body_pos)
    m.body_mass[1] *= 2
    with pytest.raises(NotImplementedError, match="edited"):
        ours.mj_saveLastXML(path, m)


def test_constants_after_an_edit() -> None:
    found = []
    for module in (real, ours):
        m, d = fresh(module)
        module.mj_setTotalmass(m, 20.0)
        module.mj_setConst(m, d)
        found.append(m)
    theirs, own = found
    for name in ("body_mass", "body_inertia", "body_invweight0", "dof_M0", "body_subtreemass"):
        assert np.allclose(getattr(theirs, name), getattr(own, name), rtol=1e-9)


def test_default_visual_settings() -> None:
    m, _ = fresh(ours)
    m.vis.map.znear = 0.5
    ours.mj_defaultVisual(m.vis)
    theirs = real.MjModel.from_xml_string("<mujoco/>")
    assert m.vis.map.znear == pytest.approx(theirs.vis.map.znear)
    assert np.allclose(m.vis.rgba.haze, theirs.vis.rgba.haze)


def test_threads_with_data_of_their_own() -> None:
    m, _ = models("humanoid")[1], None
    datas = [ours.MjData(m) for _ in range(4)]

    def run(d: Any) -> None:
        ours.mj_step(m, d, 100)

    workers = [threading.Thread(target=run, args=(d,)) for d in datas]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(datas[0].qpos, d.qpos) for d in datas)


def test_forked_processes_go_on() -> None:
    m, d = fresh(ours)
    ours.mj_step(m, d, 3)
    expected = copy.copy(d)
    ours.mj_step(m, expected, 5)

    def step() -> None:
        ours.mj_step(m, d, 5)
        assert np.array_equal(d.qpos, expected.qpos)
        assert pickle.loads(pickle.dumps(d)).time == d.time

    run_forked(step)


def test_memory_is_freed() -> None:
    m, d = fresh(ours, BALL)
    view, array = d.body("ball"), d.qpos
    kept = weakref.ref(m)
    ours.mj_step(m, d)
    del m, d
    # a view keeps its data, an array its memory
    assert view.xpos.shape == (3,)
    assert array.shape == (7,)
    del view
    gc.collect()
    assert kept() is None
    assert array[3] == pytest.approx(1.0)
