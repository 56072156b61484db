"""Materials of deformables: elastic constants, density, friction, damping, and presets.

mu = E / (2 (1 + nu)),    lambda = E nu / ((1 + nu) (1 - 2 nu))    in space
                          lambda = E nu / (1 - nu^2)               in plane stress
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from cortenforge.errors import SoftError
from cortenforge.soft.arguments import finite_number, known_names_hint, positive_number

#: default friction
FRICTION = 0.5


@dataclass(frozen=True)
class Material:
    """An isotropic elastic material.

    young:    Young's modulus [Pa].
    poisson:  Poisson's ratio, between -1 and 0.5, both excluded.
    density:  [kg/m^3].
    friction: of a contact it is the geometric mean of both sides.
    damping:  rate at which motion that is not rigid decays [1/s].
    Raises SoftError for numbers out of range.
    """

    young: float
    poisson: float
    density: float
    friction: float = FRICTION
    damping: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = finite_number(field.name, getattr(self, field.name))
            object.__setattr__(self, field.name, value)
        for name in ("young", "density"):
            positive_number(name, getattr(self, name))
        for name in ("friction", "damping"):
            if getattr(self, name) < 0:
                raise SoftError(f"expected no negative number, got {getattr(self, name):g}", name)
        if not -1 < self.poisson < 0.5:
            raise SoftError(
                f"expected a number between -1 and 0.5, both excluded, got {self.poisson:g}",
                "poisson",
                hint="0.49 is nearly incompressible",
            )

    @property
    def shear(self) -> float:
        """Shear modulus [Pa]."""
        return self.young / (2 * (1 + self.poisson))

    @property
    def lame(self) -> float:
        """First parameter of Lame, lambda, in space [Pa]."""
        return self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson))

    @property
    def plane_lame(self) -> float:
        """The same in plane stress, for thin sheets [Pa]."""
        return self.young * self.poisson / (1 - self.poisson**2)


@dataclass(frozen=True)
class Preset:
    """A material with the thickness or radius that it usually has.

    thickness: of a cloth [m].
    radius:    of a chain [m].
    bending:   stiffness in bending and twisting, as a part of that of a solid sheet or rod: fibres
               and links slide along each other.
    """

    material: Material
    thickness: float = 0.0
    radius: float = 0.0
    bending: float = 1.0


#: materials by name
MATERIALS: dict[str, Material] = {
    "rubber": Material(2e6, 0.49, 1100.0, 0.9, 2.0),
    "soft_rubber": Material(2e5, 0.48, 1050.0, 0.9, 2.0),
    "gelatin": Material(5e3, 0.45, 1000.0, 0.3, 2.0),
    "soft_tissue": Material(1e4, 0.47, 1000.0, 0.5, 5.0),
    "muscle": Material(5e4, 0.47, 1060.0, 0.5, 5.0),
    "foam": Material(3e4, 0.2, 60.0, 0.6, 5.0),
    "cotton": Material(1e6, 0.3, 500.0, 0.5, 1.0),
    "silk": Material(2e6, 0.3, 400.0, 0.3, 0.5),
    "leather": Material(3e7, 0.4, 900.0, 0.6, 2.0),
    "paper": Material(2e9, 0.3, 800.0, 0.4, 2.0),
    "membrane": Material(1e6, 0.45, 950.0, 0.5, 1.0),
    "nylon": Material(3e9, 0.39, 1150.0, 0.4, 1.0),
    "steel": Material(2e11, 0.3, 7850.0, 0.3, 0.5),
    "keratin": Material(4e9, 0.37, 1300.0, 0.3, 1.0),
}
CLOTHS: dict[str, Preset] = {
    "cotton": Preset(MATERIALS["cotton"], thickness=1e-3),
    "silk": Preset(MATERIALS["silk"], thickness=3e-4),
    "leather": Preset(MATERIALS["leather"], thickness=2e-3),
    "rubber": Preset(MATERIALS["rubber"], thickness=1e-3),
    "paper": Preset(MATERIALS["paper"], thickness=1e-4),
    "membrane": Preset(MATERIALS["membrane"], thickness=5e-4),
}
SOFT_BODIES: dict[str, Preset] = {
    **{
        name: Preset(MATERIALS[name])
        for name in ("rubber", "gelatin", "soft_tissue", "muscle", "foam")
    },
    "stiff": Preset(Material(1e7, 0.3, 1000.0, 0.5, 2.0)),
}
CHAINS: dict[str, Preset] = {
    "rope": Preset(MATERIALS["nylon"], radius=5e-3, bending=1e-3),
    "steel_cable": Preset(MATERIALS["steel"], radius=3e-3, bending=1e-2),
    "hair": Preset(MATERIALS["keratin"], radius=4e-5),
    "chain": Preset(MATERIALS["steel"], radius=4e-3, bending=1e-6),
}


def preset_of(material: str | Material, presets: Mapping[str, Preset]) -> Preset:
    """The preset of a name, or of a material, for a kind of deformable."""
    if isinstance(material, Material):
        return Preset(material)
    if not isinstance(material, str):
        raise SoftError(f"expected a Material or a name, got {material!r}"[:300], "material")
    if material in presets:
        return presets[material]
    if material in MATERIALS:
        return Preset(MATERIALS[material])
    known = [*presets, *(name for name in MATERIALS if name not in presets)]
    raise SoftError(
        f"there is no material {material!r}", "material", hint=known_names_hint(material, known)
    )
