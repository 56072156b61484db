"""Model fields of contact pairs, excludes, equalities and tendons."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

WIRING: tuple[Field, ...] = (
    *table(
        "pair",
        "model",
        """
        pair_dim            | int editable | npair   |   | Contact dimension: 1, 3, 4 or 6.
        pair_geom1          | int          | npair   |   | Geom of the body with the lower id.
        pair_geom2          | int          | npair   |   | The other geom.
        pair_signature      | int          | npair   |   | Numbers of both bodies in one: body1 << 16 | body2.
        pair_solref         | real         | npair 2 |   | solref of the contacts, normal direction.
        pair_solreffriction | real         | npair 2 |   | solref of friction; 0 0 for that of the normal direction.
        pair_solimp         | real         | npair 5 |   | solimp of the contacts.
        pair_margin         | real         | npair   | m | Distance below which contacts are active.
        pair_gap            | real         | npair   | m | Distance beyond the margin up to which contacts are detected.
        pair_adhesion       | real         | npair   | N | Largest adhesive force of a contact.
        pair_friction       | real         | npair 5 |   | Friction: slide 1, slide 2, spin, roll 1, roll 2.
        """,
    ),
    *table(
        "exclude",
        "model",
        """
        exclude_signature | int | nexclude |  | Bodies that never touch: body1 << 16 | body2.
        """,
    ),
    *table(
        "equality",
        "model",
        """
        eq_type    | int           | neq    |  | Type (enums.EqualityType).
        eq_obj1id  | int           | neq    |  | First body, site, joint, tendon or geom.
        eq_obj2id  | int           | neq    |  | Second object, or -1.
        eq_objtype | int           | neq    |  | Type of the objects: 1 bodies, 5 geoms, 6 sites, 0 given by eq_type.
        eq_active0 | byte editable | neq    |  | Whether it is active after a reset.
        eq_solref  | real          | neq 2  |  | solref of the constraint.
        eq_solimp  | real          | neq 5  |  | solimp of the constraint.
        eq_data    | real          | neq 12 |  | Parameters by type: anchors and relative pose, polynomial, or distance.
        """,
    ),
    *table(
        "tendon",
        "model",
        """
        tendon_type          | int           | ntendon              |                    | Type (enums.TendonType).
        tendon_adr           | int           | ntendon              |                    | Address of its path.
        tendon_num           | int           | ntendon              |                    | Number of elements of its path.
        tendon_matid         | int editable at:nmat  | ntendon              |                    | Material, or -1.
        tendon_actuatorid    | int           | ntendon              |                    | Actuator that adds inertia or damping, or -1.
        tendon_group         | int editable  | ntendon              |                    | Group for visibility.
        tendon_plasticadr    | int           | ntendon              |                    | Address in the plastic state, or -1.
        tendon_treenum       | int           | ntendon              |                    | Number of kinematic trees along the path.
        tendon_treeid        | int           | ntendon 2            |                    | The first two of these trees, or -1.
        ten_J_rownnz         | int           | ntendon              |                    | Number of dofs that change its length.
        ten_J_rowadr         | int           | ntendon              |                    | Address of these dofs in ten_J_colind.
        ten_J_colind         | int           | nJten                |                    | Dofs of all tendons.
        tendon_limited       | byte editable | ntendon              |                    | Whether its length is limited.
        tendon_actfrclimited | byte editable | ntendon              |                    | Whether actuator forces are limited.
        tendon_width         | real          | ntendon              | m                  | Width for drawing.
        tendon_solref_lim    | real          | ntendon 2            |                    | solref of the limit constraint.
        tendon_solimp_lim    | real          | ntendon 5            |                    | solimp of the limit constraint.
        tendon_solref_fri    | real          | ntendon 2            |                    | solref of the friction loss constraint.
        tendon_solimp_fri    | real          | ntendon 5            |                    | solimp of the friction loss constraint.
        tendon_range         | real          | ntendon 2            | m or rad           | Limits of the length.
        tendon_actfrcrange   | real          | ntendon 2            | N or N m           | Limits of the actuator force.
        tendon_margin        | real          | ntendon              | m or rad           | Distance to a limit below which its constraint is active.
        tendon_stiffness     | real          | ntendon              | N/m or N m/rad     | Spring stiffness.
        tendon_stiffnesspoly | real          | ntendon 2            |                    | Quadratic and cubic spring coefficients.
        tendon_damping       | real          | ntendon              | N s/m or N m s/rad | Damping.
        tendon_dampingpoly   | real          | ntendon 2            |                    | Quadratic and cubic damping coefficients.
        tendon_armature      | real watched  | ntendon              | kg                 | Inertia of changes of length.
        tendon_frictionloss  | real watched  | ntendon              | N or N m           | Dry friction.
        tendon_lengthspring  | real          | ntendon 2            |                    | Interval of lengths in which the spring exerts no force.
        tendon_springyield   | real          | ntendon              |                    | Displacement at which the spring yields; 0 for never.
        tendon_length0       | real          | ntendon              | m or rad           | Length at qpos0.
        tendon_invweight0    | real          | ntendon              | 1/kg               | Inverse inertia at qpos0.
        tendon_user          | real          | ntendon nuser_tendon |                    | User numbers.
        tendon_rgba          | single        | ntendon 4            |                    | Colour.
        """,
    ),
    *table(
        "wrap",
        "model",
        """
        wrap_type  | int  | nwrap |  | Type of a path element (enums.WrapType).
        wrap_objid | int  | nwrap |  | Joint, site or geom; -1 for a pulley.
        wrap_prm   | real watched | nwrap |  | Coefficient of a joint, divisor of a pulley, or side site of a geom.
        """,
    ),
)
