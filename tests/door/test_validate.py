"""`validate`: every problem at once, and none that only follows from another."""

from __future__ import annotations

import json
import random

import pytest
from typer.testing import CliRunner

import cortenforge as cf
from conformance.breakage import faults
from cortenforge.cli.app import app
from cortenforge.errors import MjcfError
from cortenforge.models import find, names

MANY = """<mujoco>
<compiler angel="radian" autolimits="maybe"/>
<option gravity="0 0"/>
<default><geom rgba="1 0 0"/><default class="arm"><joint damping="much"/></default></default>
<asset>
<mesh name="hand" file="hand.stl"/>
<texture name="wood" type="2d" builtin="chequer" width="10" height="10"/>
<material name="wooden" texture="wood"/>
<material name="stone" texture="granite"/>
</asset>
<worldbody>
<goem name="ball" size="1"/>
<joint name="slider"/>
<body name="base" childclass="arms">
<geom name="box" type="box" size="1 1"/>
<geom name="box" size="1" material="wooden"/>
<body name="upper" pos="0 0">
<joint name="shoulder" axis="0 0 0"/>
<geom type="capsule" size="0.1" fromto="0 0 0 0 0 0"/>
<body name="lower"><geom size=".1"/>
<joint name="elbow" range="30 10" limited="true"/></body>
<body name="palm"><joint type="ball"/><geom type="mesh" mesh="hand"/></body>
<body name="tip"><joint name="t"/>
<geom size="-1"/></body>
</body>
</body>
</worldbody>
<contact><pair geom1="box" geom2="ball"/>
<exclude body1="base" body2="bsae"/></contact>
<tendon><spatial name="rope">
<site site="a"/><site site="b"/></spatial>
<fixed name="f"><joint joint="elbow" coef="x"/></fixed></tendon>
<actuator>
<motor name="m1" joint="shoulder" gear="1 2 3 4 5 6 7"/>
<motor name="m2" joint="shulder"/>
<motor name="m3" tendon="rope" ctrlrange="2 1"/>
<position name="m4"/>
</actuator>
<sensor>
<jointpos joint="slider"/>
<jointpos joint="knee"/>
<force site="b" cutoff="-1"/>
</sensor>
</mujoco>"""
FOUND = [
    (2, "compiler", "angel"),
    (2, "compiler", "autolimits"),
    (3, "option", "gravity"),
    (4, "geom", "rgba"),
    (4, "joint", "damping"),
    (6, "mesh", "file"),
    (7, "texture", "builtin"),
    (9, "material", "texture"),
    (12, "goem", None),
    (13, "joint", None),
    (14, "body", "childclass"),
    (15, "geom", "size"),
    (16, "geom", "name"),
    (17, "body", "pos"),
    (18, "joint", "axis"),
    (19, "geom", "fromto"),
    (21, "joint", "range"),
    (24, "geom", "size"),
    (29, "exclude", "body2"),
    (31, "site", "site"),
    (31, "site", "site"),
    (32, "joint", "coef"),
    (34, "motor", "gear"),
    (35, "motor", "joint"),
    (36, "motor", "ctrlrange"),
    (37, "position", None),
    (41, "jointpos", "joint"),
    (42, "force", "cutoff"),
]
BODY = '<body name="b"><joint name="j"/><geom name="g" size="1"/></body>'
#: models with one fault, which something else depends on
ALONE = {
    "mass of a bad geom": '<worldbody><body><joint/><geom size="x"/></body></worldbody>',
    "name in an unknown element": '<worldbody><bdoy name="b"><joint name="j"/></bdoy></worldbody>'
    '<actuator><motor joint="j"/></actuator><sensor><subtreecom body="b"/></sensor>',
    "class in an unknown element": '<default><defualt class="x"/></default>'
    '<worldbody><geom size="1" class="x"/></worldbody>',
    "required and wrong": '<custom><numeric name="n" data="a b"/></custom>',
    "bad attribute of what is named": '<worldbody><body name="b"><joint name="j" type="hnge"/>'
    '<geom size="1"/></body></worldbody><actuator><motor joint="j"/></actuator>',
    "missing mesh": '<asset><mesh name="m" file="none.stl"/></asset><worldbody><body><joint/>'
    '<geom type="mesh" mesh="m"/></body></worldbody>',
    "missing texture": '<asset><texture name="t" type="2d" file="none.png"/>'
    '<material name="m" texture="t"/></asset><worldbody><geom size="1" material="m"/></worldbody>',
    "missing height field": '<asset><hfield name="h" file="none.png" size="1 1 1 1"/></asset>'
    '<worldbody><geom type="hfield" hfield="h"/></worldbody>',
    "missing include": f'<include file="none.xml"/><worldbody>{BODY}</worldbody>'
    '<actuator><motor joint="from_the_file"/></actuator>',
    "bad step of a tendon": f'<worldbody>{BODY}</worldbody><tendon><fixed name="t">'
    '<joint joint="j" coef="x"/></fixed></tendon><actuator><motor tendon="t"/></actuator>',
    "unknown step of a tendon": f'<worldbody>{BODY}</worldbody><tendon><fixed name="t">'
    '<joint joint="jj" coef="1"/></fixed></tendon><actuator><motor tendon="t"/></actuator>',
    "replicas": '<worldbody><replicate count="9"><body><joint/><geom size="0"/></body></replicate>'
    "</worldbody>",
    "keyframe of another size": '<worldbody><body><joint axis="0 0 0"/><geom size="1"/></body>'
    '</worldbody><keyframe><key qpos="1 2"/></keyframe>',
    "nested bodies": '<worldbody><body pos="1"><joint/><body><joint/><geom size="1"/></body></body>'
    "</worldbody>",
    "anchor": f'<worldbody>{BODY}</worldbody><equality><connect body1="b" anchor="1"/></equality>',
}
WORDS = ["1", "-1", "nan", "0 0 0", "true", "", "b", '"', "/>", "<body>", "</body>", "<geom/>"]


def invoke(*words: str):
    return CliRunner().invoke(app, ["validate", *words], env={"COLUMNS": "200", "NO_COLOR": "1"})


def test_many_problems_are_found_at_once() -> None:
    """All independent problems, in the order of the file, and nothing else."""
    found = [(one.line, one.element, one.attribute) for one in cf.validate(MANY).errors]
    assert sorted(found, key=str) == sorted(FOUND, key=str)
    assert [line for line, *_ in found] == sorted(line for line, *_ in FOUND)


@pytest.mark.parametrize("text", ALONE.values(), ids=ALONE)
def test_what_follows_from_a_problem_is_not_one(text: str) -> None:
    report = cf.validate(f"<mujoco>{text}</mujoco>")
    assert len(report.errors) == 1, [str(error) for error in report.errors]


def test_elements_on_one_line_are_told_apart() -> None:
    """A problem of one motor does not hide that of its neighbour."""
    text = '<mujoco><actuator><motor joint="a"/><motor joint="b" gear="x"/></actuator></mujoco>'
    assert [one.attribute for one in cf.validate(text).errors] == ["gear", "joint"]


def test_loading_still_raises_the_first_problem() -> None:
    with pytest.raises(MjcfError) as refused:
        cf.Model.from_mjcf(MANY)
    assert (refused.value.line, refused.value.attribute) == (2, "angel")
    cf.validate(MANY)
    with pytest.raises(MjcfError):
        cf.Model.from_mjcf(MANY)


def test_each_broken_rule_is_one_problem() -> None:
    """A sample of the grammar's faults: the same blame as when loading, and no other."""
    for fault in list(faults())[::23]:
        with pytest.raises(MjcfError) as refused:
            cf.Model.from_mjcf(fault.xml)
        # others may be wrong, too: a geom without a size, a connect without bodies
        found = cf.validate(fault.xml).errors
        said = [str(one) for one in found if (one.line, one.attribute) == (3, fault.attribute)]
        assert said == [str(refused.value)], str(fault)


def test_mangled_models_are_refused_or_sound() -> None:
    """Models changed at random: `validate` never fails, and agrees with loading."""
    chance = random.Random(1)
    texts = [MANY, *(f"<mujoco>{text}</mujoco>" for text in ALONE.values())]
    for _ in range(150):
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(1, len(text))
            text = text[:at] + chance.choice(WORDS) + text[at + chance.randint(0, 12) :]
        report = cf.validate(text)
        try:
            cf.Model.from_mjcf(text)
        except MjcfError:
            assert not report.ok, text
        else:
            assert report.ok, text


@pytest.mark.parametrize("name", names())
def test_sound_models_have_no_problems(name: str) -> None:
    report = cf.validate(find(name))
    assert report.ok and not report.errors
    assert report.notes == cf.Model.from_mjcf(find(name)).supported()


def test_warnings_and_notes() -> None:
    later = '<option><flag ipc="enable"/></option>'
    report = cf.validate(f"<mujoco>{later}<worldbody>hello{BODY}</worldbody></mujoco>")
    assert report.ok
    assert len(report.warnings) == 1 and "hello" in report.warnings[0]
    assert any("ipc" in note for note in report.notes)


def test_broken_xml_and_missing_files_are_problems() -> None:
    assert [error.line for error in cf.validate("<mujoco>\n<body></mujoco>").errors] == [2]
    assert "no such file" in str(cf.validate("nowhere.xml").errors[0])
    assert "UTF-8" in str(
        cf.validate("<mujoco><include file='a'/></mujoco>", {"a": b"\xff"}).errors[0]
    )


def test_command_prints_lines_and_a_summary(tmp_path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text(MANY)
    result = invoke(str(bad), "pendulum", str(tmp_path / "none.xml"))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == (
        f"{bad}:2: error: <compiler>: angel=\"radian\": <compiler> has no attribute 'angel'"
    )
    assert lines[1] == "    hint: did you mean 'angle'?"
    assert any(line.startswith(f"{tmp_path / 'none.xml'}: error: there is no") for line in lines)
    assert lines[-1].startswith(f"3 files checked: {len(FOUND) + 1} errors")
    assert invoke("pendulum").exit_code == 0


def test_command_speaks_json_and_is_strict(tmp_path) -> None:
    odd = tmp_path / "odd.xml"
    odd.write_text("<mujoco>\n<worldbody>text</worldbody></mujoco>")
    assert invoke(str(odd)).exit_code == 0
    assert invoke(str(odd), "--strict").exit_code == 1
    (report,) = json.loads(invoke(str(odd), "--json").stdout)
    assert report["ok"] and report["file"] == str(odd)
    assert [(one["severity"], one["line"]) for one in report["findings"]] == [("warning", 2)]
    odd.write_text('<mujoco>\n<option timestep="x"/></mujoco>')
    (report,) = json.loads(invoke(str(odd), "--json").stdout)
    assert report["findings"] == [
        {
            "severity": "error",
            "file": str(odd),
            "line": 2,
            "element": "option",
            "name": None,
            "attribute": "timestep",
            "value": "x",
            "message": "'x' is not a number",
            "hint": None,
        }
    ]
