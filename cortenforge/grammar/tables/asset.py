"""Grammar of assets: textures, materials with their layers, height fields."""

from __future__ import annotations

from dataclasses import replace

from cortenforge.grammar.rule import (
    Attribute,
    Kind,
    Rule,
    boolean,
    integer,
    integers,
    keyword,
    own_class,
    own_name,
    real,
    reals,
    rule,
    single,
    singles,
    text,
)
from cortenforge.grammar.tables.option import TRISTATE

# the six sides of a cube, in the order in which their pixels are stored
SIDES = ("right", "left", "up", "down", "front", "back")
# what a texture can be for in a material, in the order of mat_texid
ROLES = "user rgb occlusion roughness metallic normal opacity emissive rgba orm"


def file(name: str = "file") -> Attribute:
    """The name of a file, which a default class cannot give."""
    return text(name, in_defaults=False)


ASSET = rule(
    "asset",
    children="mesh* texture* material* hfield* skin* model*",
)

TEXTURE = rule(
    "texture",
    own_name(),
    own_class(),
    keyword("type", "2d cube skybox", "cube"),
    keyword("colorspace", "auto linear sRGB", "auto"),
    text("content_type", in_defaults=False),
    file(),
    integers("gridsize", 2, (1, 1)),
    text("gridlayout"),
    [file(f"file{side}") for side in SIDES],
    keyword("builtin", "none gradient checker flat", "none"),
    reals("rgb1", 3, (0.8, 0.8, 0.8)),
    reals("rgb2", 3, (0.5, 0.5, 0.5)),
    keyword("mark", "none edge cross random", "none"),
    reals("markrgb", 3, (0, 0, 0)),
    real("random", 0.01),
    integer("width", 0),
    integer("height", 0),
    boolean("hflip"),
    boolean("vflip"),
    integer("nchannel", 3),
    keyword("embed", TRISTATE, "auto"),
)

MATERIAL = rule(
    "material",
    own_name(),
    own_class(),
    text("texture"),
    singles("texrepeat", 2, (1, 1)),
    boolean("texuniform"),
    single("emission", 0.0),
    single("specular", 0.5),
    single("shininess", 0.5),
    single("reflectance", 0.0),
    single("metallic", -1.0),
    single("roughness", -1.0),
    singles("rgba", 4, (1, 1, 1, 1)),
    children="layer*",
)

LAYER = rule(
    "layer",
    keyword("role", ROLES.removeprefix("user "), required=True),
    text("texture", required=True),
)

HFIELD = rule(
    "hfield",
    own_name(),
    text("content_type"),
    file(),
    integer("nrow", 0),
    integer("ncol", 0),
    reals("size", 4, required=True, positive=True),
    Attribute("elevation", Kind.SINGLE, 0, None),
)

MODEL = rule(
    "model",
    own_name(),
    text("file", required=True),
    text("content_type"),
)

RULES = {
    "asset": ASSET,
    "model": MODEL,
    "texture": TEXTURE,
    "material": MATERIAL,
    "layer": LAYER,
    "hfield": HFIELD,
}

# what default classes can say about assets; a material keeps its layers there
DEFAULT_RULES: dict[str, Rule] = {
    "texture": TEXTURE.as_default(),
    "material": replace(MATERIAL.as_default(), children=MATERIAL.children),
}
