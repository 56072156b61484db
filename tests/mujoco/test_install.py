"""Programs that say `import mujoco` run with the module, each in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str, code: int = 0) -> str:
    """Run Python with arguments; what it prints."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


PROGRAM = """
import sys
import mujoco
from mujoco import MjData, mj_step
m = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/>"
    "<geom size='.1'/></body></worldbody></mujoco>")
d = MjData(m)
mj_step(m, d, nstep=10)
print(mujoco.__engine__, mujoco.__version__, sys.argv[1:], round(d.qpos[2], 6))
"""


def test_a_script_runs(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    said = run("-m", "cortenforge.mujoco", str(script), "one", "--two")
    assert said.startswith("cortenforge 4.0.0 ['one', '--two'] -0.0021")


def test_a_module_runs(tmp_path: Path) -> None:
    (tmp_path / "test_program.py").write_text(
        "import mujoco\ndef test_engine():\n    assert mujoco.__engine__ == 'cortenforge'\n"
    )
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    said = run("-m", "cortenforge.mujoco", "-m", "pytest", *options, str(tmp_path))
    assert "1 passed" in said


def test_usage() -> None:
    assert "usage" in run("-m", "cortenforge.mujoco", code=2)


def test_install_names_what_programs_import() -> None:
    said = run(
        "-c",
        "import cortenforge as cf; cf.mujoco.install(); cf.mujoco.install(); import mujoco\n"
        "import mujoco.renderer, mujoco.gl_context\n"
        "from mujoco import *\n"
        "import mujoco._structs\n"
        "assert mujoco is cf.mujoco and MjModel is mujoco.MjModel and mjtObj is mujoco.mjtObj\n"
        "assert mujoco._structs.MjData is mujoco.MjData\n"
        "import sys; assert sys.modules['mujoco.renderer'] is mujoco.renderer\n"
        "try:\n    import mujoco.nothing\nexcept ModuleNotFoundError: print('none')",
    )
    assert said == "none\n"


@pytest.mark.oracle
def test_install_over_another_is_refused() -> None:
    said = run("-c", "import mujoco, cortenforge as cf; cf.mujoco.install()", code=1)
    assert "ImportError: mujoco has been imported already" in said


@pytest.mark.oracle
def test_pure_python_of_the_installed_package_runs() -> None:
    said = run(
        "-c",
        "import cortenforge as cf; cf.mujoco.install()\n"
        "import numpy as np\n"
        "from mujoco import minimize\n"
        "from mujoco.introspect import structs\n"
        "x, _ = minimize.least_squares(np.zeros(2), lambda x: x - [[1.0], [2.0]],"
        " verbose=minimize.Verbosity.SILENT)\n"
        "print(np.round(x, 6), 'mjModel' in structs.STRUCTS)",
    )
    assert said == "[1. 2.] True\n"


COMPARED = Path(__file__).with_name("gymnasium_steps.py")


@pytest.mark.oracle
@pytest.mark.slow
def test_gymnasium_environments_run_unchanged(tmp_path: Path) -> None:
    """Re-synchronised before each step: observations and rewards are MuJoCo's."""
    if importlib.util.find_spec("gymnasium") is None:
        pytest.skip("Gymnasium is not installed: pip install 'gymnasium[mujoco]'")
    record = str(tmp_path / "record.npz")
    run(str(COMPARED), "record", record)
    run("-m", "cortenforge.mujoco", str(COMPARED), "compare", record)
