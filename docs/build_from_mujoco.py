"""Write docs/from_mujoco.md, MuJoCo's names and what to write for them, from cortenforge/hints.py.

python docs/build_from_mujoco.py            write the page
python docs/build_from_mujoco.py --check    exit 1 if the page is not what would be written
"""

from __future__ import annotations

import sys
from pathlib import Path

from cortenforge import hints

PAGE = Path(__file__).with_name("from_mujoco.md")
MADE_BY = "made by docs/build_from_mujoco.py from cortenforge/hints.py; do not edit"
HEAD = """
Programs written for `mujoco` run unchanged by a [module of its interface](mujoco.md). This page is
about writing for this engine itself.

Models, fields and numbers are the same as in MuJoCo; calls differ, since functions of MuJoCo's
module are methods here. Using one of MuJoCo's names raises an error that says what to write:

```
>>> cf.mj_step
UnknownAttribute: cortenforge has no attribute 'mj_step'; write data.step(nstep)
```

| MuJoCo | here |
|---|---|
| `m = mujoco.MjModel.from_xml_path("arm.xml")` | `model = cf.Model.from_mjcf("arm.xml")` |
| `d = mujoco.MjData(m)` | `data = model.make_data()` |
| `mujoco.mj_step(m, d, nstep=10)` | `data.step(10)` |
| `m.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4` | `model.opt.integrator = "RK4"` |
| `mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "hand")` | `model.id_of("body", "hand")` |
| `d.body("hand").xpos`, `m.jnt("elbow").range`, `d.qpos[:]` | the same |
| `mujoco.mj_resetDataKeyframe(m, d, 0)` | `data.reset_to_keyframe(0)` |
| `mujoco.Renderer(m, 480, 640)`, `update_scene`, `render` | `data.render("camera", width=640)` |
| `mujoco.viewer.launch(m, d)` | `cf.view(model, data)` |
| `rollout.rollout(m, d, states, controls)` | `cf.BatchSim(model, n).rollout(states, controls)` |

The options `integrator`, `cone`, `jacobian` and `solver` take MuJoCo's number or MJCF's word, in
upper or lower case. Invalid numbers raise errors instead of incrementing a counter, a failed step
keeps its state, and nothing is global: callbacks belong to a model.

A star stands for the rest of a name. A dash means that there is no equivalent.
"""


def page() -> str:
    """`docs/from_mujoco.md`."""
    parts = "\n".join(f"\n## {part}\n\n{_table(part)}" for part in hints.PARTS)
    return f"# From MuJoCo\n\n<!-- {MADE_BY} -->\n{HEAD}{parts}\n"


def _table(part: str) -> str:
    lines = ["| MuJoCo | here | |", "|---|---|---|"]
    for row in hints.rows(part):
        names = ", ".join(f"`{hint.name}`" for hint in row)
        code = f"`{row[0].code}`" if row[0].code else "–"
        lines.append(f"| {names} | {code} | {row[0].note} |")
    return "\n".join(lines)


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text
        if stale:
            print("docs/from_mujoco.md is out of date: run python docs/build_from_mujoco.py")
        return int(stale)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
