"""What `dir` shows of a Model and a Data, and what type checkers know of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cortenforge as cf
from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS

ROOT = Path(__file__).parents[2]
MODEL = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
#: lines that are refused have the error behind them
PROGRAM = """
import cortenforge as cf

model = cf.Model.from_mjcf("arm.xml")
data = model.make_data()
batch = cf.BatchSim(model, 8)
where: float = data.body("hand").xpos[0]
reach: float = model.jnt("elbow").range[1]
deep: float = data.contact[0].dist + data.contact.dist[0]
hits: int = batch.ncon[0] + data.ncon + model.nbody
data.qpos = [0.0, 1.0]
data.qpos[:] = batch.qpos[0]
batch.ctrl = 0.5
model.body("hand").mass *= 2
model.opt.integrator = "RK4"
model.opt.integrator += 1
cf.Renderer(model).options.shadow = False
data.qpoz  # "Data" has no attribute "qpoz"
data.qpoz = 1  # "Data" has no attribute "qpoz"
data.body("hand").xpoz  # "DataBody" has no attribute "xpoz"
model.geom("palm").masss = 1  # "ModelGeom" has no attribute "masss"
model.bodymass  # "Model" has no attribute "bodymass"
model.opt.timestp  # "OptionFields" has no attribute "timestp"
model.opt.solver = 1.5  # Incompatible types in assignment
data.contact[0].dizt  # "Contact" has no attribute "dizt"
batch.qpoz  # "BatchSim" has no attribute "qpoz"
batch.qpoz = 1  # "BatchSim" has no attribute "qpoz"
cf.mj_step  # Module has no attribute "mj_step"
cf.enums.DisableBit  # Module has no attribute "DisableBit"
cf.Model.from_xml_path("arm.xml")  # "type[Model]" has no attribute "from_xml_path"
cf.RenderOptions().shadwo = True  # "RenderOptions" has no attribute "shadwo"
cf.Spec().modelnam = "arm"  # "Spec" has no attribute "modelnam"
"""


def test_scratch_is_not_listed() -> None:
    """What only the engine uses is not offered, and can still be read."""
    model = cf.Model.from_mjcf(MODEL)
    data = model.make_data()
    for owner, fields in ((model, MODEL_FIELDS), (data, DATA_FIELDS)):
        names = dir(owner)
        assert names == sorted(set(names))
        assert {f.name for f in fields if f.listed} <= set(names)
        assert not {f.name for f in fields if not f.listed} & set(names)
        assert all(hasattr(owner, field.name) for field in fields)
    assert {"qpos", "step", "body", "efc_force", "island_nv", "iefc_force"} <= set(dir(data))
    assert not {"iefc_ahead", "cg_rest", "model_version", "rk4_qpos"} & set(dir(data))
    assert not {"watched_now", "hull_vert", "nwatched", "dof_runlength"} & set(dir(model))


def test_scratch_is_not_suggested() -> None:
    """Who misspells a field is not sent to one that is not for users."""
    data = cf.Model.from_mjcf(MODEL).make_data()
    for wrong in ("iefc_ahaed", "cg_rezt"):
        with pytest.raises(AttributeError) as found:
            getattr(data, wrong)
        assert "iefc_ahead" not in str(found.value) and "cg_rest" not in str(found.value)


@pytest.mark.slow
def test_type_checkers_know_the_fields(tmp_path: Path) -> None:
    """Names that exist have types, those that do not are refused, read or assigned to."""
    pytest.importorskip("mypy")
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    # what the package itself is checked with is of no use here
    options = ["--no-incremental", "--follow-imports=silent", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", f"--config-file={os.devnull}", *options, str(file)]
    environment = {**os.environ, "MYPYPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    found = dict(re.findall(r"^program\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE))
    lines = enumerate(PROGRAM.splitlines(), 1)
    wanted = {str(n): text for n, line in lines if (text := line.partition("  # ")[2])}
    assert found.keys() == wanted.keys(), done.stdout + done.stderr
    for number, text in wanted.items():
        assert found[number].startswith(text)
