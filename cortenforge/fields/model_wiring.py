"""Model fields of what refers to the tree: contact pairs, excludes, equalities, tendons."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

WIRING: tuple[Field, ...] = (
    *table(
        "pair",
        "model",
        """
        pair_dim            | int editable | npair   |   | Contact dimension: 1, 3, 4 or 6.
        pair_geom1          | int          | npair   |   | Geom on the body with the lower number.
        pair_geom2          | int          | npair   |   | The other geom.
        pair_signature      | int          | npair   |   | Numbers of both bodies in one: body1 << 16 | body2.
        pair_solref         | real         | npair 2 |   | Reference of the contacts, normal direction.
        pair_solreffriction | real         | npair 2 |   | Reference along friction; 0 0 as the normal.
        pair_solimp         | real         | npair 5 |   | Impedance of the contacts.
        pair_margin         | real         | npair   | m | Distance at which contacts push.
        pair_gap            | real         | npair   | m | Distance added to find contacts.
        pair_adhesion       | real         | npair   | N | Largest pulling force of a contact.
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
        eq_objtype | int           | neq    |  | 1: bodies, 5: geoms, 6: sites, 0 where the type says it.
        eq_active0 | byte editable | neq    |  | Whether it holds at the beginning.
        eq_solref  | real          | neq 2  |  | Reference of the constraint.
        eq_solimp  | real          | neq 5  |  | Impedance of the constraint.
        eq_data    | real          | neq 12 |  | Anchors and pose, polynomial or distance, by type.
        """,
    ),
    *table(
        "tendon",
        "model",
        """
        tendon_type          | int           | ntendon              |                    | Type (enums.TendonType).
        tendon_adr           | int           | ntendon              |                    | Where its path starts.
        tendon_num           | int           | ntendon              |                    | How many steps its path has.
        tendon_matid         | int editable at:nmat  | ntendon              |                    | Material, or -1.
        tendon_actuatorid    | int           | ntendon              |                    | Actuator that adds inertia or damping, or -1.
        tendon_group         | int editable  | ntendon              |                    | Group for visibility.
        tendon_plasticadr    | int           | ntendon              |                    | Place in the plastic state, or -1.
        tendon_treenum       | int           | ntendon              |                    | How many kinematic trees the path touches.
        tendon_treeid        | int           | ntendon 2            |                    | The first two of these trees, or -1.
        ten_J_rownnz         | int           | ntendon              |                    | How many dofs change its length.
        ten_J_rowadr         | int           | ntendon              |                    | Where these dofs start.
        ten_J_colind         | int           | nJten                |                    | Dofs of all tendons.
        tendon_limited       | byte editable | ntendon              |                    | Whether its length is limited.
        tendon_actfrclimited | byte editable | ntendon              |                    | Whether actuator forces are limited.
        tendon_width         | real          | ntendon              | m                  | Width for drawing.
        tendon_solref_lim    | real          | ntendon 2            |                    | Reference of limits.
        tendon_solimp_lim    | real          | ntendon 5            |                    | Impedance of limits.
        tendon_solref_fri    | real          | ntendon 2            |                    | Reference of friction.
        tendon_solimp_fri    | real          | ntendon 5            |                    | Impedance of friction.
        tendon_range         | real          | ntendon 2            | m or rad           | Limits of the length.
        tendon_actfrcrange   | real          | ntendon 2            | N or N m           | Limits of the actuator force.
        tendon_margin        | real          | ntendon              | m or rad           | Distance at which limits act.
        tendon_stiffness     | real          | ntendon              | N/m or N m/rad     | Spring stiffness.
        tendon_stiffnesspoly | real          | ntendon 2            |                    | Spring terms of higher order.
        tendon_damping       | real          | ntendon              | N s/m or N m s/rad | Damping.
        tendon_dampingpoly   | real          | ntendon 2            |                    | Damping terms of higher order.
        tendon_armature      | real watched  | ntendon              | kg                 | Inertia against change of length.
        tendon_frictionloss  | real watched  | ntendon              | N or N m           | Dry friction.
        tendon_lengthspring  | real          | ntendon 2            |                    | Lengths between which springs rest.
        tendon_springyield   | real          | ntendon              |                    | Where the spring yields; 0: never.
        tendon_length0       | real          | ntendon              | m or rad           | Length at qpos0.
        tendon_invweight0    | real          | ntendon              | 1/kg               | Inverse inertia felt at qpos0.
        tendon_user          | real          | ntendon nuser_tendon |                    | User numbers.
        tendon_rgba          | single        | ntendon 4            |                    | Colour.
        """,
    ),
    *table(
        "wrap",
        "model",
        """
        wrap_type  | int  | nwrap |  | What a step of a path is (enums.WrapType).
        wrap_objid | int  | nwrap |  | Joint, site or geom; -1 for a pulley.
        wrap_prm   | real watched | nwrap |  | Coefficient of a joint, divisor, or side site of a geom.
        """,
    ),
)
