"""Materials and their presets."""

from __future__ import annotations

import math

import pytest

import cortenforge as cf
from cortenforge.soft import CHAINS, CLOTHS, MATERIALS, SOFT_BODIES


def test_presets_are_all_there():
    """11-S2: 14 materials, and the presets of cloth, soft bodies and chains."""
    assert len(MATERIALS) == 14
    assert set(CLOTHS) == {"cotton", "silk", "leather", "rubber", "paper", "membrane"}
    assert set(SOFT_BODIES) == {"rubber", "gelatin", "soft_tissue", "muscle", "foam", "stiff"}
    assert set(CHAINS) == {"rope", "steel_cable", "hair", "chain"}


def test_friction_is_a_half_unless_said():
    """11-S2: friction .5."""
    assert cf.Material(1e6, 0.3, 1000).friction == 0.5


@pytest.mark.parametrize("name", CLOTHS)
def test_cloth_of_each_preset(name):
    cloth = cf.Cloth.grid(3, 3, material=name)
    assert cloth.thickness == CLOTHS[name].thickness
    assert cloth.radius == cloth.thickness / 2
    assert cloth.masses().sum() == pytest.approx(cloth.material.density * cloth.thickness)


@pytest.mark.parametrize("name", SOFT_BODIES)
def test_soft_body_of_each_preset(name):
    body = cf.SoftBody.box(1, 0.5, material=name)
    assert body.radius == 0.005
    assert body.masses().sum() == pytest.approx(body.material.density * 0.125)


@pytest.mark.parametrize("name", CHAINS)
def test_chain_of_each_preset(name):
    chain = cf.CapsuleChain.line((0, 0, 0), (1, 0, 0), 4, material=name)
    area = math.pi * CHAINS[name].radius ** 2
    assert chain.masses().sum() == pytest.approx(chain.material.density * area)


def test_moduli():
    """Shear modulus and parameters of Lame follow from Young and Poisson."""
    material = cf.Material(2.0, 0.25, 1)
    assert material.shear == pytest.approx(0.8)
    assert material.lame == pytest.approx(0.8)
    assert material.plane_lame == pytest.approx(0.5 / 0.9375)


def test_parts_of_a_material_can_be_replaced():
    cloth = cf.Cloth.grid(2, 2, material="silk", young=5.0, friction=0.1)
    assert (cloth.material.young, cloth.material.friction) == (5.0, 0.1)
    assert cloth.material.density == MATERIALS["silk"].density


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"young": 0}, "young: expected a positive"),
        ({"young": -1}, "young: expected a positive"),
        ({"density": 0}, "density: expected a positive"),
        ({"poisson": 0.5}, "poisson: expected a number between"),
        ({"poisson": -1}, "poisson: expected a number between"),
        ({"friction": -0.1}, "friction: expected no negative"),
        ({"damping": -1}, "damping: expected no negative"),
        ({"young": math.nan}, "young: expected a finite"),
        ({"young": math.inf}, "young: expected a finite"),
        ({"young": "much"}, "young: expected a number"),
        ({"young": [1, 2]}, "young: expected a number"),
        ({"young": True}, "young: expected a number"),
    ],
)
def test_impossible_materials_are_refused(change, words):
    numbers = {"young": 1.0, "poisson": 0.3, "density": 1.0} | change
    with pytest.raises(cf.SoftError, match=words):
        cf.Material(**numbers)


def test_an_unknown_material_is_refused_with_a_hint():
    with pytest.raises(cf.SoftError, match="did you mean 'cotton'"):
        cf.Cloth.grid(2, 2, material="coton")
    with pytest.raises(cf.SoftError, match="expected a Material or a name"):
        cf.Cloth.grid(2, 2, material=3)


def test_any_material_can_be_of_any_body():
    """A name that is no preset of the kind of body means the material alone."""
    assert cf.Cloth.grid(2, 2, material="gelatin").thickness == 1e-3
    assert cf.SoftBody.box(1, material="silk").material == MATERIALS["silk"]
