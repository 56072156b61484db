"""Polygons of a hull: outlines of groups of coplanar faces, and the order of the groups.

Faces of a group that share an edge are one polygon, whose outline consists of edges that no other
face of the group passes in the opposite direction. A vertex has few such edges at any time, so they
are found by the vertex at which they begin.
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

#: with fewer faces or elements, kernels run as plain Python
MAX_PLAIN_FACES = 16
#: an index that stands for nothing
NONE = -1
#: of a bucket: that it is empty, and that its first element is the first of all
EMPTY, FRONT = -2, -1

GROUP_LAYOUT = StructLayout(
    "CoplanarGroups",
    [
        ("ngroup", "size", (), True),
        ("first", "int", (), False),
        ("count", "int", (), False),
        ("face", "int", (), False),
        ("nelement", "size", (), True),
        ("nstage", "size", (), True),
        ("stage_first", "int", (), False),
        ("stage_end", "int", (), False),
        ("stage_buckets", "int", (), False),
        ("bucket", "int", (), False),
    ],
    constant=True,
)
OUTLINE_LAYOUT = StructLayout(
    "Outlines",
    [
        # edges by the vertex at which they begin, and the edge that follows one of an outline
        ("edge_at", "int", (), False),
        ("onward_from", "int", (), False),
        # edges: vertices, face, whether there is one, next edge of a vertex, next of a polygon
        ("start", "int", (), False),
        ("end", "int", (), False),
        ("owner", "int", (), False),
        ("alive", "int", (), False),
        ("next_at", "int", (), False),
        ("next_of", "int", (), False),
        # faces: a lower face of the same polygon; first and last edge of the polygon
        ("lower", "int", (), False),
        ("first_edge", "int", (), False),
        ("last_edge", "int", (), False),
        ("vertex", "int", (), False),
        ("corners", "int", (), False),
        ("found", "int", (), False),
        # elements of a hash table: the successor of each, and in the last place the first
        ("after", "int", (), False),
        ("before", "int", (), False),
        ("order", "int", (), False),
    ],
    constant=False,
)
#: places of `found`: polygons, and vertices of their outlines
POLYGONS, VERTICES = 0, 1


# ------------------------------------------------------------------------------------ outlines


@kernel
def find_edge(d, a: int, b: int):
    """The edge from vertex a to vertex b, or NONE."""
    edge = d.edge_at[a]
    while edge != NONE and d.end[edge] != b:
        edge = d.next_at[edge]
    return edge


@kernel
def remove_edge(d, edge: int):
    """Remove an edge."""
    a = d.start[edge]
    d.alive[edge] = 0
    if d.edge_at[a] == edge:
        d.edge_at[a] = d.next_at[edge]
    else:
        before = d.edge_at[a]
        while d.next_at[before] != edge:
            before = d.next_at[before]
        d.next_at[before] = d.next_at[edge]


@kernel
def add_edge(d, edges: int, a: int, b: int, face: int):
    """Add an edge of a face, or change the face of one that is there; returns how many are."""
    edge = find_edge(d, a, b)
    if edge != NONE:
        d.owner[edge] = face
        return edges
    d.start[edges] = a
    d.end[edges] = b
    d.owner[edges] = face
    d.alive[edges] = 1
    d.next_at[edges] = d.edge_at[a]
    d.edge_at[a] = edges
    return edges + 1


@kernel
def lowest_face(d, face: int):
    """The lowest face of the polygon of a face, as far as it is known."""
    while d.lower[face] != face:
        d.lower[face] = d.lower[d.lower[face]]
        face = d.lower[face]
    return face


@kernel
def meet_edge(m, d, at: int, face: int, k: int):
    """Join a face to the one that passes its edge k the other way, and remove that edge.

    at: the face's place among all;  face: its number in the group. Returns 1, or 0 if there is no
    such face.
    """
    other = find_edge(d, m.face[3 * at + (k + 1) % 3], m.face[3 * at + k])
    if other == NONE:
        return 0
    one, two = lowest_face(d, face), lowest_face(d, d.owner[other])
    d.lower[max(one, two)] = min(one, two)
    remove_edge(d, other)
    return 1


@kernel
def add_face(m, d, edges: int, at: int, face: int):
    """Add a face to its group: edges that are left; returns how many edges have been there."""
    a, b, c = m.face[3 * at], m.face[3 * at + 1], m.face[3 * at + 2]
    met_ab = meet_edge(m, d, at, face, 0)
    met_bc = meet_edge(m, d, at, face, 1)
    met_ca = meet_edge(m, d, at, face, 2)
    if met_ab == 0:
        edges = add_edge(d, edges, a, b, face)
    if met_bc == 0:
        edges = add_edge(d, edges, b, c, face)
    if met_ca == 0:
        edges = add_edge(d, edges, c, a, face)
    return edges


@kernel
def sort_edges_by_polygon(d, edges: int, faces: int):
    """Lists of the edges of each polygon, in order, at its lowest face."""
    for face in range(faces):
        d.first_edge[face] = NONE
    for edge in range(edges):
        if d.alive[edge] == 1:
            root = lowest_face(d, d.owner[edge])
            if d.first_edge[root] == NONE:
                d.first_edge[root] = edge
            else:
                d.next_of[d.last_edge[root]] = edge
            d.last_edge[root] = edge
            d.next_of[edge] = NONE


@kernel
def trace_outline(d, first: int):
    """Add the outline that begins with an edge; nothing if it does not close."""
    begin = d.found[VERTICES]
    most = 0
    edge = first
    while edge != NONE:
        # of several edges at a vertex, the first one is followed
        if d.onward_from[d.start[edge]] == NONE:
            d.onward_from[d.start[edge]] = d.end[edge]
        most += 1
        edge = d.next_of[edge]
    d.vertex[begin] = d.start[first]
    last = d.end[first]
    count = 1
    while last != NONE and last != d.start[first] and count <= most:
        d.vertex[begin + count] = last
        count += 1
        last = d.onward_from[last]
    if last == d.start[first] and count > 2:
        d.corners[d.found[POLYGONS]] = count
        d.found[POLYGONS] += 1
        d.found[VERTICES] += count
    edge = first
    while edge != NONE:
        d.onward_from[d.start[edge]] = NONE
        edge = d.next_of[edge]


@kernel(entry=True)
def trace_polygons(m, d, count: int):
    """Outlines of the polygons of all groups; returns how many there are."""
    for g in range(m.ngroup):
        edges = 0
        for face in range(m.count[g]):
            d.lower[face] = face
            edges = add_face(m, d, edges, m.first[g] + face, face)
        sort_edges_by_polygon(d, edges, m.count[g])
        for face in range(m.count[g]):
            if d.first_edge[face] != NONE:
                trace_outline(d, d.first_edge[face])
        for edge in range(edges):
            d.edge_at[d.start[edge]] = NONE
    return d.found[POLYGONS]


# --------------------------------------------------------------------- order in a hash table


@kernel
def add_elements(m, d, shift: int, first: int, last: int):
    """Add elements to the table; shift: where the buckets of its elements stand."""
    head = m.nelement
    for new in range(first, last):
        here = m.bucket[shift + new]
        place = d.before[here]
        if place == EMPTY:
            place = FRONT
            d.before[here] = FRONT
            if d.after[head] != NONE:
                d.before[m.bucket[shift + d.after[head]]] = new
        at = head if place == FRONT else place
        d.after[new] = d.after[at]
        d.after[at] = new


@kernel
def move_elements(m, d, shift: int, buckets: int):
    """Sort all elements into other buckets, moving some to the front of theirs."""
    head = m.nelement
    for k in range(buckets):
        d.before[k] = EMPTY
    last = FRONT
    this = d.after[head]
    while this != NONE:
        here = m.bucket[shift + this]
        adjacent = last != FRONT and m.bucket[shift + max(last, 0)] == here
        if adjacent or d.before[here] == EMPTY:
            if not adjacent:
                d.before[here] = last
            last = this
        else:
            place = head if d.before[here] == FRONT else d.before[here]
            d.after[last] = d.after[this]
            d.after[this] = d.after[place]
            d.after[place] = this
        this = d.after[last]


@kernel(entry=True)
def fill_table(m, d, count: int):
    """Elements of a hash table in iteration order; returns how many there are."""
    done = 0
    for stage in range(m.nstage):
        move_elements(m, d, m.stage_first[stage], m.stage_buckets[stage])
        add_elements(m, d, m.stage_first[stage], done, m.stage_end[stage])
        done = m.stage_end[stage]
    listed = 0
    at = d.after[m.nelement]
    while at != NONE:
        d.order[listed] = at
        listed += 1
        at = d.after[at]
    return listed


@registered(lambda: [trace_polygons, fill_table])
def outline_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(GROUP_LAYOUT, OUTLINE_LAYOUT)


def polygon_outlines(
    face: np.ndarray, first: np.ndarray, count: np.ndarray, nvert: int
) -> tuple[np.ndarray, np.ndarray]:
    """Outlines of groups of coplanar faces: vertices one after another, corners of each polygon.

    first, count: where the faces of each group begin, and how many they are.
    """
    given = {
        "ngroup": len(first),
        "first": first.astype(np.int32),
        "count": count.astype(np.int32),
        "face": np.ascontiguousarray(face, np.int32),
    }
    faces, most = len(face), int(count.max(initial=0))
    made = {name: np.full(nvert, NONE, np.int32) for name in ("edge_at", "onward_from")}
    for name in ("start", "end", "owner", "alive", "next_at", "next_of"):
        made[name] = np.zeros(3 * most, np.int32)
    for name in ("lower", "first_edge", "last_edge"):
        made[name] = np.zeros(most, np.int32)
    # an outline that does not close is one longer than its edges
    made["vertex"] = np.zeros(3 * faces + 1, np.int32)
    made["corners"] = np.zeros(faces, np.int32)
    made["found"] = np.zeros(2, np.int32)
    run_on(trace_polygons, outline_linker, given, made, small=faces < MAX_PLAIN_FACES)
    polygons, vertices = made["found"].tolist()
    return made["vertex"][:vertices].astype(np.int64), made["corners"][:polygons].astype(np.int64)


def table_order(buckets: list[np.ndarray], counts: list[int]) -> np.ndarray:
    """Elements in the iteration order of a hash table that grew in stages.

    buckets: for each stage, the buckets of all elements up to its end;  counts: its number of them.
    """
    ends = np.array([len(one) for one in buckets], np.int32)
    elements = int(ends[-1]) if len(ends) else 0
    given = {
        "nelement": elements,
        "nstage": len(ends),
        "stage_first": (np.cumsum(ends) - ends).astype(np.int32),
        "stage_end": ends,
        "stage_buckets": np.array(counts, np.int32),
        "bucket": np.concatenate([np.zeros(0, np.int32), *buckets]).astype(np.int32),
    }
    made = {
        "after": np.full(elements + 1, NONE, np.int32),
        "before": np.zeros(max(counts, default=0), np.int32),
        "order": np.zeros(elements, np.int32),
    }
    run_on(fill_table, outline_linker, given, made, small=elements < MAX_PLAIN_FACES)
    return made["order"]
