"""Field tables: every array of Model and Data, declared once.

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

#: group of fields that only the engine uses in a Model; MuJoCo has no such fields
ENGINE: tuple[Field, ...] = (
    *table(
        "engine",
        "model",
        """
        missing      | int        |          | | Number of required features that are not supported.
        version      | int        |          | | Number of changes of the model that were processed.
        sensing      | int        |          | | Groups of sensors to evaluate, as bits; 0 if sensors are disabled.
        constraining | int        |          | | Kinds of constraints that the model can have, as bits (step.constraint.kinds).
        nrun         | int        |          | | Number of runs of bodies (step.sleeping.body_runs).
        runs         | int        | nbody 16 | | Ranges of each run (bodies, joints, dofs, geoms, sites, positions, moving geoms), its tree, and whether it is independent.
        called       | int        |          | | Callbacks that are set, as bits (step.callbacks).
        cam_focal    | real shared | ncam 2  | pixels | Focal lengths of cameras; 0 if the field of view is used.
        cam_centre   | real shared | ncam 2  | pixels | Principal points of cameras.
        sensor_grid  | real shared | nsensor 6 | | Parameters of a touch grid: columns and rows, field of view in degrees, gamma, channels.
        mesh_polydist | real shared | nmeshpoly | m | Distances of hull polygons from the mesh's origin; 0 if no sensor needs them.
        watched_now  | word alias | nfront   | | All watched fields, as words, followed by those on which poses of static geoms depend.
        watched_seen | word       | nfront   | | Copy of these words at the last refresh of the model.
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
        dof_runlength | int own | nv | | Number of dofs that the factorisation of M processes together with this one.
        """,
    ),
    *table(
        "wrap",
        "model",
        """
        wrap_sideid | int own | nwrap | | Side site of a wrapping geom, or -1.
        """,
    ),
    *table(
        "moment",
        "model",
        """
        actuator_kinds | int own |           | | Kinds of actuators with stages of their own, as bits.
        actuator_slots | int own | nactuator | | Activations that a PID controller, DC motor or Hill muscle has, as bits.
        moment_rownnz  | int | nout      | | Number of dofs that each force output can act on.
        moment_rowadr  | int | nout      | | Address of its moment arms.
        moment_colind  | int | nJmom     | | Dofs of all moment arms.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        tenseg_adr    | int | ntendon   | | First straight segment of a tendon's path.
        tenseg_num    | int | ntendon   | | Number of segments that the path may have.
        tenseg_step   | int | ntenseg 2 | | Path elements at both ends of a segment: sites, or a wrapping geom.
        tenseg_bodyid | int | ntenseg 2 | | Bodies of both ends of a segment.
        tenseg_pulley | int | ntenseg   | | Path element of the pulley that begins its branch, or -1.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        families         | int | | | Families of the candidate pairs, as bits (step.collision.families).
        strangers        | int | | | Number of candidate pairs and flags without a collision function.
        candidate_geom   | int | ncandidate 2 | | Geoms of candidate pairs; the type of the first is not larger.
        candidate_pair   | int | ncandidate   | | Explicit pair of a candidate, or -1.
        swept_sorted     | int | | | Whether the sweep sorts geoms.
        swept_in_lanes   | int | | | Whether worlds in lockstep use the sweep.
        swept_geom       | int | nswept       | | Geoms of the sweep.
        swept_word       | word | nswept       | | Following geoms with which a geom is a candidate, as bits; empty if geoms are sorted.
        candidate_at     | int | nsweptpair   | | Candidate of two geoms of the sweep; one past all candidates if they cannot collide.
        unlisted_shift   | int | | | Bits of a place in the sweep, in numbers of unlisted pairs; 0 if all pairs are listed.
        unlisted_stride  | int | | | Number of places that these bits can hold.
        type_family      | int | 9 9          | | Family of a pair by both geom types, or -1.
        always_candidate | int | nalways      | | Candidates that the sweep does not find: with planes, and explicit pairs.
        candidate_family | int | ncandidate   | | Family of a candidate (step.collision.families), or -1.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        static_version | int |         | | Number of changes of poses or sizes of static geoms.
        static_differs | int |         | | Whether worlds of a batch may have different poses of static geoms.
        static_geom    | int | nstatic | | Static geoms in the order of their tree (step.collision.static_bvh).
        static_levels  | int |         | | Number of levels of boxes in the tree.
        static_level   | int | 8       | | First box of each level, from the leaves upward.
        static_first   | int |         | | First number of pairs of a moving and a static geom.
        static_shift   | int |         | | Bits of the moving geom in such a number.
        static_stride  | int |         | | Number of moving geoms that these bits can hold.
        moving_geom    | int | nmoving | | Geoms that are not static; empty if there is no tree.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        geom_sdf        | int         | ngeom   |   | Distance function of a geom of type sdf (enums.SdfShape); 0 for others.
        geom_sdfprm     | real shared | ngeom 5 |   | Parameters of the distance function.
        geom_gridsize   | int         | ngeom 3 |   | Number of grid values along x, y and z.
        geom_gridadr    | int         | ngeom   |   | First value of its grid, among those of all grids.
        geom_gridcell   | real shared | ngeom   | m | Distance between grid values.
        geom_gridorigin | vec3 shared | ngeom   | m | Position of the first value, in the geom's frame.
        grid_data       | real shared | ngrid   | m | Signed distances of all grids, in the order Z-Y-X.
        """,
    ),
    *table(
        "engine",
        "model",
        """
        hull_vertadr   | int         | nmesh         |   | First vertex of a mesh's hull, among those of all hulls.
        hull_vertnum   | int         | nmesh         |   | Number of vertices of the hull.
        hull_vert      | vec3 shared | nhullvert     | m | Vertices of hulls, in the mesh's frame.
        hull_vertid    | int         | nhullvert     |   | Vertex of the mesh for each vertex of a hull.
        hull_edgeadr   | int         | nhullvert     |   | First neighbour of a hull's vertex.
        hull_edgenum   | int         | nhullvert     |   | Number of neighbours.
        hull_edge      | int         | nhulledge     |   | Neighbours, among the vertices of all hulls.
        hull_edgevert  | vec3 shared | nhulledge     | m | Positions of these neighbours.
        hull_toward    | int         | nmesh 384     |   | Support vertices of hulls for directions through 6 x 8 x 8 cells of a cube, counted within the hull.
        hull_polypoint | vec3 shared | nmeshpolyvert | m | Vertices of the polygons of hulls, in the order of mesh_polyvert.
        """,
    ),
)
#: sizes of a Model that may change at a refresh
MODEL_CAPACITIES: dict[str, str] = {
    "ncandidate": "candidate pairs of geoms",
    "nswept": "geoms of the sweep",
    "nsweptpair": "entries of the table of their pairs",
    "nalways": "candidates that the sweep does not find",
    "nnearword": "words with a bit for each candidate, if the model uses the sweep",
    "nstatic": "static geoms in the tree",
    "nmoving": "geoms that are not static, if there is a tree",
    "ngrid": "signed distances of all grids",
}
#: sizes that follow from others, without a name in MuJoCo
ENGINE_SIZES: dict[str, str] = {
    "nstate": "numbers of the state",
    "nvpad": "degrees of freedom, rounded up to fours",
    "nsmallH": "entries of the Hessian of an island of at most 64 degrees of freedom",
    "nwatched": "words of watched fields",
    "nfront": "words of watched fields, and of those on which poses of static geoms depend",
    "nstaticpad": "largest number of static geoms in the tree, rounded up to sixteens",
    "nstaticbox": "boxes of the tree",
    "ntenseg": "straight segments of tendon paths",
    "nhullvert": "vertices of all convex hulls",
    "nhulledge": "neighbours of all vertices of convex hulls",
    "nnoise": "numbers of the noise generator; 0 if no sensor has noise",
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
#: capacities of a Data, which may grow: name -> (initial value, meaning)
CAPACITIES: dict[str, tuple[int, str]] = {
    **CONTACT_CAPACITIES,
    **CONVEX_CAPACITIES,
    **CONSTRAINT_CAPACITIES,
    **SOLVER_CAPACITIES,
    **SOFT_CAPACITIES,
    **STATIC_CAPACITIES,
}


def place_of(capacity: str) -> int:
    """Number of a capacity in calls of `need`."""
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
    """Layout for kernels of a Data with these fields and capacities."""
    return _layout(name, capacities, fields, DATA_ORDER.split(), constant=False)


MODEL_LAYOUT = _layout(
    "Model",
    [*SIZES, *ENGINE_SIZES, *MODEL_CAPACITIES],
    MODEL_FIELDS,
    MODEL_ORDER.split(),
    constant=True,
)
DATA_LAYOUT = data_layout("Data", DATA_FIELDS, CAPACITIES)
#: fields of the state; with the inputs, those of a state vector, in the order of memory
STATE_FIELDS: tuple[Field, ...] = tuple(f for f in DATA_FIELDS if f.role == "state")
INPUT_FIELDS: tuple[Field, ...] = tuple(f for f in DATA_FIELDS if f.role == "input")


def bindable(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Fields that a batch can give as `(n, ...)` arrays: derived reals that are in lanes."""
    return tuple(
        f
        for f in fields
        if f.role == "derived" and f.is_real and f.in_kernels and f.home == "lanes"
    )
