"""The element <hillmuscle>: presets, classes, descriptions in Python, writing, mistakes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Bias, Dynamics, Gain
from cortenforge.muscles import PRESETS

MODEL = """
<mujoco>
  <default>{default}</default>
  <worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
  <actuator>
    {muscle}
  </actuator>
</mujoco>"""
MEASURES = 'fmax="100" lopt="0.1" slack="0.2"'


def load(muscle: str, default: str = "") -> cf.Model:
    return cf.load_model(MODEL.format(muscle=muscle, default=default))


def gains(model: cf.Model) -> list[float]:
    return model.actuator_gainprm[0].tolist()


def test_types_are_our_own():
    """Their numbers are none of MuJoCo's."""
    model = load(f'<hillmuscle joint="j" {MEASURES}/>')
    kinds = (model.actuator_dyntype[0], model.actuator_gaintype[0], model.actuator_biastype[0])
    assert kinds == (Dynamics.HILL, Gain.HILL, Bias.HILL) == (100, 100, 100)
    assert gains(model) == [100, 0.1, 0.2, 0, 10, 0.5, 1.6, 1.4, 0, 0]
    assert model.actuator_biasprm[0, :2].tolist() == [0.6, 0.1]
    assert model.actuator_dynprm[0, :3].tolist() == [0.015, 0.06, 0.01]
    assert model.na == 1


def test_presets():
    """000.5-S1: biceps, triceps, quadriceps, gastrocnemius and soleus."""
    assert set(PRESETS) == {"biceps", "triceps", "quadriceps", "gastrocnemius", "soleus"}
    for name, preset in PRESETS.items():
        model = load(f'<hillmuscle joint="j" preset="{name}"/>')
        assert gains(model)[:4] == list(preset.attributes().values())
        assert 300 < preset.fmax < 7000 and preset.pennation < math.radians(30)


def test_an_element_says_more_than_its_preset():
    model = load('<hillmuscle joint="j" preset="soleus" fmax="5"/>')
    assert gains(model)[:2] == [5, PRESETS["soleus"].lopt]


def test_an_elastic_tendon_has_a_strain():
    model = load(f'<hillmuscle joint="j" {MEASURES} strain="0.05"/>')
    assert (model.na, model.actuator_actnum[0], model.nu) == (2, 2, 1)


def test_classes():
    """What the element says counts before its preset, and that before its class."""
    default = '<hillmuscle preset="biceps" vmax="8" minact="0.2" timeconst=".01 .05"/>'
    assert gains(load('<hillmuscle joint="j"/>', default))[:5] == [
        *PRESETS["biceps"].attributes().values(),
        8,
    ]
    model = load('<hillmuscle joint="j" preset="soleus" lopt="0.2"/>', default)
    soleus = PRESETS["soleus"]
    assert gains(model)[:5] == [soleus.fmax, 0.2, soleus.slack, soleus.pennation, 8]
    assert model.actuator_dynprm[0, :3].tolist() == [0.01, 0.05, 0.2]
    # a class that leaves measures open
    model = load(f'<hillmuscle joint="j" {MEASURES}/>', '<hillmuscle strain="0.03"/>')
    assert gains(model)[:3] == [100, 0.1, 0.2] and gains(model)[8] == 0.03


def test_a_description_in_python():
    spec = cf.Spec("arm")
    body = spec.worldbody.add_body()
    body.add_joint(name="j", type="slide")
    body.add_geom(size=0.1)
    preset = cf.muscles.PRESETS["triceps"]
    spec.add_actuator("hillmuscle", name="one", joint="j", preset="triceps")
    spec.add_actuator("hillmuscle", name="two", joint="j", **preset.attributes(), strain=0.04)
    model = spec.compile()
    assert np.array_equal(model.actuator_gainprm[0, :8], model.actuator_gainprm[1, :8])
    assert model.na == 3
    again = cf.Spec.from_mjcf(spec.to_xml())
    assert again.actuator("one")["preset"] == "triceps"
    assert again.compile().hash == model.hash


def test_written_and_read_back():
    """Classes and all: to the same bits."""
    default = '<hillmuscle preset="biceps"/><default class="x"><hillmuscle strain=".03"/></default>'
    muscles = (
        '<hillmuscle joint="j" class="x" gear="2" offset="0.1"/>'
        '<hillmuscle joint="j" fvmax="1.5" lmin="0.4" lmax="1.7" fpstrain=".5" pennation="0.1"/>'
    )
    spec = cf.Spec.from_mjcf(MODEL.format(muscle=muscles, default=default))
    assert cf.Spec.from_mjcf(spec.to_xml()).compile().hash == spec.compile().hash


def test_scaled_frames():
    """A muscle in a frame of twice the size is twice as long."""
    text = MODEL.format(default="", muscle='<hillmuscle joint="j" preset="soleus" offset="0.1"/>')
    framed = text.replace("<body>", '<frame scale="2 2 2"><body>')
    framed = framed.replace("</body>", "</body></frame>")
    plain, large = cf.load_model(text), cf.load_model(framed)
    for place in (1, 2, 9):
        assert large.actuator_gainprm[0, place] == 2 * plain.actuator_gainprm[0, place]
    assert large.actuator_gainprm[0, 3] == plain.actuator_gainprm[0, 3]


BAD = [
    ('fmax="100" lopt="0.1"', "slack", "needs its slack"),
    ('lopt="0.1" slack="0.2"', "fmax", "needs its fmax"),
    ('fmax="0" lopt="0.1" slack="0.2"', "fmax", "greater than 0"),
    ('preset="tongue"', "preset", "tongue"),
    (f'{MEASURES} pennation="25"', "pennation", "radians"),
    (f'{MEASURES} lmin="1.2"', "lmin", "below 1"),
    (f'{MEASURES} lmax="0.9"', "lmax", "above 1"),
    (f'{MEASURES} fvmax="1"', "fvmax", "above 1"),
    (f'{MEASURES} vmax="-1"', "vmax", "greater than 0"),
    (f'{MEASURES} strain="-0.1"', "strain", "at least 0"),
    ('fmax="100" lopt="0.1" slack="0" strain="0.05"', "strain", "slack"),
    (f'{MEASURES} timeconst="0 1"', "timeconst", "greater than 0"),
    (f'{MEASURES} minact="1"', "minact", "below 1"),
    (f'{MEASURES} fibredamping="0"', "fibredamping", "greater than 0"),
    (f'{MEASURES} fpmax="1"', "fpmax", "no attribute"),
    (f'{MEASURES} tendon="t"', "tendon", "exclu|at most|one of"),
]


@pytest.mark.parametrize(("attributes", "attribute", "message"), BAD)
def test_mistakes_are_refused_at_their_place(attributes, attribute, message):
    """With line, element and attribute."""
    with pytest.raises(cf.MjcfError, match=message) as caught:
        load(f'<hillmuscle name="h" joint="j" {attributes}/>')
    error = caught.value
    assert (error.line, error.element, error.attribute) == (6, "hillmuscle", attribute)


def test_a_general_actuator_cannot_be_half_a_muscle():
    with pytest.raises(cf.MjcfError, match="belong together"):
        load('<general joint="j" biastype="none"/>', '<hillmuscle preset="biceps"/>')
