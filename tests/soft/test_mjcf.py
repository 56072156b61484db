"""Deformables in MJCF and in descriptions: read, built, written, refused."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import cortenforge as cf

BODIES = """
  <worldbody>
    <body name="hand" pos="1 0 1" euler="0 0 90"><freejoint/><geom size="0.1"/>
      <site name="tip" pos="0 0 -0.1" euler="90 0 0"/></body>
  </worldbody>"""
ALL = f"""<mujoco model="soft">
  <option softsubsteps="7" softsubstepmax="30" softpasses="3" softsleep="0.01"/>
  <default><cloth material="silk" rgba="1 0 0 1"/>
    <default class="stretchy"><cloth young="1000" solref="0.1"/></default></default>{BODIES}
  <deformable>
    <cloth name="flag" count="5 4" size="2 1" pos="0 0 2" euler="0 90 0" class="stretchy"
      thickness="0.002" bending="0.5" contype="2" conaffinity="4" selfcollide="true" drag="2">
      <pin at="left right"/><pin vertex="9"/></cloth>
    <softbody name="jelly" count="2 2 2" material="gelatin" model="edges" poisson="0.3">
      <tie at="top" body="hand"/></softbody>
    <softbody name="ball" type="ball" size="0.2 0.2 0.2" cell="0.07" group="2"/>
    <chain name="rope" fromto="0 0 1 1 0 1" segments="6" radius="0.01">
      <tie vertex="0" site="tip"/><tie vertex="6" body="hand" pos="0 0 0.5"/></chain>
    <chain vertex="0 0 0 1 0 0 1 1 0" friction="0.2" spacing="0.3"/>
  </deformable>
</mujoco>"""


def model(inside: str, bodies: str = BODIES, **options) -> cf.Model:
    text = f"<mujoco>{bodies}<deformable>{inside}</deformable></mujoco>"
    return cf.Model.from_mjcf(text, **options)


def test_elements_become_deformables():
    """Attributes, classes, options and names."""
    m = cf.Model.from_mjcf(ALL)
    assert m.names["soft"] == ["flag", "jelly", "ball", "rope", ""]
    assert m.soft_type.tolist() == [0, 1, 1, 2, 2]
    assert (m.opt.softsubsteps, m.opt.softsubstepmax, m.opt.softpasses) == (7, 30, 3)
    assert m.opt.softsleep == 0.01
    flag = m.soft("flag")
    assert flag.solref.tolist() == [0.1, 1.0]
    assert (flag.contype, flag.conaffinity, flag.selfcollide, flag.drag) == (2, 4, 1, 2)
    assert flag.rgba == pytest.approx([1, 0, 0, 1])
    assert np.flatnonzero(flag.vert_invmass == 0).tolist() == [*range(4), 9, *range(16, 20)]
    assert np.ptp(flag.vert_pos0, axis=0) == pytest.approx([0, 1, 2], abs=1e-12)
    same = cf.Cloth.grid(5, 4, (2, 1), material="silk", young=1000, thickness=0.002)
    assert flag.vert_invmass[5] == pytest.approx(1 / same.masses()[5])
    assert m.soft("jelly").vert_pos0.shape == (27, 3)
    assert m.nsoftedge > 0
    assert m.soft("ball").group == 2
    assert m.soft("rope").radius == 0.01
    assert m.soft(4).friction == 0.2
    assert m.soft(4).spacing == 0.3


def test_options_have_defaults():
    m = cf.Model.from_mjcf("<mujoco/>")
    assert (m.opt.softsubsteps, m.opt.softsubstepmax, m.opt.softpasses) == (0, 50, 1)
    assert m.opt.softsleep == 1e-4
    assert (m.nsoft, m.nsoftpoint, m.nsoftdof, m.nsoftbody) == (0, 0, 0, 0)
    assert m.names["soft"] == []


def test_ties_keep_the_place_beside_the_body():
    """In the body's frame, in the reference position; a site holds at itself."""
    m = cf.Model.from_mjcf(ALL)
    d = m.make_data()
    d.forward()
    hand = m.id_of("body", "hand")
    assert (m.softpin_body == hand).all()
    assert len(m.softpin_vert) == 9 + 2
    places = d.xpos[hand] + m.softpin_pos @ d.xmat[hand].reshape(3, 3).T
    assert places[:9] == pytest.approx(m.softvert_pos0[m.softpin_vert[:9]])
    assert places[9] == pytest.approx(d.site("tip").xpos)
    assert places[10] == pytest.approx(d.xpos[hand] + [0, 0, 0.5])


def test_read_write_read():
    """What is written is read back as the same description and the same model."""
    spec = cf.Spec.from_mjcf(ALL)
    again = cf.Spec.from_mjcf(spec.to_xml())
    assert again.to_xml() == spec.to_xml()
    assert again.compile().hash == spec.compile().hash == cf.Model.from_mjcf(ALL).hash


def test_descriptions_are_built():
    """add_cloth, add_softbody, add_chain; pins and ties are added to them."""
    spec = cf.Spec.from_mjcf(f"<mujoco>{BODIES}</mujoco>")
    spec.option["softpasses"] = 2
    flag = spec.add_cloth(name="flag", count=[5, 4], size=[2, 1])
    flag.add("pin", at="left")
    spec.add_softbody(name="jelly", count=[1, 1, 1]).add("tie", vertex=0, body="hand")
    rope = spec.add_chain(name="rope", fromto=[0, 0, 0, 1, 0, 0])
    rope.add("tie", vertex=[0], site="tip")
    m = spec.compile()
    assert m.names["soft"] == ["flag", "jelly", "rope"]
    assert m.nsoftpin == 2
    assert spec.soft("flag") is flag
    flag["size"] = [4, 1]
    assert np.ptp(spec.compile().soft("flag").vert_pos0[:, 0]) == pytest.approx(4)
    flag["name"] = "banner"
    assert spec.soft("banner") is flag
    with pytest.raises(cf.MjcfError, match="soft name 'rope' is already taken"):
        spec.add_cloth(name="rope", count=[2, 2])
    # names are followed
    spec.body("hand")["name"] = "fist"
    assert spec.compile().nsoftpin == 2
    spec.delete(rope)
    assert spec.compile().names["soft"] == ["banner", "jelly"]
    assert spec.copy().compile().hash == spec.compile().hash


def test_classes_are_followed():
    """A class counts for its elements whenever it is edited."""
    spec = cf.Spec()
    thin = spec.add_default("thin")
    thin.add("cloth", thickness=0.01)
    spec.add_cloth(count=[2, 2], class_="thin")
    assert spec.compile().soft_radius[0] == 0.005
    next(thin.children_of("cloth"))["thickness"] = 0.02
    assert spec.compile().soft_radius[0] == 0.01


def test_meshes_inline_and_in_files(tmp_path):
    """Lists of vertices and cells; files beside the model, or in memory."""
    ball = trimesh.creation.icosphere(1, 0.1)
    (tmp_path / "ball.stl").write_bytes(ball.export(file_type="stl"))
    path = tmp_path / "model.xml"
    path.write_text(
        '<mujoco><deformable><cloth file="ball.stl" scale="2 2 2"/>'
        '<softbody type="mesh" file="ball.stl" cell="0.05"/></deformable></mujoco>'
    )
    m = cf.Model.from_mjcf(path)
    assert m.soft_vertnum[0] == 42
    assert np.linalg.norm(m.soft(0).vert_pos0, axis=1) == pytest.approx(0.2, rel=1e-6)
    spec = cf.Spec.from_mjcf(path)
    (tmp_path / "sub").mkdir()
    spec.save(tmp_path / "sub" / "model.xml")
    assert cf.Model.from_mjcf(tmp_path / "sub" / "model.xml").hash == m.hash
    memory = {"ball.stl": ball.export(file_type="stl")}
    assert model('<cloth file="ball.stl"/>', assets=memory).soft_vertnum[0] == 42
    inline = model(
        '<cloth vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"/>'
        '<softbody vertex="0 0 0 1 0 0 0 1 0 0 0 1" element="0 1 2 3"/>'
    )
    assert inline.soft_vertnum.tolist() == [3, 4]


def test_angles_are_those_of_the_compiler():
    degrees = model('<cloth count="2 2" euler="0 90 0"/>')
    radians = cf.Model.from_mjcf(
        '<mujoco><compiler angle="radian"/><deformable>'
        f'<cloth count="2 2" euler="0 {np.pi / 2!r} 0"/></deformable></mujoco>'
    )
    assert degrees.softvert_pos0 == pytest.approx(radians.softvert_pos0)


def test_bodies_that_hold_vertices_are_not_fused():
    text = """<mujoco><compiler fusestatic="true"/><worldbody><body name="post" pos="1 0 0">
      <geom size="0.1"/></body><body name="other"><geom size="0.1"/></body></worldbody>
      <deformable><cloth count="2 2"><tie vertex="0" body="post"/></cloth></deformable></mujoco>"""
    assert cf.Model.from_mjcf(text).names["body"] == ["world", "post"]


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<cloth count="1 4"/>', "count"),
        ("<cloth/>", "needs a count, a file or vertices"),
        ('<cloth count="2 2" size="0 1"/>', "size"),
        ('<cloth count="2 2" poisson="0.5"/>', 'poisson="0.5": expected a number between'),
        ('<cloth count="2 2" young="-1"/>', "young"),
        ('<cloth count="2 2" young="nan"/>', "young"),
        ('<cloth count="2 2" thickness="0"/>', "thickness"),
        ('<cloth count="2 2" material="coton"/>', "did you mean 'cotton'"),
        ('<cloth count="2 2" colour="1"/>', "has no attribute 'colour'"),
        ('<cloth count="2 2" vertex="0 0 0"/>', "only one of count, file, vertex"),
        ('<cloth count="2 2" quat="1 0 0 0" euler="0 0 0"/>', "only one of"),
        ('<cloth vertex="0 0 0 1 0 0 0 1 0" face="0 1 5"/>', 'face="0 1 5": row 0 has vertex 5'),
        ('<cloth vertex="0 0 0 1 0" face="0 1 5"/>', "multiple of 3"),
        ('<cloth vertex="0 0 0 1 0 0 0 1 0"/>', "face: expected a multiple of 3"),
        ('<cloth vertex="0 0 0 1 0 0 2 0 0" face="0 1 2"/>', "has no area"),
        ('<cloth file="ball.ply"/>', "expected a file of type STL, OBJ or MSH"),
        ('<cloth file="gone.stl"/>', "gone.stl"),
        ('<cloth count="2 2" scale="2 2 2"/>', 'scale="2 2 2": it has no meaning for a grid'),
        ('<softbody cell="0.1"/>', "it has no meaning for a box"),
        ('<softbody type="ball" count="2 2 2"/>', "it has no meaning for a ball"),
        ('<chain vertex="0 0 0 1 0 0" segments="3"/>', "it has no meaning for a chain of vertices"),
        ('<cloth count="2 2"><pin/></cloth>', "<pin> needs one of vertex, at, box"),
        ('<cloth count="2 2"><pin at="middle"/></cloth>', "unknown choice of vertices 'middle'"),
        ('<cloth count="2 2"><pin vertex="9"/></cloth>', "there is no vertex 9"),
        ('<cloth count="2 2"><pin box="5 5 5 6 6 6"/></cloth>', "selects no vertex"),
        ('<cloth count="2 2"><pin vertex="0" at="left"/></cloth>', "only one of vertex, at, box"),
        ('<cloth count="2 2"><tie vertex="0"/></cloth>', "<tie> needs a body or a site"),
        ('<cloth count="2 2"><tie vertex="0" body="a" site="b"/></cloth>', "only one of body"),
        ('<cloth count="2 2"><tie vertex="0" body="hnd"/></cloth>', "did you mean 'hand'"),
        ('<cloth count="2 2"><tie vertex="0" site="tap"/></cloth>', "did you mean 'tip'"),
        ('<cloth count="2 2"><tie at="all" site="tip"/></cloth>', "cannot all be at one place"),
        ('<cloth count="2 2"><geom/></cloth>', "cannot be in <cloth>"),
        ('<softbody type="mesh"/>', "needs a file, or vertices"),
        ('<softbody model="edges" material="foam"/>', "poisson"),
        ('<softbody vertex="0 0 0 1 0 0 0 1 0 1 1 0" element="0 1 2 3"/>', "has no volume"),
        ("<chain/>", "needs fromto, or vertices"),
        ('<chain fromto="0 0 0 0 0 0"/>', "the same point"),
        ('<chain fromto="0 0 0 1 0 0" segments="0"/>', "segments"),
        ('<chain name="a" fromto="0 0 0 1 0 0"/><cloth name="a" count="2 2"/>', "already taken"),
        ("<rope/>", "unknown element <rope>"),
    ],
)
def test_mistakes_are_named(inside, words):
    """With the file, the line, the element and the attribute."""
    with pytest.raises(cf.MjcfError, match=words) as caught:
        model(f"\n{inside}")
    assert caught.value.line > 1
    assert caught.value.element


@pytest.mark.parametrize("passes", [0, 5])
def test_passes_are_one_to_four(passes):
    """000.9-AC7: passes by an option of the file, 1 to 4, and 1 if nothing is said."""
    with pytest.raises(cf.MjcfError, match="softpasses"):
        cf.Model.from_mjcf(f'<mujoco><option softpasses="{passes}"/></mujoco>')
    m = cf.Model.from_mjcf("<mujoco/>")
    m.opt.softpasses = passes
    with pytest.raises(cf.ModelError, match="softpasses"):
        m.make_data().step()


def test_models_with_deformables_are_not_attached():
    child = cf.Spec.from_mjcf(ALL)
    with pytest.raises(cf.MjcfError, match="a model with deformables cannot be attached"):
        cf.Spec().attach(child, prefix="a_")


def test_replicated_bodies_hold_no_vertices():
    text = """<mujoco><worldbody><replicate count="2"><body name="a"><geom size="0.1"/></body>
      </replicate></worldbody><deformable><cloth count="2 2"><tie vertex="0" body="a"/></cloth>
      </deformable></mujoco>"""
    with pytest.raises(cf.MjcfError, match="<replicate> cannot be tied to vertices"):
        cf.Model.from_mjcf(text)


def test_other_models_are_as_they_were():
    """11-AC5: a model without deformables has none of their arrays."""
    m = cf.Model.from_mjcf(f"<mujoco>{BODIES}</mujoco>")
    assert not any(array.size for name, array in m._store.arrays.items()
                   if name.startswith("soft") and name != "soft_curved")  # fmt: skip
    d = m.make_data()
    assert d.softvert_pos.size == d.qfrc_soft.size == d.soft_p.size == 0
