"""Forces of contacts in their frames, from forces of rows.

elliptic:   f_k = efc_force_k
pyramid:    f_0 = sum of all edges,   f_k = mu_k (edge_2k-1 - edge_2k),  edges from 1

Source: MuJoCo: Computation, "Friction cones".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.step.constants import PYRAMIDAL


@kernel
def contact_force_component(m, d, c: int, k: int):
    """Component k of a contact's force in its frame: 3 forces, 3 torques.

    0 for a contact without rows. The normal force is the net one: adhesion is subtracted.
    Mirrors mj_contactForce.
    """
    first = d.contact_efc_address[c]
    dim = d.contact_dim[c]
    if first < 0 or k >= dim:
        return 0.0
    force = 0.0
    if m.opt_cone != PYRAMIDAL or dim == 1:
        force = d.efc_force[first + k]
    elif k == 0:
        for row in range(first, first + 2 * (dim - 1)):
            force += d.efc_force[row]
    else:
        edge = first + 2 * (k - 1)
        force = (d.efc_force[edge] - d.efc_force[edge + 1]) * d.contact_friction[c, k - 1]
    return force - d.contact_adhesion[c] if k == 0 else force


@kernel
def contact_linear_force(m, d, c: int):
    """Force of a contact on its second geom, in the contact frame."""
    return vec3(
        contact_force_component(m, d, c, 0),
        contact_force_component(m, d, c, 1),
        contact_force_component(m, d, c, 2),
    )


@kernel
def contact_torque(m, d, c: int):
    """Torque of a contact on its second geom, in the contact frame."""
    return vec3(
        contact_force_component(m, d, c, 3),
        contact_force_component(m, d, c, 4),
        contact_force_component(m, d, c, 5),
    )


@kernel(unit=True)
def contact_forces(m, d, first: int, count: int):
    """contact_wrench of some contacts, each in its frame.  Mirrors mj_contactForce."""
    for c in range(first, first + count):
        for k in range(6):
            d.contact_wrench[c, k] = contact_force_component(m, d, c, k)
