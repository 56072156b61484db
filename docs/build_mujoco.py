"""Write docs/mujoco.md: how programs for `mujoco` run here, and which of its names there are.

python docs/build_mujoco.py            write the page
python docs/build_mujoco.py --check    exit 1 if the page is not what would be written
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from cortenforge.mujoco import model, partition
from cortenforge.mujoco.data import OLD_FIELDS
from cortenforge.mujoco.partition import ABSENT, EMPTY, LIVE

PAGE = Path(__file__).with_name("mujoco.md")
MADE_BY = "made by docs/build_mujoco.py from cortenforge/mujoco/; do not edit"
HEAD = """
Programs that say `import mujoco` run with this engine in one of two ways:

1. **Unchanged**, by `cortenforge.mujoco`, a module with the interface of `mujoco` 4.0.0. This page
   is about it.
2. **Natively**: `cf.Model`, `cf.Data` and the rest, which is shorter, and raises errors where
   MuJoCo counts warnings. [From MuJoCo](from_mujoco.md) has what to write for each name.

```sh
python -m cortenforge.mujoco train.py --seed 1        # a script with its arguments
python -m cortenforge.mujoco -m pytest tests          # a module
```

```python
import cortenforge as cf

cf.mujoco.install()      # before anything imports mujoco
import mujoco            # this one: mujoco.__engine__ is "cortenforge"
```

`install()` also serves `mujoco.rollout`, `mujoco.renderer` and the other modules of the package.
`minimize`, `sysid`, `usd` and `introspect` are pure Python: they come from the installed package,
if there is one, and run on this engine. Over a `mujoco` that has been imported already, `install()`
raises ImportError. Processes that are spawned call it themselves; forked ones have it.

Both modules can be used beside each other, without `install()`:

```python
import mujoco

import cortenforge as cf

theirs = mujoco.MjModel.from_xml_string(xml)
ours = cf.mujoco.MjModel.from_xml_string(xml)
```

## What is the same

Arrays are live and stay: `d.qpos is d.qpos`, edits of a model act in the next step, `d.contact` is
a list of the contacts there are now. Names, views, enumerations, exceptions that programs catch,
copies and pickles, counters (`d.warning`, `d.timer`), global callbacks, data that goes on with
another model of the same structure, and the reset of data in which numbers went wrong are
MuJoCo's. Functions are compared with MuJoCo's on random states, field by field
(`tests/mujoco/`): a function changes the fields that MuJoCo's changes, and no others.

## What differs on purpose

| | |
|---|---|
| names that are absent | raise `NotImplementedError`, which is an `AttributeError`, too: it says why and what to use |
| texts of errors | this engine's; those of files begin with `XML Error: ` |
| indices that are out of range | `IndexError`, where MuJoCo reads other memory |
| `mj_saveModel`, `from_binary_path` | a format of this engine; a file of MuJoCo's is refused by name |
| `mj_saveLastXML` | writes the description of the model that it is given; refused if the model was edited in place or is a copy |
| `mj_setConst` | leaves results in data as they are |
| `d.timer` | durations of whole calls; those of their parts are zero |
| `d.efc_J`, `d.contact.H` and the like | computed when they are read, so they cannot be written |
| warnings | Python's, unless `set_mju_user_warning` was called |
| `d.energy` after a step with RK4 | of the state from which the step started |
| `efc_state` | of the forces in `efc_force`; MuJoCo's is older where there are islands |
| `mj_geomDistance` of geoms that overlap | the depth; MuJoCo's ends at the radius of capsules |
| `mj_maxContact` of MuJoCo 4.0 ignores `has_margin` | so does ours |
| numbers that go wrong with the flag `autoreset` disabled | counted, and an error: a step does not go on with them |
| types and indices of a model that are written to | the next call is refused, with the name of the number: the structure of a model is fixed |
| invalid options, such as an unknown integrator or a time step of zero | errors of this engine, which are `ValueError` or `StepError` |
| callbacks in C | refused: give a Python function, or a kernel |
| stages by themselves (`mj_comPos`, `mj_fwdVelocity`, ...) | refused with sleep and deformables |

## Old idioms

MuJoCo 4.0 removed some that programs still use. They are accepted:

| | |
|---|---|
| `mj_fullM(m, dst, d.qM)` | before 4.0; `d.qM` stands for the matrix of its data |
| rows of 11 numbers for `m.eq_data` | it has 12 columns now |
| `m.jnt_type[i] in (mjtJoint.mjJNT_HINGE, ...)` | enumerations equal integers of NumPy, both ways |
"""
TESTS = """
## Drawing, viewer, rollout and batch

| | |
|---|---|
| `Renderer`, `mjv_updateScene`, `mjr_render`, `mjr_readPixels` | pictures of the [rasteriser](rendering.md), drawn from the scene's geoms, lights and camera, edited ones and those that programs add |
| `MjvScene.geoms` | has geoms, sites, skins, tendons and rays of range finders; what other options show (contacts, joints, frames, ...) is drawn, and is not in the list. Deformables are geoms of the type `mjGEOM_NONE` |
| `camdist`, `transparent` of geoms | written by OpenGL while it sorts; here they stay |
| colours of `mjRND_SEGMENT` without `mjRND_IDCOLOR`, `mjRND_DEPTH` | refused |
| `mujoco.egl`, `.glfw`, `.osmesa`, and `glfw` where it is not installed | stand-ins: pictures need no OpenGL |
| `viewer.launch_passive` | the [viewer](viewer.md) in a browser; `key_callback`, and texts, figures and images over the picture are refused |
| `rollout` | touches no MjData: they tell the number of threads |
| `batch.Batch` | simulations run in lockstep; one after another, with the same results, in a persistent batch, with models of the caller (`set_models`), with expanded integers, and while `solver_niter` or `solver_nnz` is bound. `set_const` is refused with expanded integers other than options, and where bounding volumes would differ |

## Speed

Time of this engine over that of `mujoco` 4.0.0, where both take turns; medians of five runs on two
cores that other programs used as well, so that they hold to about 0.03. Through the module, in
Gymnasium:

| environment | `env.step` | `env.reset` |
|---|---|---|
| `HalfCheetah-v5` | 0.63 | 1.02 |
| `Ant-v5` | 0.57 | 0.90 |
| `Humanoid-v5` | 0.64 | 0.98 |

A reset clears what MuJoCo's clears: scratch memory and rows of lists stay, and steps do not read
what was left there. `Humanoid-v5` asks for the solver PGS; while it lies on the ground, with more rows
of constraints, a step takes 0.81 of MuJoCo's time. The
module adds little to a step: 0.4 us for the checks of arguments, callbacks and the clock (3.6 us against 3.1 of
`data.step()` for a half cheetah); both ways run the same compiled code.

Small calls, natively, with the bundled humanoid, in microseconds; `make bench` measures them. A
call refuses a second thread in the same data, which is 0.3 to 0.5 us of each:

| call | here | `mujoco` |
|---|---|---|
| `data.jac_body(2)` | 2.1 | 0.4 |
| `data.full_M()` | 1.4 | 0.4 |
| `data.contact.geom` | 0.7 | 0.4 |
| `data.interaction_forces()`, `mj_rnePostConstraint` | 1.0 | 0.7 |
| a state by its signature, read and written | 1.1 and 1.6 | 0.4 and 0.4 |
| `data.reset()` | 1.7 | 1.7 |
| `model.make_data()`, `data.copy()` | 66 and 63 | 350 and 360 |

Through the module, `mj_jacBody` takes 3.1, `mj_fullM` 2.1 and `mj_rnePostConstraint` 1.3, since
arguments are checked by a table, and `d.contact.geom` 0.8. Many simulations at once, as of [`BatchSim`](batches.md) and
`mujoco.rollout`, gain more: several step in one call, in the lanes of the processor.

## Clients

Client packages from PyPI, unchanged, 200 random actions a task; before each step MuJoCo 4.0.0 is set
to the same state, model and inputs, and takes the step, too (`make clients`; it goes on where it was
stopped). Gymnasium is compared by observations, rewards and ends, the others by `qpos`, `qvel`, `act`
and `sensordata`, relative to the largest entry, with the bound 1e-8:

| client | tasks that run | beyond the bound, contacts and solvers apart |
|---|---|---|
| Gymnasium v4 and v5 | 21 of 22; `Pusher-v4` refuses every MuJoCo since 3.0 | none: at most 7.3e-14, the same ends |
| `dm_control.suite` | 51 of 51 | none |
| composer: locomotion and manipulation | 18 of the 18 that were compared | none |
| gymnasium-robotics | 15 of 15 | none |
| metaworld | 50 of 50 | none |
| robosuite | 8 of 8 | none in the three compared with solvers that go on to the end |

Two things make steps differ by more, and are counted for themselves:

- **Contacts that are ties**, or are searched to a tolerance ([collision](collision.md)): the points
  of a cylinder that stands on a box (`types [5, 6]`: `reach-v3`, `push-v3`, `coffee-push-v3` and
  others of metaworld, `FetchSlide`, bricks in their boxes), ellipsoids and capsules that are searched
  to 1e-6 (`dog`, `humanoid_CMU`, `rodent`, `HandManipulateEgg`), hulls (`[5, 7]`, `[7, 7]` of
  robosuite and bricks), height fields (`quadruped/escape`, `rodent_escape_bowl`).
- **Solvers that stop at their tolerance.** Rows, contacts and smooth forces are equal, and the
  constraint forces differ by some 1e-9. A free body of some grams makes a large change of velocity of
  it. Both engines take such a step again with `tolerance` 0 and exact line searches: then they agree
  to 1e-8, which proves that both search the same solution. How far each was from it:

| task | steps | apart | ours from the solution | MuJoCo's |
|---|---|---|---|---|
| `bin-picking-v3` | 2 of 26,500 | 7.3e-8 | 2.3e-5 | 2.3e-5 |
| `box-close-v3` | 6 of 27,010 | 9.1e-6 | 9.1e-6 | 3.6e-8 |
| `peg-unplug-side-v3`, 60 actions | 41 | 6.2e-6 | 1.3e-6 | 6.2e-6 |
| `hammer-v3` | 53 of 26,500 | 1.6e-8 | 1.6e-8 | 8.2e-14 |
| `lift_brick`, `place_brick`, `place_cradle`, `stack_3_bricks` and two more of manipulation | 25 to 57 of 4,023 | 9.3e-8 | 9.3e-8 | 2.2e-14 |
| `stack_2_bricks` | 50 of 4,023 | 5.9e-5 | 2.8e-5 | 5.9e-5 |
| `stack_2_bricks_moveable_base` | 97 of 4,023 | 3.1e-4 | 3.1e-4 | 1.4e-4 |
| `AdroitHandHammer`, `AdroitHandPen` | 2 and 30 of 1,000 | 1.3e-6, 2.9e-6 | 1.3e-6, 8.3e-8 | 1.3e-6, 2.9e-6 |
| robosuite `Stack`, `NutAssembly` | 4 and 16 of 5,000 | 7.7e-7, 5.7e-5 | 7.7e-7, 2.2e-5 | 9.4e-15, 3.5e-5 |

Where MuJoCo is at the solution and this engine is 1e-7 away (the bricks), they start from other
points: here each island starts from the better of the last acceleration and the smooth one, MuJoCo
decides for all islands together. So an island whose last acceleration is good enough takes no
iteration here, and one there.

## MuJoCo's own tests

The tests of the package, run by `python -m cortenforge.mujoco -m pytest`; the last column is
without those that need flexes, plugins or OpenGL:

| | pass | of | without them |
|---|---|---|---|
| `bindings_test` | 131 | 153 | 128 of 150 |
| `rollout_test` | 62 | 69, and one is skipped | 62 of 69 |
| `batch_test` | 43 | 54 | 43 of 54 |
| these three | 236 | 276 | 233 of 273: 85.3% |
| `renderer_test` | 12 | 14 | the two are about contexts of OpenGL |

Those that fail, and why:

| tests | the reason |
|---|---|
| `mj_printSchema` (4), `mj_embedAssets`, `xml_dependencies`, `mjtopic_time_cmp_logs_compile_time` | functions that are absent: the schema is that of MuJoCo's own reader, assets are kept in a cache folder, and there are no logs of a C library |
| `can_raise_error`, `mj_step`, `realloc_con_efc`, `realloc_con_efc_failure_clears_counts`, `realloc_island`, `realloc_island_keeps_dual_and_metric_arrays`, `unallocated_arena_arrays_are_filled` | they look at the stack and the arena of the C library (`pstack`, `narena`, who owns an array, `_realloc_con_efc`, `efc_AR`) |
| `array_keeps_struct_alive` | counts references to the `base` of an array |
| `set_mju_user_malloc_and_free_reset` | memory is Python's |
| `docstrings`, `mj_step_multiple` | MuJoCo's texts of documentation |
| `bind_sequence_assignment`; `multi_model` of rollout (4) | `MjSpec` |
| `mj_contact_list` | writes `contact.H`, which is computed when it is read |
| `flg_gravcomp_and_surfacevel_properties` | sets flags that follow from the bodies |
| `mj_loadTexture` | pixels of a texture that is only a path |
| `data_sizes`, `intercept_mj_errors` of rollout; `count_outputs`, `error_messages` of batch | texts of errors |
| `threadpool_rejected` of rollout | `mju_threadpool` |
| `integer_arguments_checked`, `mask_ids`, `named_contype_and_pre_expanded_type_fields`, `private_binding_does_not_convert`, `rollout_checks_buffers` of batch | private names of the package (`_b`, `_ids`, `_structural`) |
| `callbacks_checked_on_construction`, `python_callbacks_rejected` of batch | callbacks in C |
| `expand_bvh_without_body_hierarchies`, `set_const_refits_body_hierarchies` of batch | bounding volumes, which all simulations share |
"""


def page() -> str:
    """`docs/mujoco.md`."""
    parts = [
        _fields("MjModel"),
        _fields("MjData"),
        _functions(),
    ]
    old = ", ".join(f"`m.{name}`" for name in model.OLD_FIELDS)
    old += ", " + ", ".join(f"`d.{name}`" for name in OLD_FIELDS)
    head = f"{HEAD}| {old} | fields of flexes that 4.0 dropped: empty |\n"
    return f"# Coming from MuJoCo\n\n<!-- {MADE_BY} -->\n{head}{TESTS}{''.join(parts)}"


def _fields(struct: str) -> str:
    """The partition of the fields of a struct."""
    classes = partition.field_classes(struct)
    return f"\n## Fields of {struct}\n{_partition(classes, struct)}"


def _functions() -> str:
    """The partition of functions."""
    return f"\n## Functions\n{_partition(partition.function_classes(), '')}"


def _partition(classes: Mapping[str, str], struct: str) -> str:
    """Counts, and the names of each class; absent ones by their reasons."""
    names: dict[str, list[str]] = {LIVE: [], EMPTY: [], ABSENT: []}
    for name, kind in classes.items():
        names[kind].append(name)
    lines = [f"\n{len(names[LIVE])} are live:\n\n{_listed(names[LIVE])}\n"]
    if names[EMPTY]:
        lines.append(
            f"\n{len(names[EMPTY])} are honestly empty, of size zero, since this engine has none of "
            f"what they describe:\n\n{_listed(names[EMPTY])}\n"
        )
    lines.append(f"\n{len(names[ABSENT])} are absent:\n\n| | |\n|---|---|\n")
    reasons: dict[str, list[str]] = defaultdict(list)
    for name in names[ABSENT]:
        reasons[partition.reason(name, struct)].append(name)
    lines += [f"| {_listed(listed)} | {reason} |\n" for reason, listed in reasons.items()]
    return "".join(lines)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def main() -> int:
    """Write or check the page."""
    text = page()
    if "--check" in sys.argv[1:]:
        current = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        if current != text:
            print(f"{PAGE.name} is not what docs/build_mujoco.py would write")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
