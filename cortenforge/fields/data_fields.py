"""Data fields: the state, what users put in, and what each stage of a step works out."""

from __future__ import annotations

from cortenforge.fields.field import Field, rows

POSITION = "step.position"
VELOCITY = "step.velocity"
INTEGRATE = "step.integrate"
REPORT = "step.status step.pipeline"

STATE: tuple[Field, ...] = rows(
    "state",
    "state",
    ("time", "real", "", "Simulation time.", "s"),
    ("qpos", "real", "nq", "Position.", "m or rad"),
    ("qvel", "real", "nv", "Velocity.", "m/s or rad/s"),
    ("act", "real", "na", "Actuator activation."),
    ("history", "real", "nhistory", "Buffers of delays; not moved on yet."),
    ("qacc_warmstart", "real", "nv", "Acceleration from which the solver starts."),
)

INPUT: tuple[Field, ...] = rows(
    "input",
    "input",
    ("ctrl", "real", "nu", "Control."),
    ("qfrc_applied", "real", "nv", "Applied generalized force.", "N or N m"),
    ("xfrc_applied", "real", "nbody 6", "Force, then torque, applied at centres of mass."),
    ("eq_active", "real", "neq", "1 for equalities that hold, 0 for those that are off."),
    ("mocap_pos", "vec3", "nmocap", "Position of mocap bodies.", "m"),
    ("mocap_quat", "quat", "nmocap", "Orientation of mocap bodies."),
    ("userdata", "real", "nuserdata", "User numbers."),
)

#: behind the inputs, as in MuJoCo's vector of everything that integration needs
PLASTIC: tuple[Field, ...] = rows(
    "state",
    "state",
    ("plastic", "real", "nplastic", "Rest positions of springs that yield.", "m or rad"),
)

DERIVED: tuple[Field, ...] = (
    *rows(
        "status",
        "derived",
        ("status", "int", "", "What went wrong, or 0.", "", REPORT),
        ("status_index", "int", "", "Which qpos or dof it was.", "", REPORT),
        ("status_value", "real", "", "The offending number.", "", REPORT),
        ("steps_done", "int", "", "Steps of the last call.", "", "step.pipeline"),
    ),
    *rows(
        "energy",
        "derived",
        ("energy", "real", "2", "Potential and kinetic energy.", "J", "step.energy step.forward"),
    ),
    *rows(
        "position",
        "derived",
        ("xpos", "vec3", "nbody", "Origin of each body.", "m", f"{POSITION}.kinematics"),
        ("xquat", "quat", "nbody", "Orientation of each body.", "", f"{POSITION}.kinematics"),
        ("xmat", "mat3", "nbody", "Orientation of each body.", "", f"{POSITION}.kinematics"),
        ("xipos", "vec3", "nbody", "Centre of mass of each body.", "m", f"{POSITION}.frames"),
        ("xiquat", "quat", "nbody", "Principal axes of each body.", "", f"{POSITION}.frames"),
        ("ximat", "mat3", "nbody", "Principal axes of each body.", "", f"{POSITION}.frames"),
        ("xanchor", "vec3", "njnt", "Anchor of each joint.", "m", f"{POSITION}.kinematics"),
        ("xaxis", "vec3", "njnt", "Axis of each joint.", "", f"{POSITION}.kinematics"),
        ("geom_xpos", "vec3", "ngeom", "Position of each geom.", "m", f"{POSITION}.frames"),
        ("geom_xquat", "quat", "ngeom", "Orientation of each geom.", "", f"{POSITION}.frames"),
        ("geom_xmat", "mat3", "ngeom", "Orientation of each geom.", "", f"{POSITION}.frames"),
        ("site_xpos", "vec3", "nsite", "Position of each site.", "m", f"{POSITION}.frames"),
        ("site_xquat", "quat", "nsite", "Orientation of each site.", "", f"{POSITION}.frames"),
        ("site_xmat", "mat3", "nsite", "Orientation of each site.", "", f"{POSITION}.frames"),
        ("cam_xpos", "vec3", "ncam", "Position of each camera.", "m", f"{POSITION}.cameras"),
        ("cam_xmat", "mat3", "ncam", "Orientation of each camera.", "", f"{POSITION}.cameras"),
        ("light_xpos", "vec3", "nlight", "Position of each light.", "m", f"{POSITION}.cameras"),
        ("light_xdir", "vec3", "nlight", "Direction of each light.", "", f"{POSITION}.cameras"),
        ("subtree_com", "vec3", "nbody", "Centre of each subtree.", "m", f"{POSITION}.com"),
        ("cdof", "spatial", "nv", "Motion axis of each dof.", "", f"{POSITION}.com"),
        ("cinert", "inertia", "nbody", "Inertia about the tree's centre.", "", f"{POSITION}.com"),
        ("crb", "inertia", "nbody", "Inertia of each subtree.", "", f"{POSITION}.inertia"),
        ("M", "real", "nC", "Joint-space inertia, CSR, lower half.", "", f"{POSITION}.inertia"),
        ("qLD", "real", "nC", "L'DL factor of M.", "", f"{POSITION}.inertia"),
        ("qLDiagInv", "real", "nv", "Inverse of D.", "", f"{POSITION}.inertia"),
    ),
    *rows(
        "velocity",
        "derived",
        ("cvel", "spatial", "nbody", "Velocity of each body.", "", f"{VELOCITY}.com_velocity"),
        ("cdof_dot", "spatial", "nv", "Change of cdof.", "1/s", f"{VELOCITY}.com_velocity"),
        ("qfrc_bias", "real", "nv", "Coriolis, centrifugal, gravity.", "", f"{VELOCITY}.bias"),
        ("qfrc_spring", "real", "nv", "Spring force.", "N or N m", f"{VELOCITY}.passive"),
        ("qfrc_damper", "real", "nv", "Damping force.", "N or N m", f"{VELOCITY}.passive"),
        ("qfrc_gravcomp", "real", "nv", "Gravity compensation.", "", f"{VELOCITY}.passive"),
        (
            "qfrc_fluid",
            "real",
            "nv",
            "Force of the medium.",
            "N or N m",
            f"{VELOCITY}.passive {VELOCITY}.fluid",
        ),
        ("qfrc_passive", "real", "nv", "All passive forces.", "", f"{VELOCITY}.passive"),
        ("subtree_linvel", "vec3", "nbody", "Velocity of each subtree.", "m/s", "step.momentum"),
        ("subtree_angmom", "vec3", "nbody", "Its angular momentum.", "kg m^2/s", "step.momentum"),
    ),
    *rows(
        "acceleration",
        "derived",
        ("qacc", "real", "nv", "Acceleration.", "m/s^2", f"step.acceleration {INTEGRATE}.rk4"),
        ("qH", "real", "nC", "L'DL factor of M with damping.", "", f"{INTEGRATE}.euler"),
        ("qHDiagInv", "real", "nv", "Inverse of its D.", "", f"{INTEGRATE}.euler"),
        ("qfrc_actuator", "real", "nv", "Actuator force; zero until there are actuators."),
        ("qfrc_smooth", "real", "nv", "All forces but constraints.", "", "step.acceleration"),
        ("qacc_smooth", "real", "nv", "Acceleration without constraints.", "", "step.acceleration"),
        ("qfrc_constraint", "real", "nv", "Constraint force; zero until there are constraints."),
    ),
    *rows(
        "sensor",
        "derived",
        ("sensordata", "real", "nsensordata", "Readings of sensors; zero until they are computed."),
    ),
)

SCRATCH: tuple[Field, ...] = rows(
    "scratch",
    "scratch",
    ("jnt_turn", "quat", "njnt", "Rotation in each joint.", "", f"{POSITION}.kinematics"),
    ("rne_cacc", "spatial", "nbody", "Acceleration of each body.", "", f"{VELOCITY}.bias"),
    ("rne_cfrc", "spatial", "nbody", "Force on each body.", "", f"{VELOCITY}.bias"),
    ("body_xvel", "spatial", "nbody", "Velocity at each centre of mass.", "", "step.momentum"),
    ("euler_qacc", "real", "nv", "Acceleration with damping.", "", f"{INTEGRATE}.euler"),
    ("rk4_qpos", "real", "nq", "Position at the start of the step.", "", f"{INTEGRATE}.rk4"),
    ("rk4_qvel", "real", "nv 4", "Velocity at each stage.", "", f"{INTEGRATE}.rk4"),
    ("rk4_rate", "real", "nv 4", "Rate of position at each stage.", "", f"{INTEGRATE}.rk4"),
    ("rk4_qacc", "real", "nv 4", "Acceleration at each stage.", "", f"{INTEGRATE}.rk4"),
    ("rk4_dqpos", "real", "nv", "Weighted rate of position.", "", f"{INTEGRATE}.rk4"),
    ("rk4_dqvel", "real", "nv", "Weighted acceleration.", "", f"{INTEGRATE}.rk4"),
)

#: scratch of eight worlds in lockstep: which have failed, and the states they failed from
LOCKSTEP: tuple[Field, ...] = rows(
    "lockstep",
    "scratch",
    ("fault", "real", "", "1 in worlds that have failed.", "", "batch.lockstep"),
    ("taken", "real", "", "Steps that each world has completed.", "", "batch.lockstep"),
    ("safe_time", "real", "", "Time before the failing step.", "s", "batch.lockstep"),
    ("safe_qpos", "real", "nq", "Position before the failing step.", "", "batch.lockstep"),
    ("safe_qvel", "real", "nv", "Velocity before the failing step.", "", "batch.lockstep"),
    ("safe_qacc", "real", "nv", "Warm start before the failing step.", "", "batch.lockstep"),
)
