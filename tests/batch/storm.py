"""All pairs of public calls at the same time; run as a script, since what is wrong here may crash.

shared: both threads call one object: each call works, or raises an error of the family, and the
        object is as good as new afterwards.
own:    each thread has its own objects of one model: every call gives what it gives alone.
"""

from __future__ import annotations

import hashlib
import inspect
import itertools
import pickle
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from cortenforge.model.access.views import NamedObjects

MODEL = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="side" pos="0 -2 0.5" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" range="-1 1" limited="true" damping="0.1"/>
      <geom name="rod" type="capsule" size="0.05" fromto="0 0 0 0.4 0 0"/>
      <site name="tip" pos="0.4 0 0"/>
    </body>
    <body name="one" pos="0 0 0.15">
      <freejoint/><geom name="first" type="box" size=".1 .1 .1"/>
    </body>
    <body name="two" pos="0.05 0 0.36"><freejoint/><geom name="second" size=".1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" nsample="3" delay="0.01"/></actuator>
  <sensor><jointpos name="angle" joint="hinge" noise="0.1" nsample="3" delay="0.01"/></sensor>
  <keyframe><key name="there" qpos="0.2 0 0 .15 1 0 0 0 .05 0 .36 1 0 0 0"/></keyframe>
</mujoco>
"""
Call = Callable[[Any], Any]
FOLDER = Path(tempfile.mkdtemp())


def saved(data: Any, count: Any = itertools.count()) -> None:  # noqa: B008 a file for each call
    """A file, written and removed."""
    file = FOLDER / f"{next(count)}.npz"
    data.save(file)
    file.unlink()


#: every public method and property of a Data that does more than hand out views
EVERY: dict[str, Call] = {
    "step": lambda d: d.step(3),
    "forward": lambda d: d.forward(),
    "use_model": lambda d: d.use_model(d.model),
    "step1": lambda d: d.step1(),
    "step2": lambda d: d.step2(),
    "inverse": lambda d: d.inverse(),
    "collide": lambda d: d.collide(),
    "collision_report": lambda d: str(d.collision_report())[:1],
    "geom_distance": lambda d: d.geom_distance("first", "second").dist,
    "explain": lambda d: d.explain(),
    "explain_contact": lambda d: str(d.explain_contact(0)) if d.ncon else "",
    "contact": lambda d: d.contact.dist.copy(),
    "contacts_between": lambda d: len(d.contacts_between("one", "two")),
    "contact_force": lambda d: d.contact_force(0) if d.ncon else 0,
    "contact_forces": lambda d: d.contact_forces(),
    "efc_J": lambda d: d.efc_J.copy(),
    "subtree_momentum": lambda d: d.subtree_momentum(),
    "interaction_forces": lambda d: d.interaction_forces(),
    "ray": lambda d: d.ray([0, 0, 2], [0, 0, -1]).dist,
    "multi_ray": lambda d: d.multi_ray([0, 0, 2], [[0, 0, -1], [0.1, 0, -1]]).dist,
    "reset": lambda d: d.reset(),
    "reset_to_keyframe": lambda d: d.reset_to_keyframe("there"),
    "to_keyframe": lambda d: None if d.time else d.to_keyframe("there"),
    "keyframe": lambda d: str(d.keyframe())[:0],
    "seed_noise": lambda d: d.seed_noise(3),
    "copy": lambda d: d.copy().digest(),
    "pickle": lambda d: pickle.loads(pickle.dumps(d)).digest(),
    "get_state": lambda d: d.get_state().vector,
    "set_state": lambda d: d.set_state(d.get_state()),
    "save": saved,
    "load": lambda d: d.load(FOLDER / "start.npz"),
    "render": lambda d: d.render("side", width=8, height=6),
    "digest": lambda d: d.digest(),
    "transition_derivatives": lambda d: d.transition_derivatives().A,
    "inverse_derivatives": lambda d: d.inverse_derivatives().dq,
    "smooth_velocity_derivative": lambda d: d.smooth_velocity_derivative(),
    "smooth_position_derivative": lambda d: d.smooth_position_derivative(),
    "jac": lambda d: d.jac([0, 0, 1], "arm").jacp,
    "jac_body": lambda d: d.jac_body("arm").jacp,
    "jac_body_com": lambda d: d.jac_body_com("arm").jacp,
    "jac_geom": lambda d: d.jac_geom("rod").jacp,
    "jac_site": lambda d: d.jac_site("tip").jacp,
    "jac_subtree_com": lambda d: d.jac_subtree_com("arm"),
    "jac_dot": lambda d: d.jac_dot([0, 0, 1], "arm").jacp,
    "mul_M": lambda d: d.mul_M(np.ones(13)),
    "solve_M": lambda d: d.solve_M(np.ones(13)),
    "full_M": lambda d: d.full_M(),
    "object_velocity": lambda d: d.object_velocity("site", "tip"),
    "object_acceleration": lambda d: d.object_acceleration("site", "tip"),
    "apply_ft": lambda d: d.apply_ft([0, 0, 1], [0, 0, 0], [0, 0, 1], "arm"),
    "read_ctrl": lambda d: d.read_ctrl("motor"),
    "read_sensor": lambda d: d.read_sensor("angle"),
    "init_ctrl_history": lambda d: d.init_ctrl_history("motor", np.zeros(3)),
    "init_sensor_history": lambda d: d.init_sensor_history("angle", np.zeros(3)),
    "register_deformable": lambda d: None if d.model.nsoft else d.register_deformable(CLOTH),
    "deformable": lambda d: d.deformable(0).positions.copy() if d.model.nsoft else 0,
    "tree_awake": lambda d: d.tree_awake,
    "ntree_awake": lambda d: d.ntree_awake,
    "body_awake": lambda d: d.body_awake,
    "nbody_awake": lambda d: d.nbody_awake,
    "nv_awake": lambda d: d.nv_awake,
    "solver_nnz": lambda d: d.solver_nnz.copy(),
}
#: calls that are much alike, which are made one after another
GROUPS = {
    "queries": [
        "jac",
        "jac_body",
        "jac_body_com",
        "jac_geom",
        "jac_site",
        "jac_subtree_com",
        "jac_dot",
        "mul_M",
        "solve_M",
        "full_M",
        "object_velocity",
        "object_acceleration",
        "apply_ft",
    ],
    "reading": [
        "get_state",
        "digest",
        "keyframe",
        "explain",
        "explain_contact",
        "contact",
        "contacts_between",
        "contact_force",
        "contact_forces",
        "efc_J",
        "tree_awake",
        "ntree_awake",
        "body_awake",
        "nbody_awake",
        "nv_awake",
        "deformable",
        "read_ctrl",
        "read_sensor",
    ],
    "writing": [
        "to_keyframe",
        "seed_noise",
        "set_state",
        "init_ctrl_history",
        "init_sensor_history",
    ],
    "parts of steps": ["use_model", "step1", "step2", "subtree_momentum", "interaction_forces"],
    "derivatives": [
        "smooth_velocity_derivative",
        "smooth_position_derivative",
        "inverse_derivatives",
    ],
    "collision": ["collide", "collision_report", "geom_distance"],
}
GROUPED = {name for names in GROUPS.values() for name in names}


def one_by_one(names: list[str]) -> Call:
    """Several calls as one."""
    return lambda d: [EVERY[name](d) for name in names][-1]


DATA: dict[str, Call] = {
    **{name: call for name, call in EVERY.items() if name not in GROUPED},
    **{name: one_by_one(names) for name, names in GROUPS.items()},
}
CLOTH = cf.Cloth.grid(3, 3, (0.1, 0.1), pos=(0, 0, 3))


def bound_and_unbound(batch: cf.BatchSim) -> np.ndarray:
    """A table of this call alone."""
    table = np.zeros((batch.n, 3))
    batch.bind("xpos[1]", into=table)
    batch.unbind(table)
    return table


BATCH: dict[str, Call] = {
    "step_all": lambda b: b.step_all(2),
    "forward_all": lambda b: b.forward_all(),
    "forward_where": lambda b: b.forward_where(np.ones(b.n, bool)),
    "error_codes": lambda b: b.error_codes,
    "unbind": bound_and_unbound,
    "inverse_all": lambda b: (b.bind("qacc", "qfrc_inverse"), b.inverse_all())[0],
    "bind": lambda b: b.bind("xpos", "qacc"),
    "expand": lambda b: b.expand("body_mass", "opt_gravity"),
    "randomize": lambda b: b.randomize("dof_damping", scale=(0.5, 2.0)),
    "set_const": lambda b: b.set_const(),
    "save": saved,
    "load": lambda b: b.load(FOLDER / "batch.npz"),
    "transition_derivatives": lambda b: b.transition_derivatives().A,
    "env": lambda b: b.env(1).copy().digest(),
    "envs": lambda b: len(list(b.envs())),
    "copy": lambda b: b.copy().get_states()[0],
    "render": lambda b: b.render("side", width=8, height=6),
    "reset": lambda b: b.reset(0),
    "reset_where": lambda b: b.reset_where(np.ones(b.n, bool)),
    "reset_all": lambda b: b.reset_all(),
    "seed_noise": lambda b: b.seed_noise(3),
    "get_states": lambda b: b.get_states(),
    "set_states": lambda b: b.set_states(b.get_states()),
    "rollout": lambda b: b.rollout(b.get_states(), np.zeros((2, 1)), progress=False).states,
    "nbytes": lambda b: b.nbytes,
    "bytes_per_world": lambda b: b.bytes_per_world,
    "parameters": lambda b: list(b.parameters),
}
MODELS: dict[str, Call] = {
    "make_data": lambda m: m.make_data().digest(),
    "copy": lambda m: m.copy().hash,
    "set_const": lambda m: m.set_const(),
    "supported": lambda m: m.supported(),
    "set_length_range": lambda m: m.set_length_range(),
    "integrate_pos": lambda m: m.integrate_pos(m.qpos0, np.ones(m.nv), 0.1),
    "differentiate_pos": lambda m: m.differentiate_pos(m.qpos0, m.qpos0, 0.1),
    "sdf_at": lambda m: m.sdf_at("first", [[0, 0, 1.0]]).distance,
    "with_deformables": lambda m: m.with_deformables([CLOTH]).nsoft,
    "callbacks": lambda m: setattr(m.callbacks, "sensor", None),
}
RENDERER: dict[str, Call] = {
    "render": lambda r: r.render(r.own, "side"),
    "depth": lambda r: r.render(r.own, "side", mode="depth"),
}
#: what only looks things up and hands out views, or needs what this model or batch does not have
VIEWS = {
    *vars(NamedObjects),
    *("restart_where", "seed"),
    *(
        "name_of",
        "id_of",
        "numeric",
        "text",
        "tuple",
        "eq",
        "keyframe",
        "mat",
        "tex",
        "hfield_at",
        "set_sdf",
        "sdf_grid",
    ),
    *("pair", "exclude", "equality", "key", "hfield", "texture", "material", "mesh", "skin"),
}


def check_complete(kind: type, table: dict[str, Call]) -> None:
    """Every public method and property is in the table."""
    found = {
        name
        for name, member in inspect.getmembers(kind)
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
    }
    missing = found - set(table) - VIEWS
    assert not missing, f"{kind.__name__}: {sorted(missing)}"


class Pair:
    """Two threads that take calls at the same time."""

    def __init__(self) -> None:
        self.barrier = threading.Barrier(3, timeout=120)
        self.jobs: list[Callable[[], Any]] = [lambda: None, lambda: None]
        self.results: list[Any] = [None, None]
        for k in range(2):
            threading.Thread(target=self._work, args=(k,), daemon=True).start()

    def _work(self, k: int) -> None:
        while True:
            self.barrier.wait()
            try:
                self.results[k] = self.jobs[k]()
            except BaseException as error:
                self.results[k] = error
            self.barrier.wait()

    def run(self, first: Callable[[], Any], second: Callable[[], Any]) -> list[Any]:
        """What both gave, or raised."""
        self.jobs = [first, second]
        self.barrier.wait()
        self.barrier.wait()
        return self.results


def repeated(call: Call, thing: Any, times: int) -> Callable[[], Any]:
    """A call several times; what it gave last, or the first error."""

    def work() -> Any:
        found = None
        for _ in range(times):
            found = call(thing)
        return found

    return work


def print_of(found: Any) -> str:
    """A result by its bits."""
    if isinstance(found, BaseException):
        return repr(found)
    array = np.asarray(found)
    return hashlib.sha256(array.tobytes()).hexdigest() if array.dtype != object else repr(found)


def loaded() -> cf.Model:
    """The model, with files of its states."""
    model = cf.Model.from_mjcf(MODEL)
    model.make_data().save(FOLDER / "start.npz")
    cf.BatchSim(model, 9, threads=1).save(FOLDER / "batch.npz")
    return model


def drawn(model: cf.Model) -> cf.Renderer:
    """A renderer with a world."""
    made = cf.Renderer(model, width=8, height=6)
    made.__dict__["own"] = model.make_data()
    return made


def shared() -> None:
    """One object, two threads."""
    pair = Pair()
    makers: dict[str, tuple[Callable[[], Any], dict[str, Call], Callable[[Any], str]]] = {
        "Data": (lambda: loaded().make_data(), DATA, fresh_data),
        "BatchSim": (lambda: cf.BatchSim(loaded(), 9, threads=2), BATCH, fresh_batch),
        "Renderer": (lambda: drawn(loaded()), RENDERER, lambda r: print_of(r.render(r.own))),
        "Model": (loaded, MODELS, lambda m: fresh_data(m.make_data())),
    }
    for name, (make, table, look) in makers.items():
        expected, thing = look(make()), make()
        for (one, first), (two, second) in itertools.combinations_with_replacement(
            table.items(), 2
        ):
            if "register_deformable" in (one, two) or "callbacks" in (one, two):
                thing = make()
            for found in pair.run(repeated(first, thing, 2), repeated(second, thing, 2)):
                if isinstance(found, BaseException):
                    assert isinstance(found, cf.CortenForgeError), (name, one, two, repr(found))
        if name != "Data":
            assert look(make()) == expected, name
        thing = make() if name == "Data" and thing.model.nsoft else thing
        assert look(thing) == expected, name


def fresh_data(data: cf.Data) -> str:
    """A world from its start."""
    data.noise[:] = 0
    data.reset()
    data.step(20)
    return data.digest()


def fresh_batch(batch: cf.BatchSim) -> str:
    """Worlds from their start."""
    batch.noise[:] = 0
    batch.reset_all()
    batch.expand("dof_damping", "body_mass", "opt_gravity")
    for name in batch.parameters:
        batch.parameters[name] = getattr(batch.model, name)
    batch.step_all(20)
    return print_of(batch.get_states())


def own() -> None:
    """Two objects of one model, two threads: what each gives alone, each gives beside the other."""
    pair, model = Pair(), loaded()
    kinds: dict[str, tuple[Callable[[], Any], dict[str, Call]]] = {
        "Data": (model.make_data, DATA),
        "BatchSim": (lambda: cf.BatchSim(model, 9, threads=2), BATCH),
        "Renderer": (lambda: drawn(model), RENDERER),
        "Model": (lambda: model, MODELS),
    }
    calls = [(kind, name) for kind, (_, table) in kinds.items() for name in table]
    alone = {
        (kind, name): print_of(repeated(kinds[kind][1][name], kinds[kind][0](), 2)())
        for kind, name in calls
    }
    # a batch, a renderer and the model beside everything; worlds beside the one that steps
    pairs = [
        (one, two)
        for one, two in itertools.combinations_with_replacement(calls, 2)
        if "BatchSim" != one[0] != "Data" or one[1] in ("step", "step_all", "render", "expand")
    ]
    for one, two in pairs:
        jobs = [repeated(kinds[kind][1][name], kinds[kind][0](), 2) for kind, name in (one, two)]
        found = [print_of(result) for result in pair.run(*jobs)]
        assert found == [alone[one], alone[two]], (one, two, found)


if __name__ == "__main__":
    for kind, table in ((cf.Data, EVERY), (cf.BatchSim, BATCH), (cf.Model, MODELS)):
        check_complete(kind, table)
    {"shared": shared, "own": own}[sys.argv[1]]()
    print("weathered")
