"""Jacobians, products with M, velocities and accelerations of objects, contact forces.

Methods of Data, evaluated at the last `forward` or `step`; spatial vectors have rotation first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.errors import ArgumentError, ShapeError
from cortenforge.model.access.views import object_id
from cortenforge.model.methods.contacts import Contact, contact_index
from cortenforge.model.methods.rays import real_array, real_vector
from cortenforge.model.methods.solver_nonzeros import solver_nonzeros
from cortenforge.step.body_forces.contact_force import contact_forces
from cortenforge.step.body_forces.rne_post_constraint import interaction_forces
from cortenforge.step.queries import inertia, jacobian, object_motion

if TYPE_CHECKING:
    from cortenforge.kernel.language.decorator import Kernel
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: kinds of moving objects: their mjtObj, and the kind whose names are looked up
MOVING_OBJECTS: dict[str, tuple[int, str]] = {
    "body": (ObjType.BODY, "body"),
    "xbody": (ObjType.XBODY, "body"),
    "geom": (ObjType.GEOM, "geom"),
    "site": (ObjType.SITE, "site"),
    "camera": (ObjType.CAMERA, "camera"),
}
#: their mjtObj as plain numbers: ctypes takes three times as long for a member of an enumeration
BODY, XBODY, GEOM, SITE = (
    int(kind) for kind in (ObjType.BODY, ObjType.XBODY, ObjType.GEOM, ObjType.SITE)
)
ObjectKey = str | int


class Jacobians(NamedTuple):
    """Jacobians of a point (`jacp`) and of the rotation of its body (`jacr`), each (3, nv)."""

    jacp: np.ndarray
    jacr: np.ndarray


class MechanicsMethods:
    """Methods about the dynamics of a Data at the last `forward` or `step`."""

    model: Model
    ncon: int
    contact_wrench: np.ndarray
    query_point: np.ndarray
    query_force: np.ndarray
    query_torque: np.ndarray
    query_vec: np.ndarray
    query_result: np.ndarray
    query_jacp: np.ndarray
    query_jacr: np.ndarray
    query_motion: np.ndarray
    xpos: np.ndarray
    xipos: np.ndarray
    geom_xpos: np.ndarray
    site_xpos: np.ndarray
    M: np.ndarray

    def _run_unit(self, unit: Kernel, *numbers: int) -> None:
        raise NotImplementedError

    def _unit(self, unit: Kernel) -> Callable[..., Any]:
        raise NotImplementedError

    @property
    def solver_nnz(self) -> np.ndarray:
        """Nonzeros of the solver's matrices in each island, as MuJoCo counts them, (20,)."""
        return solver_nonzeros(cast("Data", self))

    def contact_force(self, i: int | Contact) -> np.ndarray:
        """Force and torque (6,) of a contact on its second geom, in the contact frame.

        i: number of the contact, below `ncon`.

        As `mj_contactForce`: normal, two tangents; forces of pyramid edges are summed, adhesion is
        subtracted. A
        contact is given by its number, or as one of `data.contact` and `data.contacts_between`.

        >>> data.contact.frame[0].reshape(3, 3).T @ data.contact_force(0)[:3]   # in world axes
        >>> sum(data.contact_force(c)[0] for c in data.contacts_between("floor", "foot"))
        """
        number = contact_index(cast("Data", self), i)
        self._run_unit(contact_forces, number, 1)
        found: np.ndarray = self.contact_wrench[number].copy()
        return found

    def contact_forces(self) -> np.ndarray:
        """Forces and torques of all contacts, (ncon, 6)."""
        self._run_unit(contact_forces, 0, self.ncon)
        found: np.ndarray = self.contact_wrench[: self.ncon].copy()
        return found

    def jac(self, point: Any, body: ObjectKey) -> Jacobians:
        """Jacobians of a point, given in world coordinates, that is fixed to a body.

        As `mj_jac`; call `forward` before. The velocity of the point is `jacp @ qvel`.
        """
        self.query_point[:] = real_vector("point", point)
        self._run_unit(jacobian.point_jacobian, self._number("body", body))
        return Jacobians(self.query_jacp.copy(), self.query_jacr.copy())

    def jac_body(self, body: ObjectKey) -> Jacobians:
        """Jacobians of the origin of a body.  As `mj_jacBody`."""
        return self._object_jacobians(XBODY, "body", body)

    def jac_body_com(self, body: ObjectKey) -> Jacobians:
        """Jacobians of the centre of mass of a body.  As `mj_jacBodyCom`."""
        return self._object_jacobians(BODY, "body", body)

    def jac_geom(self, geom: ObjectKey) -> Jacobians:
        """Jacobians of the centre of a geom.  As `mj_jacGeom`."""
        return self._object_jacobians(GEOM, "geom", geom)

    def jac_site(self, site: ObjectKey) -> Jacobians:
        """Jacobians of a site.  As `mj_jacSite`."""
        return self._object_jacobians(SITE, "site", site)

    def jac_subtree_com(self, body: ObjectKey) -> np.ndarray:
        """Jacobian (3, nv) of the centre of mass of a subtree.  As `mj_jacSubtreeCom`.

        body: the root of the subtree, by name or number.
        """
        self._run_unit(jacobian.subtree_jacobian, self._number("body", body))
        found: np.ndarray = self.query_jacp.copy()
        return found

    def jac_dot(self, point: Any, body: ObjectKey) -> Jacobians:
        """Time derivative of `jac` for a point that moves with its body.  As `mj_jacDot`."""
        self.query_point[:] = real_vector("point", point)
        self._run_unit(jacobian.point_jacobian_rate, self._number("body", body))
        return Jacobians(self.query_jacp.copy(), self.query_jacr.copy())

    def mul_M(self, vec: Any) -> np.ndarray:
        """M times a vector (nv,), or times each row of an array (n, nv).  As `mj_mulM`.

        vec: `(nv,)`, or rows `(n, nv)`.
        """
        return self._by_rows("vec", vec, inertia.multiply_inertia, self.query_result)

    def solve_M(self, vec: Any) -> np.ndarray:
        """M^-1 times a vector (nv,), or times each row of an array (n, nv).  As `mj_solveM`.

        vec: `(nv,)`, or rows `(n, nv)`.
        """
        return self._by_rows("vec", vec, inertia.solve_inertia, self.query_vec)

    def full_M(self) -> np.ndarray:
        """The joint-space inertia matrix as a dense array (nv, nv).  As `mj_fullM`."""
        places = self.model.__dict__.get("_dense_places")
        if places is None:
            places = self.model.__dict__["_dense_places"] = _dense_places(self.model)
        # behind the entries of M there is a zero, for all that are not stored
        entries = self.__dict__.get("_dense_entries")
        if entries is None:
            entries = self.__dict__["_dense_entries"] = np.zeros(len(self.M) + 1)
        entries[:-1] = self.M
        found: np.ndarray = entries.take(places)
        return found

    def object_velocity(self, kind: str, key: ObjectKey, *, local: bool = False) -> np.ndarray:
        """Angular and linear velocity (6,) of an object, in world or its own axes (`local`).

        key:   its name or number.
        kind: "site", "geom", "camera", "body" (at its centre of mass) or "xbody" (at its origin).
        """
        return self._motion(object_motion.object_velocity, kind, key, local)

    def object_acceleration(self, kind: str, key: ObjectKey, *, local: bool = False) -> np.ndarray:
        """Angular and linear acceleration (6,) of an object, minus gravity, as MuJoCo's `cacc`.

        kind:  "body", "xbody", "geom", "site" or "camera".
        key:   its name or number.
        local: in the axes of the object, not of the world.

        Calls `interaction_forces`, which computes cacc.
        """
        self._run_unit(interaction_forces)
        return self._motion(object_motion.object_acceleration, kind, key, local)

    def apply_ft(self, force: Any, torque: Any, point: Any, body: ObjectKey) -> np.ndarray:
        """Joint forces (nv,) of a force and torque on a body at a point, all in world axes.

        As `mj_applyFT`, without adding them to a field:

        >>> data.qfrc_applied += data.apply_ft([0, 0, 9], [0, 0, 0], data.body("hand").xpos, "hand")
        """
        self.query_force[:] = real_vector("force", force)
        self.query_torque[:] = real_vector("torque", torque)
        self.query_point[:] = real_vector("point", point)
        self._run_unit(jacobian.apply_force_torque, self._number("body", body))
        found: np.ndarray = self.query_vec.copy()
        return found

    def _number(self, kind: str, key: ObjectKey) -> int:
        return object_id(self.model, kind, key)

    def _object_jacobians(self, kind: int, names: str, key: ObjectKey) -> Jacobians:
        self._unit(jacobian.object_jacobian)(kind, object_id(self.model, names, key))
        found = self.query_jacp.copy(), self.query_jacr.copy()
        # without the arguments' names it takes half the time
        return tuple.__new__(Jacobians, found)

    def _motion(self, unit: Kernel, kind: str, key: ObjectKey, local: bool) -> np.ndarray:
        if kind not in MOVING_OBJECTS:
            raise ArgumentError(f"kind: expected one of {', '.join(MOVING_OBJECTS)}, got {kind!r}")
        number, names = MOVING_OBJECTS[kind]
        self._run_unit(unit, int(number), self._number(names, key), int(local))
        found: np.ndarray = self.query_motion.copy()
        return found

    def _by_rows(self, name: str, value: Any, unit: Kernel, result: np.ndarray) -> np.ndarray:
        """Apply a unit to one vector (nv,), or to each row of an array (n, nv)."""
        given = real_array(name, value)
        nv = self.model.nv
        if given.ndim not in (1, 2) or given.shape[-1] != nv:
            raise ShapeError(f"{name}: expected an array ({nv},) or (n, {nv}), got {given.shape}")
        found = np.empty(given.shape)
        for row, made in zip(np.atleast_2d(given), np.atleast_2d(found), strict=True):
            self.query_vec[:] = row
            self._run_unit(unit)
            made[:] = result
        return found


def _dense_places(model: Model) -> np.ndarray:
    """Place in M of each entry of the dense matrix (nv, nv), nC for those that are not stored."""
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    stored = np.arange(len(rows))
    places = np.full((model.nv, model.nv), len(rows))
    places[rows, model.M_colind] = places[model.M_colind, rows] = stored
    return places
