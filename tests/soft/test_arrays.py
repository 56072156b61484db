"""Arrays of deformables: energies of the continuum, colours, periods."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import spsolve
from scipy.spatial import Delaunay

import cortenforge as cf
from cortenforge.soft import Rigid, grid_meshes, soft_arrays
from cortenforge.soft.placement import matrix_of_quat

SEED = 5


def arrays_of(*bodies):
    return soft_arrays(bodies, Rigid(), 0)


def strains(points, vert, inv):
    """F of elements: sums of edges times rows of the inverse."""
    size = vert.shape[1] - 1
    edges = points[vert[:, 1:]] - points[vert[:, :1]]
    return np.einsum("nia,nij->naj", edges, inv.reshape(-1, size, size))


def energy(f, mu, lam):
    """Stable neo-Hookean energy of elements, for sheets and for solids."""
    size = f.shape[2]
    j = np.linalg.det(f) if size == 3 else np.linalg.norm(np.cross(f[:, :, 0], f[:, :, 1]), axis=1)
    return mu / 2 * ((f**2).sum(axis=(1, 2)) - size) - mu * (j - 1) + lam / 2 * (j - 1) ** 2


def uniform(size, amount=1e-4):
    """A small strain in all directions."""
    change = np.random.default_rng(SEED).normal(size=(size, size))
    return 0.5 * amount * (change + change.T)


def irregular_sheet(n=16):
    """A unit square of triangles in no order, with the boundary straight."""
    rng = np.random.default_rng(SEED)
    grid = np.stack(np.meshgrid(np.arange(n + 1), np.arange(n + 1)), -1).reshape(-1, 2) / n
    inner = ((grid > 0) & (grid < 1)).all(axis=1)
    grid[inner] += rng.uniform(-0.3, 0.3, (inner.sum(), 2)) / n
    faces = Delaunay(grid).simplices
    flat = np.c_[grid, np.zeros(len(grid))]
    a, b, c = (flat[faces[:, i]] for i in range(3))
    faces = faces[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-9]
    return flat, faces


@pytest.mark.parametrize("regular", [True, False], ids=["grid", "irregular"])
def test_strain_energy_of_a_sheet_is_the_continuums(regular):
    """Uniform strain of a sheet costs what plane stress says, whatever the triangles."""
    material = cf.Material(3e5, 0.35, 200)
    sheet = {"material": material, "thickness": 2e-3, "euler": (20, 30, 40)}
    cloth = cf.Cloth.grid(7, 5, size=(1, 1), **sheet) if regular else cf.Cloth(
        *irregular_sheet(), **sheet
    )  # fmt: skip
    arrays, _ = arrays_of(cloth)
    strain = uniform(2)
    moved = cloth.rest.copy()
    moved[:, :2] += moved[:, :2] @ strain
    moved = np.vstack([moved, np.zeros(3)])
    f = strains(moved, arrays["softmem_vert"], arrays["softmem_inv"])
    total = energy(f, arrays["softmem_mu"], arrays["softmem_lambda"])[arrays["softmem_mu"] > 0]
    young, poisson = material.young, material.poisson
    trace, square = np.trace(strain), (strain**2).sum()
    expected = young / (1 - poisson**2) / 2 * ((1 - poisson) * square + poisson * trace**2)
    assert total.sum() == pytest.approx(expected * 2e-3, rel=1e-3)


@pytest.mark.parametrize("body", [cf.SoftBody.box(3, 1.0), cf.SoftBody.ball(0.5)], ids=str)
def test_strain_energy_of_a_solid_is_the_continuums(body):
    """Uniform strain of a solid costs what its two moduli say."""
    arrays, _ = arrays_of(body)
    strain = uniform(3)
    moved = np.vstack([body.rest + body.rest @ strain, np.zeros(3)])
    f = strains(moved, arrays["softtet_vert"], arrays["softtet_inv"])
    total = energy(f, arrays["softtet_mu"], arrays["softtet_lambda"])[arrays["softtet_mu"] > 0]
    material = body.material
    dense = material.shear * (strain**2).sum() + material.lame / 2 * np.trace(strain) ** 2
    assert total.sum() == pytest.approx(dense * body.volumes().sum(), rel=2e-3)


def test_edges_and_volumes_make_the_same_solid():
    """Springs along edges give both moduli, on the mean over directions, with the volumes."""
    body = cf.SoftBody.ball(0.5, cell=0.1, model="edges", poisson=0.35)
    arrays, sizes = arrays_of(body)
    assert sizes["nsoftedge"] > 0
    rng = np.random.default_rng(SEED)
    found = wanted = 0.0
    for _ in range(40):
        change = rng.normal(size=(3, 3)) * 1e-5
        strain = 0.5 * (change + change.T)
        moved = np.vstack([body.rest + body.rest @ strain, np.zeros(3)])
        ends = moved[arrays["softedge_vert"]]
        length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        stretch = np.where(
            arrays["softedge_stiffness"] > 0, length - arrays["softedge_length"], 0.0
        )
        f = strains(moved, arrays["softtet_vert"], arrays["softtet_inv"])
        real = arrays["softtet_lambda"] > 0
        found += (arrays["softedge_stiffness"] / 2 * stretch**2).sum()
        found += (arrays["softtet_lambda"] / 2 * (np.linalg.det(f) - 1) ** 2)[real].sum()
        dense = body.material.shear * (strain**2).sum()
        dense += body.material.lame / 2 * np.trace(strain) ** 2
        wanted += dense * body.volumes().sum()
    assert not arrays["softtet_mu"].any()
    assert found == pytest.approx(wanted, rel=0.03)


def bending_energy(cloth, angle):
    """Energy of a sheet whose border is bent to a cylinder, the rest giving way, by a beam's."""
    arrays, _ = arrays_of(cloth)
    vert, coef = arrays["softhinge_vert"], arrays["softhinge_coef"]
    count = len(cloth.rest)
    rows = np.repeat(np.arange(len(vert)), 4)
    vectors = sparse.csr_matrix((coef.reshape(-1), (rows, vert.reshape(-1))))[:, :count]
    energy = (vectors.T @ sparse.diags(arrays["softhinge_stiffness"]) @ vectors).tocsr()
    z = 0.5 * (cloth.rest[:, :2] @ [np.cos(angle), np.sin(angle)]) ** 2
    size = np.ptp(cloth.rest[:, 0])
    free = np.abs(cloth.rest[:, :2]).max(axis=1) < 0.45 * size
    z[free] -= spsolve(energy[free][:, free].tocsc(), (energy @ z)[free])
    # hinges of the border's triangles are cut off there: count those inside
    centre = cloth.rest[np.minimum(vert, count - 1)].mean(axis=1)
    inside = (np.abs(centre[:, :2]).max(axis=1) < 0.4 * size) & (vert < count).all(axis=1)
    angles = vectors @ z
    total = (arrays["softhinge_stiffness"] / 2 * angles**2)[inside].sum()
    rigidity = cloth.bending * cloth.material.young * cloth.thickness**3 / 12
    return total / (rigidity / 2 * (0.8 * size) ** 2)


@pytest.mark.parametrize("degrees", [0, 22.5, 45, 90, 110])
def test_bending_a_grid_costs_what_a_plate_does(degrees):
    """In each direction the same: 9/8 of a beam's, which is a plate of Poisson's ratio 1/3."""
    cloth = cf.Cloth.grid(51, 51)
    assert bending_energy(cloth, np.radians(degrees)) == pytest.approx(9 / 8, rel=0.03)


@pytest.mark.parametrize("degrees", range(0, 180, 30))
def test_bending_of_irregular_sheets(degrees):
    """Triangles in no order bend nearly alike in all directions: within a fifth, as measured."""
    vertices, faces = irregular_sheet(40)
    cloth = cf.Cloth(vertices - [0.5, 0.5, 0], faces)
    assert bending_energy(cloth, np.radians(degrees)) == pytest.approx(9 / 8, rel=0.2)


def diagonal_strip(cells):
    """A strip of a grid along the diagonals of its cells."""
    vertices, faces = grid_meshes.triangle_grid(cells + 1, cells + 1, np.array([cells, cells]))
    turned = vertices @ matrix_of_quat(np.array([np.cos(np.pi / 8), 0, 0, -np.sin(np.pi / 8)])).T
    kept = faces[np.abs(turned[faces, 1].mean(axis=1)) < 8 / 2**0.5]
    return cut(turned, kept)


def hexagons(n):
    """Equilateral triangles, a strip twelve rows wide."""
    rows = [[j + 0.5 * (i % 2), i, 0] for i in range(12) for j in range(n)]
    points = np.array(rows) * [1, 3**0.5 / 2, 0]
    faces = Delaunay(points[:, :2]).simplices
    a, b, c = (points[faces[:, i]] for i in range(3))
    return points, faces[np.linalg.norm(np.cross(b - a, c - a), axis=1) < 0.9]


def cut(vertices, faces):
    used, faces = np.unique(faces, return_inverse=True)
    return vertices[used], faces.reshape(-1, 3)


def curvature(cloth):
    """How a strip along x, clamped at its beginning, is bent by a unit moment at its end.

    The heights of a nearly flat sheet: hinges are springs of weighted sums of them.
    """
    arrays, _ = arrays_of(cloth)
    count, x = len(cloth.rest), cloth.rest[:, 0] - cloth.rest[:, 0].min()
    matrix = np.zeros((count + 1, count + 1))
    for vert, coef, k in zip(
        arrays["softhinge_vert"],
        arrays["softhinge_coef"],
        arrays["softhinge_stiffness"],
        strict=True,
    ):
        matrix[np.ix_(vert, vert)] += k * np.outer(coef, coef)
    long = x.max()
    free = x > 0.2 * long
    # a couple of forces on the last fifth of the strip
    pull = np.zeros(count)
    end = x > 0.8 * long
    lever = x[end] - x[end].mean()
    pull[end] = lever / (lever**2).sum()
    height = np.zeros(count)
    height[free] = np.linalg.solve(matrix[:count, :count][np.ix_(free, free)], pull[free])
    middle = (x > 0.35 * long) & (x < 0.65 * long)
    return 2 * np.polyfit(x[middle], height[middle], 2)[0]


@pytest.mark.parametrize(
    ("mesh", "tolerance"),
    [
        (grid_meshes.triangle_grid(41, 9, np.array([40.0, 8.0])), 0.02),
        (hexagons(50), 0.02),
        # the cut edges of the strip are not its diagonals
        (diagonal_strip(50), 0.1),
    ],
    ids=["squares", "equilateral", "diagonal"],
)
def test_strips_bend_as_beams_do(mesh, tolerance):
    """A moment bends a strip by moment / (B width), B = E t^3 / 12, in directions of the mesh."""
    cloth = cf.Cloth(*mesh, thickness=0.1)
    wide = cloth.areas().sum() / np.ptp(cloth.rest[:, 0])
    expected = 1 / (cloth.material.young * 0.1**3 / 12 * wide)
    assert curvature(cloth) == pytest.approx(expected, rel=tolerance)


def test_bending_stiffness_scales():
    """With the cube of the thickness, and as a part that the cloth says."""
    thin, thick = (arrays_of(cf.Cloth.grid(4, 4, thickness=t))[0] for t in (1e-3, 2e-3))
    assert thick["softhinge_stiffness"] == pytest.approx(8 * thin["softhinge_stiffness"])
    loose, _ = arrays_of(cf.Cloth.grid(4, 4, thickness=1e-3, bending=0.25))
    assert loose["softhinge_stiffness"] == pytest.approx(0.25 * thin["softhinge_stiffness"])
    _, without = arrays_of(cf.Cloth.grid(4, 4, bending=0))
    assert without["nsofthinge"] == 0


@pytest.mark.parametrize("turn", [0.0, 0.3, -0.8, 2.0])
def test_bending_vectors_are_as_long_as_the_turn(turn):
    """2 sin(turn / 2) along the normal; their rest is kept."""
    points = [[0, 0, 0], [0, 1, 0], [-0.7, 0.3, 0]]
    points.append([0.5 * np.cos(turn), 0.8, 0.5 * np.sin(turn)])
    cloth = cf.Cloth(points, [[0, 1, 2], [1, 0, 3]])
    arrays, _ = arrays_of(cloth)
    bend = arrays["softhinge_bend"][arrays["softhinge_stiffness"] > 0]
    assert bend == pytest.approx([2 * np.sin(turn / 2)])
    assert arrays["soft_curved"] == (turn != 0)


def test_colours_share_no_vertex_and_are_filled_up():
    """Elements of a colour can be worked on side by side, eight at a time."""
    bodies = [
        cf.Cloth.grid(9, 7, pinned="corners"),
        cf.SoftBody.box(3, model="edges"),
        cf.CapsuleChain.line((0, 0, 0), (1, 0, 0), 9),
        cf.Cloth(*irregular_sheet()),
        cf.CapsuleChain.line((0, 0, 1), (1, 0, 1), 4),
        cf.SoftBody.ball(),
    ]
    arrays, sizes = arrays_of(*bodies)
    nothing = sizes["nsoftvert"]
    for name in ("softmem", "softhinge", "softtet", "softedge", "softrod", "softtwist"):
        member = arrays[f"{name}_{'rod' if name == 'softtwist' else 'vert'}"]
        ranges = arrays[f"{name}_color"]
        assert ranges[0, 0] == 0
        assert ranges[-1, 1] == len(member) == sizes[f"n{name}"]
        assert (ranges[1:, 0] == ranges[:-1, 1]).all()
        for first, end in ranges:
            real = member[first:end][member[first:end, 0] != nothing]
            assert len(np.unique(real)) == real.size
            if name not in ("softrod", "softtwist"):
                assert (end - first) % 8 == 0
    filled = arrays["softtet_vert"][:, 0] == nothing
    assert filled.any()
    assert (arrays["softtet_inv"][filled] == np.eye(3).ravel()).all()
    assert not arrays["softtet_mu"][filled].any()
    assert (arrays["softedge_length"][arrays["softedge_vert"][:, 0] == nothing] == 1).all()


def test_all_elements_are_there_once():
    cloth, body = cf.Cloth.grid(6, 5), cf.SoftBody.box(2)
    arrays, sizes = arrays_of(cloth, body)
    nothing = sizes["nsoftvert"]
    for name, cells, shift in (("softmem", cloth.faces, 0), ("softtet", body.tets, 30)):
        vert = arrays[f"{name}_vert"]
        real = np.sort(vert[vert[:, 0] != nothing], axis=1)
        wanted = np.sort(cells + shift, axis=1)
        assert sorted(map(tuple, real.tolist())) == sorted(map(tuple, wanted.tolist()))


def test_pinned_vertices_have_no_inverse_mass():
    arrays, _ = arrays_of(cf.Cloth.grid(3, 3, pinned=[0, 4]))
    assert np.flatnonzero(arrays["softvert_invmass"] == 0).tolist() == [0, 4, 9]


def test_weights_are_products_of_gradients_and_inverse_masses():
    """sum w b b' over vertices, by differences of F."""
    cloth = cf.Cloth.grid(3, 3, pinned=0)
    body = cf.SoftBody.box(1, 0.3)
    arrays, sizes = arrays_of(cloth, body)
    inverse = arrays["softvert_invmass"]
    for name, size in (("softmem", 2), ("softtet", 3)):
        for row in np.flatnonzero(arrays[f"{name}_vert"][:, 0] != sizes["nsoftvert"]):
            vert = arrays[f"{name}_vert"][row]
            b = arrays[f"{name}_inv"][row].reshape(size, size)
            b = np.vstack([-b.sum(axis=0), b])
            matrix = (inverse[vert][:, None, None] * b[:, :, None] * b[:, None]).sum(axis=0)
            assert arrays[f"{name}_weight"][row] == pytest.approx(matrix[np.triu_indices(size)])


def test_segments_of_chains():
    """Stiffness, inertia and frames of a round rod."""
    material = cf.Material(1e7, 0.25, 1000)
    chain = cf.CapsuleChain(
        [[0, 0, 0], [0, 0, 0.1], [0, 0.1, 0.1], [0.1, 0.1, 0.1]], material=material, radius=0.01
    )
    arrays, sizes = arrays_of(chain)
    area = np.pi * 1e-4
    assert sizes["nsoftrod"] == 3
    assert arrays["softrod_length"] == pytest.approx([0.1] * 3)
    assert arrays["softrod_stiffness"][0] == pytest.approx([5 / 6 * 4e6 * area, 1e7 * area])
    mass = 1000 * area * 0.1
    assert 1 / arrays["softrod_invinertia"][0] == pytest.approx(
        [mass * (3e-4 + 0.01) / 12, mass * 1e-4 / 2]
    )
    moment = np.pi * 1e-8 / 4
    assert arrays["softtwist_stiffness"][0] == pytest.approx(
        [1e7 * moment / 0.1, 4e6 * 2 * moment / 0.1]
    )
    for vert, (w, x, y, z) in zip(arrays["softrod_vert"], arrays["softrod_quat0"], strict=True):
        axis = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
        along = chain.vertices[vert[1]] - chain.vertices[vert[0]]
        assert axis == pytest.approx(along / 0.1, abs=1e-12)
    # a quarter turn each, and none about the axis
    assert arrays["softtwist_rest"][:, 0] == pytest.approx([2**-0.5] * 2)
    assert arrays["softtwist_rest"][:, 3] == pytest.approx([0, 0], abs=1e-12)


def test_chains_that_turn_back():
    """Half a turn between segments has a frame, too."""
    chain = cf.CapsuleChain([[0, 0, 0], [0, 0, 1], [0, 0, 0.5]])
    arrays, _ = arrays_of(chain)
    assert np.linalg.norm(arrays["softrod_quat0"], axis=1) == pytest.approx([1, 1])


def test_periods_follow_the_speed_of_sound():
    """A chain's is its length over the speed of sound; twice the cells, half the period."""
    chain = cf.CapsuleChain.line((0, 0, 0), (1, 0, 0), 10, material="rope", pinned="first")
    arrays, _ = arrays_of(chain)
    speed = np.sqrt(chain.material.young / chain.material.density)
    assert arrays["soft_period"][0] == pytest.approx(0.1 / speed, rel=0.1)
    coarse, fine = (arrays_of(cf.Cloth.grid(n, n))[0]["soft_period"][0] for n in (41, 81))
    assert fine == pytest.approx(coarse / 2, rel=0.05)


def test_spacing_is_half_an_edge():
    arrays, _ = arrays_of(cf.CapsuleChain.line((0, 0, 0), (1, 0, 0), 4), cf.Cloth.grid(2, 2))
    assert arrays["soft_spacing"][0] == pytest.approx(0.125)
    given, _ = arrays_of(cf.Cloth.grid(2, 2, spacing=0.01, radius=0.02))
    assert (given["soft_spacing"][0], given["soft_radius"][0]) == (0.01, 0.02)


def test_no_deformables_no_numbers():
    """11-AC5: nothing is there to cost anything."""
    arrays, sizes = arrays_of()
    assert not any(sizes.values())
    assert not any(array.size for name, array in arrays.items() if name != "soft_curved")
