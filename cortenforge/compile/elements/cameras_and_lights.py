"""Cameras and lights: pose in the body, what they follow, optics."""

from __future__ import annotations

import math

import numpy as np

from cortenforge.compile.elements.orientation import element_pose
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Camera, Light
from cortenforge.enums import CamLight
from cortenforge.spec.attribute import flag, keyword, keyword_code, number, numbers, vector3
from cortenforge.spec.rotation import UNIT_QUAT, compose_poses, normalized, rotate, vector_norm

TRACKING_MODES = {
    "fixed": CamLight.FIXED,
    "track": CamLight.TRACK,
    "trackcom": CamLight.TRACKCOM,
    "targetbody": CamLight.TARGETBODY,
    "targetbodycom": CamLight.TARGETBODYCOM,
}
PROJECTION_CODES = {"perspective": 0, "orthographic": 1}
OUTPUT_BITS = {"rgb": 1, "depth": 2, "distance": 4, "normal": 8, "segmentation": 16}
LIGHT_TYPE_CODES = {"spot": 0, "directional": 1, "point": 2, "image": 3}


def compile_camera(camera: Camera, settings: CompilerSettings, znear: float) -> None:
    """Read one camera."""
    element = camera.element
    camera.pos, camera.quat = compose_poses(camera.frame, element_pose(element, settings))
    camera.mode = keyword_code(element, "mode", TRACKING_MODES)
    camera.target = keyword(element, "target")
    camera.projection = keyword_code(element, "projection", PROJECTION_CODES)
    camera.ipd = number(element, "ipd")
    across, down = numbers(element, "resolution")
    camera.resolution = (int(across), int(down))
    camera.output = _output_bits(camera)
    camera.fovy = number(element, "fovy")
    if camera.fovy >= 180:
        raise element.error("the field of view must be below 180 degrees", "fovy")
    _set_lens(camera, znear)


def _output_bits(camera: Camera) -> int:
    """Bits of the kinds of images that a camera has: rgb, depth, ..."""
    value = camera.element["output"]
    if value is None:
        return OUTPUT_BITS["rgb"]
    bits = 0
    for word in str(value).split():
        if word not in OUTPUT_BITS:
            raise camera.element.error(f"expected words of {', '.join(OUTPUT_BITS)}", "output")
        bits |= OUTPUT_BITS[word]
    return bits


def _set_lens(camera: Camera, znear: float) -> None:
    """Set camera.intrinsic (fx, fy, cx, cy) [m] and fovy, in single precision, as stored.

    pixels per length  d = resolution / sensorsize,  f = focalpixel / d or focal
    fovy = 2 atan(sensor height / (2 fy))
    """
    element = camera.element
    single = {
        name: np.array(numbers(element, name), np.float32)
        for name in ("focal", "focalpixel", "principal", "principalpixel", "sensorsize")
    }
    sensor = single.pop("sensorsize")
    camera.sensorsize = tuple(sensor.tolist())
    if not (sensor > 0).all():
        for name, value in single.items():
            if value.any():
                raise element.error("needs a sensorsize", name)
        camera.intrinsic = (znear, znear, 0.0, 0.0)
        return
    if min(camera.resolution) <= 0:
        raise element.error("a sensorsize needs a positive resolution", "resolution")
    density = np.array(camera.resolution, np.float32) / sensor
    focal = np.where(single["focalpixel"], single["focalpixel"] / density, single["focal"])
    centre = np.where(
        single["principalpixel"], single["principalpixel"] / density, single["principal"]
    )
    camera.intrinsic = (*focal.tolist(), *centre.tolist())
    # rounded once, as libm's atan2f: NumPy's differs from processor to processor
    half = np.float32(math.atan2(sensor[1] / np.float32(2), focal[1]))
    camera.fovy = float(half) * 360.0 / math.pi


def compile_light(light: Light) -> None:
    """Read one light."""
    element = light.element
    position = vector3(element, "pos")
    light.pos = compose_poses(light.frame, (position, UNIT_QUAT))[0]
    direction = rotate(light.frame[1], vector3(element, "dir"))
    if vector_norm(direction) == 0.0:
        raise element.error("this direction is too short", "dir")
    light.dir = normalized(direction)
    light.mode = keyword_code(element, "mode", TRACKING_MODES)
    light.target = keyword(element, "target")
    light.type = keyword_code(element, "type", LIGHT_TYPE_CODES)
    light.castshadow = flag(element, "castshadow")
    light.active = flag(element, "active")
    for name in ("bulbradius", "intensity", "range", "cutoff", "softness", "exponent"):
        setattr(light, name, number(element, name))
    for name in ("attenuation", "ambient", "diffuse", "specular"):
        setattr(light, name, numbers(element, name))
    if not 0 <= light.softness <= 1:
        raise element.error("expected a number between 0 and 1", "softness")
