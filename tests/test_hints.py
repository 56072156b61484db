"""Names of MuJoCo's that are not ours are answered with what to write instead."""

from __future__ import annotations

import ast
import inspect
import itertools
import pickle
import warnings

import numpy as np
import pytest
import scipy
import scipy.linalg
import scipy.optimize
import scipy.sparse
import scipy.special
import scipy.stats
from scipy.spatial.transform import Rotation

import cortenforge as cf
from cortenforge import enums, hints, models
from cortenforge.errors import ArgumentError, UnknownAttribute
from cortenforge.grammar.rules import RULES
from cortenforge.viewer import Viewer

MODEL = """
<mujoco><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 0.05"><freejoint name="free"/><geom size="0.1"/></body>
</worldbody></mujoco>
"""
#: names in MuJoCo's modules that are of Python's
FOREIGN = {"Any", "IO", "Sequence", "TypeAlias", "Union", "np", "os", "platform", "subprocess"} | {
    "ctypes",
    "mujoco",
    "warnings",
    "zipfile",
}
ROWS = [(part, row) for part in hints.PARTS for row in hints.rows(part)]


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(MODEL)


def owners(model: cf.Model) -> dict[str, object]:
    """What the first names of examples are."""
    known = {"cf": cf, "np": np, "scipy": scipy, "pickle": pickle, "warnings": warnings}
    batch = cf.BatchSim(model, 1)
    batch.expand("body_mass")
    return known | {
        "model": model,
        "data": model.make_data(),
        "batch": batch,
        "spec": cf.Spec(),
        "renderer": cf.Renderer,
        "viewer": Viewer,
        "Rotation": Rotation,
    }


def value_of(node: ast.expr, known: dict[str, object]) -> object:
    """What names and attributes of an example stand for; of calls, nothing is known."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value, known)
        if owner is None:
            return None
        assert hasattr(owner, node.attr), f"{ast.unparse(node)} does not exist"
        return getattr(owner, node.attr)
    return None


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=lambda row: row[0].name)
def test_examples_name_what_there_is(row: list[hints.Hint], model: cf.Model) -> None:
    """What one is told to write is Python, its attributes exist, and its calls fit."""
    code = row[0].code
    known = owners(model)
    if not code:
        assert row[0].note, row[0].name
        return
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute):
            value_of(node, known)
        if isinstance(node, ast.Call):
            check_call(node, value_of(node.func, known))


def check_call(node: ast.Call, function: object) -> None:
    """Raise unless a function of ours can be called so."""
    if not getattr(function, "__module__", "").startswith("cortenforge"):
        return
    assert callable(function), ast.unparse(node)
    signature = inspect.signature(function)
    # taken from its class, a method asks for its owner, too
    own = [None] if next(iter(signature.parameters), "") == "self" else []
    keywords = {word.arg: None for word in node.keywords if word.arg}
    signature.bind(*own, *(None for _ in node.args), **keywords)


def test_names_stand_once() -> None:
    """Nothing is said twice of a name of the same owner."""
    for whose in {owner for owner, _ in hints.PARTS.values()}:
        parts = [part for part, (owner, _) in hints.PARTS.items() if owner == whose]
        names = [hint.name for part in parts for row in hints.rows(part) for hint in row]
        assert len(names) == len(set(names)), whose


def test_every_name_of_mujocos_module_has_an_answer() -> None:
    """Functions, classes, enumerations and constants: something of ours, or a hint."""
    mujoco = pytest.importorskip("mujoco")
    # which of its modules are there depends on who has imported them
    names = {
        name
        for name, member in vars(mujoco).items()
        if not name.startswith("_") and not inspect.ismodule(member)
    } - FOREIGN
    assert len(names) > 400
    silent = {name for name in names if name not in cf.__all__ and not hints.hint_for("", name)}
    assert not silent


def test_every_attribute_of_mujocos_classes_has_an_answer(model: cf.Model) -> None:
    mujoco = pytest.importorskip("mujoco")
    from mujoco import batch, rollout, viewer

    theirs = mujoco.MjModel.from_xml_string(MODEL)
    pairs = (
        (theirs, model),
        (mujoco.MjData(theirs), model.make_data()),
        (mujoco.MjSpec(), cf.Spec()),
        (batch.Batch, cf.BatchSim(model, 1)),
        (mujoco.Renderer, cf.Renderer(model)),
    )
    for their, ours in pairs:
        names = {name for name in dir(their) if not name.startswith("_")}
        owner = type(ours).__name__
        silent = {n for n in names if not hasattr(ours, n) and not hints.hint_for(owner, n)}
        assert not silent, owner
    for module, calls in ((rollout, {"rollout", "Rollout"}), (viewer, {"launch", "Handle"})):
        for name in calls:
            assert hasattr(module, name) and hints.hint_for("", name)


@pytest.mark.parametrize("section", ["actuator", "sensor", "equality", "tendon"])
def test_shortcuts_of_a_description_have_an_answer(section: str) -> None:
    """`spec.add_position(...)`: what a reader of MJCF would guess."""
    for tag in RULES[section].children:
        name = f"add_{tag}"
        if hasattr(cf.Spec, name):
            continue
        found = hints.hint_for("Spec", name)
        expected = {"add_joint": "add_body"}.get(name, f"add_{section}(")
        if section == "sensor" and name == "add_distance":
            assert found and "sensor" in found.note
        else:
            assert found and expected in found.code, name


def test_every_attribute_of_mujocos_elements_has_an_answer() -> None:
    """Elements of a description are found by what MuJoCo's are asked for."""
    mujoco = pytest.importorskip("mujoco")
    theirs, spec = mujoco.MjSpec(), cf.Spec()
    body, ours = theirs.worldbody.add_body(), spec.worldbody.add_body(name="a")
    for their, our in (
        (body, ours),
        (body.add_joint(), ours.add_joint()),
        (body.add_geom(), ours.add_geom(size=0.1)),
        (body.add_site(), ours.add_site()),
    ):
        names = {name for name in dir(their) if not name.startswith("_")}
        for name in names:
            try:
                getattr(our, name)
            except UnknownAttribute as error:
                known = "has no attribute" in str(error) and ";" in str(error)
                assert known, (our.tag, name)


def test_enumerations_are_those_that_ours_say_they_are() -> None:
    """Each of our enumerations that is one of MuJoCo's is what its name is answered with."""
    for name, kind in vars(enums).items():
        word = (getattr(kind, "__doc__", None) or "").split(":")[0].split(",")[0].rstrip(".;")
        if isinstance(kind, type) and word.startswith("mjt"):
            found = hints.hint_for("cortenforge.enums", word.split(";")[0].split()[0])
            assert found and found.code == f"cf.enums.{name}"


@pytest.mark.parametrize(
    ("owner", "name", "answer"),
    [
        (cf, "mj_step", "write data.step(nstep)"),
        (cf, "MjModel", 'write cf.Model.from_mjcf("model.xml")'),
        (cf, "rollout", "write cf.BatchSim(model, n).rollout(initial_states, controls)"),
        (cf, "mjtObj", "write cf.enums.ObjType"),
        (cf, "mjr_readPixels", "write data.render("),
        (cf, "Modle", "did you mean 'Model'?"),
        (cf.Model, "from_xml_path", 'write cf.Model.from_mjcf("model.xml")'),
        (cf.Model, "from_mjfc", "did you mean 'from_mjcf'?"),
        (cf.Spec, "from_file", 'write cf.Spec.from_mjcf("model.xml")'),
        (cf.viewer, "launch", "write cf.view(model, data)"),
        (cf.viewer, "launch_passive", "write cf.view(model, data)"),
        (cf.batch, "Batch", "write cf.BatchSim(model, n)"),
        (enums, "DisableBit", "write cf.enums.Disable"),
        (enums, "mjtSolver", "write cf.enums.Solver"),
        (enums, "Integratr", "did you mean 'Integrator'?"),
    ],
)
def test_modules_and_classes_answer(owner: object, name: str, answer: str) -> None:
    with pytest.raises(UnknownAttribute) as found:
        getattr(owner, name)
    assert f"has no attribute {name!r}; {answer}" in str(found.value)
    assert not hasattr(owner, "__nothing__")


def test_the_viewer_is_named_before_it_is_loaded() -> None:
    """`cf.viewer` is a module once somebody has imported it; what is said does not depend on it."""
    found = hints.hint_for("cortenforge", "viewer")
    assert found and found.text.startswith("write cf.view(model, data)")


def test_objects_answer(model: cf.Model) -> None:
    data, batch = model.make_data(), cf.BatchSim(model, 3)
    for owner, name, answer in (
        (data, "qpoz", "did you mean 'qpos'"),
        (data, "mj_step", "write data.step"),
        (data, "warning", "there is none here"),
        (model, "flex_vert", "write model.soft"),
        (batch, "step", "write batch.step_all"),
        (batch, "qpoz", "did you mean 'qpos'"),
        (batch, "contact", "write batch.env"),
        (cf.Spec(), "add_position", "write spec.add_actuator"),
        (cf.Spec().worldbody, "first_geom", "write body.children_of"),
        (cf.Spec(), "find_default", "write spec.default"),
        (cf.Renderer(model), "update_scene", "write renderer.render"),
        (cf.RenderOptions(), "shadwo", "did you mean 'shadow'"),
    ):
        with pytest.raises(UnknownAttribute, match=f"{name!r}; {answer}"):
            getattr(owner, name)


def test_what_goes_wrong_in_an_attribute_is_raised() -> None:
    """An attribute that is there, and fails, is not called unknown."""
    from cortenforge.suggest import Declared

    class Broken(Declared):
        @property
        def width(self) -> int:
            raise AttributeError("its own trouble")

    with pytest.raises(AttributeError, match="its own trouble"):
        _ = Broken().width


def test_models_are_not_made_of_files(model: cf.Model) -> None:
    """Whoever gives a path, a name, a description or a Data is told how a model is made."""
    for call in (cf.Model, cf.Data, lambda given: cf.BatchSim(given, 3)):
        for given, answer in (
            ("x.xml", r"write cf\.load_model\('x\.xml'\)"),
            ("humanoid", r"write cf\.load_model\(cf\.models\.find\('humanoid'\)\)"),
            (cf.Spec(), r"write spec\.compile\(\)"),
            (model.make_data(), r"write data\.model"),
            (3, r"write cf\.load_model\(\"model\.xml\"\)"),
        ):
            with pytest.raises(ArgumentError, match=answer):
                call(given)
    assert "humanoid" in models.names()


def test_choices_are_words() -> None:
    """Options that are one of several take the word of MJCF, however it is written."""
    model = cf.Model.from_mjcf(MODEL)
    words = {"integrator": "RK4", "cone": "elliptic", "jacobian": "Dense", "solver": "Newton"}
    for name, word in words.items():
        setattr(model.opt, name, word)
    assert [getattr(model.opt, name) for name in words] == [1, 1, 0, 2]
    model.opt_integrator = "implicitfast"
    assert model.opt.integrator == enums.Integrator.IMPLICITFAST
    for name, value in itertools.product(words, ("RK5", "", "2")):
        with pytest.raises(ArgumentError, match=rf"opt\.{name}: expected one of 0 \("):
            setattr(model.opt, name, value)


def test_short_names_of_objects(model: cf.Model) -> None:
    """Those of MuJoCo's bindings are the same objects."""
    data = model.make_data()
    assert model.jnt("free").qposadr == model.joint("free").qposadr
    assert data.jnt("free").qpos.shape == (7,)
    for owner, names in ((model, ("cam", "eq", "tex", "mat", "keyframe")), (data, ("cam", "ten"))):
        for name in names:
            with pytest.raises(IndexError, match="the model has 0"):
                getattr(owner, name)(0)


def test_the_package_lists_its_public_names() -> None:
    assert dir(cf) == sorted(cf.__all__)
    for name in cf.__all__:
        assert hasattr(cf, name), name
