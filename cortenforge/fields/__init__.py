"""What exists: every array of Model and Data, declared once.

Allocation, struct layouts, attributes, state vectors, docs and type stubs all come from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cortenforge.fields.data_acceleration import (
    ACCELERATION,
    IMPLICIT,
    IMPLICIT_SCRATCH,
    METRIC,
    METRIC_SCRATCH,
    SENSOR,
)
from cortenforge.fields.data_acceleration import INTEGRATION_SCRATCH as INTEGRATION_SCRATCH
from cortenforge.fields.data_constraint import CONSTRAINT, CONSTRAINT_CAPACITIES
from cortenforge.fields.data_constraint import CONSTRAINT_SCRATCH as CONSTRAINT_SCRATCH
from cortenforge.fields.data_constraint import OWN_LIMIT as OWN_LIMIT
from cortenforge.fields.data_contact import CONTACT
from cortenforge.fields.data_contact import CONTACT_CAPACITIES as CONTACT_CAPACITIES
from cortenforge.fields.data_contact import CONTACT_SCRATCH as CONTACT_SCRATCH
from cortenforge.fields.data_convex import CONVEX_CAPACITIES
from cortenforge.fields.data_convex import CONVEX_SCRATCH as CONVEX_SCRATCH
from cortenforge.fields.data_position import ENERGY, POSITION
from cortenforge.fields.data_position import POSITION_SCRATCH as POSITION_SCRATCH
from cortenforge.fields.data_query import QUERY
from cortenforge.fields.data_soft import (
    SOFT_CAPACITIES,
    SOFT_DERIVED,
    SOFT_INPUT,
    SOFT_SCRATCH,
    SOFT_STATE,
)
from cortenforge.fields.data_solver import SOLVER, SOLVER_CAPACITIES
from cortenforge.fields.data_solver import SOLVER_SCRATCH as SOLVER_SCRATCH
from cortenforge.fields.data_state import INPUT, NOISE, PLASTIC, SLEEP, STATE, STATE_ALIAS
from cortenforge.fields.data_static import STATIC_CAPACITIES
from cortenforge.fields.data_static import STATIC_SCRATCH as STATIC_SCRATCH
from cortenforge.fields.data_status import BOUND, STATUS
from cortenforge.fields.data_velocity import OWN_VELOCITY as OWN_VELOCITY
from cortenforge.fields.data_velocity import VELOCITY
from cortenforge.fields.data_velocity import VELOCITY_SCRATCH as VELOCITY_SCRATCH
from cortenforge.fields.field import Field, table
from cortenforge.fields.model_actuator import ACTUATOR
from cortenforge.fields.model_asset import ASSET, ASSET_SIZES, PLACES
from cortenforge.fields.model_bvh import BOUNDS
from cortenforge.fields.model_mesh import MESH, MESH_SIZES
from cortenforge.fields.model_sensor import MODEL_SENSOR as MODEL_SENSOR
from cortenforge.fields.model_shape import SHAPE
from cortenforge.fields.model_skin import SKIN, SKIN_SIZES
from cortenforge.fields.model_soft import SOFT, SOFT_OPTION, SOFT_SIZES
from cortenforge.fields.model_tree import OPTION, STATISTIC, TREE
from cortenforge.fields.model_tree import TREE_SIZES as TREE_SIZES
from cortenforge.fields.model_wiring import WIRING
from cortenforge.fields.word_order import DATA_ORDER, MODEL_ORDER
from cortenforge.kernel.language.layout import Entry, StructLayout, word_positions

__all__ = [
    "CAPACITIES",
    "DATA_FIELDS",
    "DATA_LAYOUT",
    "ENGINE",
    "ENGINE_SIZES",
    "INPUT_FIELDS",
    "MODEL_CAPACITIES",
    "MODEL_FIELDS",
    "MODEL_LAYOUT",
    "PLACES",
    "SIZES",
    "STATE_FIELDS",
    "Field",
    "bindable",
    "data_layout",
    "place_of",
    "table",
]

#: what the engine keeps for itself in a Model; MuJoCo has no such fields
ENGINE: tuple[Field, ...] = (
    *table(
        "engine",
        "model",
        """
        missing      | int        |          | | How many features a step would need and does not have.
        version      | int        |          | | How often the model was looked at and found changed.
        sensing      | int        |          | | Groups of sensors to read, as bits; 0 if they are switched off.
        constraining | int        |          | | Kinds of constraints that there may be, as bits (step.constraint.kinds).
        nrun         | int        |          | | How many runs of bodies there are (step.sleeping.body_runs).
        runs         | int        | nbody 16 | | Of each run: its bodies, joints, dofs, geoms, sites, positions and moving geoms, its tree, and whether it is alone.
        called       | int        |          | | Callbacks that there are, as bits (step.callbacks).
        cam_focal    | real shared | ncam 2  | pixels | Focal lengths of cameras; 0 if the field of view decides.
        cam_centre   | real shared | ncam 2  | pixels | Where pictures of cameras are straight ahead.
        sensor_grid  | real shared | nsensor 6 | | Of a touch grid: columns and rows, field of view in degrees, gamma, channels.
        mesh_polydist | real shared | nmeshpoly | m | How far polygons of hulls are from the mesh's origin; 0 if no sensor asks.
        watched_now  | word alias | nfront   | | All watched fields, as words, and behind them those that say where static geoms are.
        watched_seen | word       | nfront   | | What they were when the model was last looked at.
        """,
    ),
    *table(
        "option",
        "model",
        """
        opt_strict | int | | | 1 if a solver that does not converge is an error (SolverFailed).
        """,
    ),
    *table(
        "factor",
        "model",
        """
        dof_runlength | int own | nv | | How many dofs the factor of M handles at once with this one.
        """,
    ),
    *table(
        "wrap",
        "model",
        """
        wrap_sideid | int own | nwrap | | Side site of a step around a geom, or -1.
        """,
    ),
    *table(
        "moment",
        "model",
        """
        actuator_kinds | int own |           | | Kinds of actuators with stages of their own, as bits.
        actuator_slots | int own | nactuator | | Activations that a PID, DC motor or Hill muscle has, as bits.
        moment_rownnz  | int | nout      | | Dofs that each force output can act on.
        moment_rowadr  | int | nout      | | Where its moment arms start.
        moment_colind  | int | nJmom     | | These dofs.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        tenseg_adr    | int | ntendon   | | First straight segment of a tendon's path.
        tenseg_num    | int | ntendon   | | How many segments the path may run along.
        tenseg_step   | int | ntenseg 2 | | Steps of the path at both ends: sites, or a geom that the path may touch.
        tenseg_bodyid | int | ntenseg 2 | | Bodies of these.
        tenseg_pulley | int | ntenseg   | | Step of the pulley that begins its branch, or -1.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        families         | int | | | Kinds of pairs among the candidates for contact, as bits.
        strangers        | int | | | How many candidates and flags are of a kind whose contacts are not there.
        candidate_geom   | int | ncandidate 2 | | Geoms that can touch; the type of the first is not the larger one.
        candidate_pair   | int | ncandidate   | | The pair of the description that says so, or -1.
        swept_sorted     | int | | | Whether geoms are put in order for a sweep.
        swept_in_lanes   | int | | | Whether worlds in lockstep sweep as well.
        swept_geom       | int | nswept       | | Geoms among which near pairs are found by a sweep.
        swept_word       | word | nswept       | | Those that follow and can touch, as bits; nothing where geoms are put in order.
        candidate_at     | int | nsweptpair   | | Candidate of two of these; of those that cannot touch, a bit beyond all.
        unlisted_shift   | int | | | Bits of a place in the sweep where pairs are too many to be listed; 0 where they are.
        unlisted_stride  | int | | | How many places so many bits have.
        type_family      | int | 9 9          | | Kind of pair by the types of both geoms, or -1.
        always_candidate | int | nalways      | | Candidates that no sweep finds: with planes, and of pairs.
        candidate_family | int | ncandidate   | | Which kind of pair it is (step.collision.families), or -1.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        static_version | int |         | | How often static geoms were found elsewhere, or of another size.
        static_differs | int |         | | Whether worlds of a batch may have static geoms at places of their own.
        static_geom    | int | nstatic | | Static geoms that are in a tree, in its order (step.collision.static_bvh).
        static_levels  | int |         | | How many levels of boxes the tree has.
        static_level   | int | 8       | | The first box of each level, from the spheres upward.
        static_first   | int |         | | The first number of a pair of a moving and a static geom.
        static_shift   | int |         | | Bits of the moving geom in such a number.
        static_stride  | int |         | | How many moving geoms so many bits have.
        moving_geom    | int | nmoving | | Geoms that are not static; none if there is no tree.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        geom_sdf        | int         | ngeom   |   | Distance function of a geom of type sdf (enums.SdfShape); 0 for others.
        geom_sdfprm     | real shared | ngeom 5 |   | Its parameters.
        geom_gridsize   | int         | ngeom 3 |   | Values of its grid along x, y and z.
        geom_gridadr    | int         | ngeom   |   | First value of its grid, among those of all grids.
        geom_gridcell   | real shared | ngeom   | m | Distance between values of its grid.
        geom_gridorigin | vec3 shared | ngeom   | m | Where the first value is, in the geom's frame.
        grid_data       | real shared | ngrid   | m | Signed distances of all grids, in the order Z-Y-X.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        hull_vertadr   | int         | nmesh         |   | First vertex of a mesh's hull, among those of all hulls.
        hull_vertnum   | int         | nmesh         |   | How many vertices the hull has.
        hull_vert      | vec3 shared | nhullvert     | m | Vertices of hulls, in the mesh's own frame.
        hull_vertid    | int         | nhullvert     |   | Which vertex of the mesh each of them is.
        hull_edgeadr   | int         | nhullvert     |   | First neighbour of a hull's vertex.
        hull_edgenum   | int         | nhullvert     |   | How many neighbours it has.
        hull_edge      | int         | nhulledge     |   | Neighbours, among the vertices of all hulls.
        hull_edgevert  | vec3 shared | nhulledge     | m | Where they are.
        hull_toward    | int         | nmesh 384     |   | Vertices of hulls farthest in directions through 6 x 8 x 8 cells of a cube, counted within the hull.
        hull_polypoint | vec3 shared | nmeshpolyvert | m | Vertices of the polygons of hulls, as mesh_polyvert lists them.
        """,
    ),
)
#: sizes of a Model that may change when it is looked at again
MODEL_CAPACITIES: dict[str, str] = {
    "ncandidate": "pairs of geoms that can touch",
    "nswept": "geoms among which near pairs are found by a sweep",
    "nsweptpair": "pairs of them that a table has",
    "nalways": "candidates that no sweep finds",
    "nnearword": "words with a bit for each candidate, if there is a sweep",
    "nstatic": "static geoms that are in a tree",
    "nmoving": "geoms that are not static, if others are in a tree",
    "ngrid": "signed distances of all grids",
}
#: sizes that follow from others, and that MuJoCo has no name for
ENGINE_SIZES: dict[str, str] = {
    "nstate": "numbers of the state",
    "nvpad": "degrees of freedom, rounded up to fours",
    "nsmallH": "entries of the Hessian of an island of at most 64 degrees of freedom",
    "nwatched": "words of fields whose changes are noticed",
    "nfront": "the same, with those that say where static geoms are",
    "nstaticpad": "static geoms that a tree may have, rounded up to sixteens",
    "nstaticbox": "boxes of such a tree",
    "ntenseg": "straight segments along which paths of tendons may run",
    "nhullvert": "vertices of all convex hulls",
    "nhulledge": "neighbours of all vertices of convex hulls",
    "nnoise": "numbers of the generator of noise: none if no sensor is noisy",
}
SIZES: dict[str, str] = {**TREE_SIZES, **ASSET_SIZES, **MESH_SIZES, **SKIN_SIZES, **SOFT_SIZES}
MODEL_FIELDS: tuple[Field, ...] = (
    *OPTION,
    *STATISTIC,
    *TREE,
    *SHAPE,
    *MESH,
    *SKIN,
    *ASSET,
    *BOUNDS,
    *WIRING,
    *ACTUATOR,
    *MODEL_SENSOR,
    *SOFT,
    *SOFT_OPTION,
    *ENGINE,
)
DATA_FIELDS: tuple[Field, ...] = (
    *STATE,
    *INPUT,
    *PLASTIC,
    *SLEEP,
    *NOISE,
    *SOFT_STATE,
    *SOFT_INPUT,
    *STATUS,
    *ENERGY,
    *POSITION,
    *VELOCITY,
    *OWN_VELOCITY,
    *ACCELERATION,
    *IMPLICIT,
    *SENSOR,
    *CONTACT,
    *CONSTRAINT,
    *OWN_LIMIT,
    *SOLVER,
    *STATE_ALIAS,
    *BOUND,
    *POSITION_SCRATCH,
    *CONTACT_SCRATCH,
    *STATIC_SCRATCH,
    *CONVEX_SCRATCH,
    *CONSTRAINT_SCRATCH,
    *QUERY,
    *VELOCITY_SCRATCH,
    *SOLVER_SCRATCH,
    *INTEGRATION_SCRATCH,
    *IMPLICIT_SCRATCH,
    *METRIC,
    *METRIC_SCRATCH,
    *SOFT_DERIVED,
    *SOFT_SCRATCH,
)
#: fields and sizes of a Model that MuJoCo has nothing of, beside those of the engine
EXTENSION_FIELDS = frozenset({*(field.name for field in (*SOFT, *SOFT_OPTION)), *SOFT_SIZES})
#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
CAPACITIES: dict[str, tuple[int, str]] = {
    **CONTACT_CAPACITIES,
    **CONVEX_CAPACITIES,
    **CONSTRAINT_CAPACITIES,
    **SOLVER_CAPACITIES,
    **SOFT_CAPACITIES,
    **STATIC_CAPACITIES,
}


def place_of(capacity: str) -> int:
    """By which number kernels ask for more of a capacity."""
    return list(CAPACITIES).index(capacity)


def _layout(
    name: str,
    sizes: Iterable[str],
    fields: Iterable[Field],
    order: Sequence[str],
    *,
    constant: bool,
) -> StructLayout:
    """
    order: names whose words are known; others follow these.
    """
    entries = [Entry(size, "size", (), True, 0, "world") for size in sizes]
    for f in fields:
        if f.in_kernels:
            entry = Entry(f.name, f.kind, f.trailing, f.is_scalar, 0, f.home)
            entries.append(replace(entry, differs=f.differs))
    words = word_positions((entry.name for entry in entries), order)
    placed = [replace(entry, word=words[entry.name]) for entry in entries]
    return StructLayout(name, placed, constant=constant)


def data_layout(name: str, fields: Iterable[Field], capacities: Iterable[str]) -> StructLayout:
    """How kernels see a Data of these fields and capacities."""
    return _layout(name, capacities, fields, DATA_ORDER.split(), constant=False)


MODEL_LAYOUT = _layout(
    "Model",
    [*SIZES, *ENGINE_SIZES, *MODEL_CAPACITIES],
    MODEL_FIELDS,
    MODEL_ORDER.split(),
    constant=True,
)
DATA_LAYOUT = data_layout("Data", DATA_FIELDS, CAPACITIES)
#: the state, and with the inputs all that a state vector holds, as they stand in memory
STATE_FIELDS: tuple[Field, ...] = tuple(f for f in DATA_FIELDS if f.role == "state")
INPUT_FIELDS: tuple[Field, ...] = tuple(f for f in DATA_FIELDS if f.role == "input")


def bindable(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Fields that a batch can give as `(n, ...)` arrays: derived reals that are in lanes."""
    return tuple(
        f
        for f in fields
        if f.role == "derived" and f.is_real and f.in_kernels and f.home == "lanes"
    )
