"""Made from the grammar by `python -m cortenforge.spec.stubs`; do not edit."""

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", covariant=True)

class Item(Generic[T]):
    """An attribute that is read as a type, and takes numbers, words, lists and arrays."""

    def __get__(self, element: object, kind: type | None = None) -> T: ...
    def __set__(self, element: object, value: Any) -> None: ...
    def __delete__(self, element: object) -> None: ...

class ElementAttributes:
    """Attributes that elements of MJCF can have."""

    accel: Item[float]
    """Of <lengthrange>."""
    act: Item[NDArray[np.float64] | None]
    """Of <key>."""
    actdim: Item[int]
    """Of <general>, <pidplugin>."""
    actearly: Item[bool]
    """Of <general>, <pidplugin>."""
    active: Item[bool | str]
    """Of <connect>, <distance>, <equality>, <headlight> and others."""
    actlimited: Item[str]
    """Of <general>, <intvelocity>, <pidplugin>."""
    actrange: Item[NDArray[np.float64]]
    """Of <general>, <intvelocity>, <pidplugin>."""
    actuation: Item[str]
    """Of <flag>."""
    actuator: Item[NDArray[np.float64] | str | None]
    """Of <actuatorfrc>, <actuatorpos>, <actuatorvel>, <rgba>."""
    actuatorfrclimited: Item[str]
    """Of <fixed>, <joint>, <spatial>, <tendon>."""
    actuatorfrcrange: Item[NDArray[np.float64]]
    """Of <fixed>, <joint>, <spatial>, <tendon>."""
    actuatorgravcomp: Item[bool]
    """Of <joint>."""
    actuatorgroupdisable: Item[NDArray[np.int64]]
    """Of <option>."""
    actuatorlength: Item[float]
    """Of <scale>."""
    actuatornegative: Item[NDArray[np.float64]]
    """Of <rgba>."""
    actuatorpositive: Item[NDArray[np.float64]]
    """Of <rgba>."""
    actuatortendon: Item[float]
    """Of <map>."""
    actuatorwidth: Item[float]
    """Of <scale>."""
    adhesion: Item[float]
    """Of <geom>, <pair>."""
    align: Item[str]
    """Of <freejoint>."""
    alignfree: Item[bool]
    """Of <compiler>."""
    alpha: Item[float]
    """Of <map>."""
    ambient: Item[NDArray[np.float64]]
    """Of <headlight>, <light>."""
    anchor: Item[NDArray[np.float64] | None]
    """Of <connect>, <weld>."""
    angle: Item[str]
    """Of <compiler>."""
    area: Item[float]
    """Of <cylinder>."""
    armature: Item[float]
    """Of <cylinder>, <damper>, <dcmotor>, <fixed> and others."""
    assetdir: Item[str | None]
    """Of <compiler>."""
    at: Item[str | None]
    """Of <pin>, <tie>."""
    attenuation: Item[NDArray[np.float64]]
    """Of <light>."""
    autolimits: Item[bool]
    """Of <compiler>."""
    autoreset: Item[str]
    """Of <flag>."""
    axis: Item[NDArray[np.float64]]
    """Of <joint>."""
    axisangle: Item[NDArray[np.float64] | None]
    """Of <body>, <camera>, <chain>, <cloth> and others."""
    azimuth: Item[float]
    """Of <global>."""
    balanceinertia: Item[bool]
    """Of <compiler>."""
    bending: Item[float | None]
    """Of <chain>, <cloth>."""
    bias: Item[NDArray[np.float64]]
    """Of <cylinder>."""
    biasprm: Item[NDArray[np.float64]]
    """Of <general>."""
    biastype: Item[str]
    """Of <general>."""
    bindpos: Item[NDArray[np.float64] | None]
    """Of <bone>."""
    bindquat: Item[NDArray[np.float64] | None]
    """Of <bone>."""
    body: Item[str | None]
    """Of <adhesion>, <attach>, <bone>, <general> and others."""
    body1: Item[str | None]
    """Of <connect>, <contact>, <distance>, <exclude> and others."""
    body2: Item[str | None]
    """Of <connect>, <contact>, <distance>, <exclude> and others."""
    boundinertia: Item[float]
    """Of <compiler>."""
    boundmass: Item[float]
    """Of <compiler>."""
    box: Item[NDArray[np.float64] | None]
    """Of <pin>, <tie>."""
    builtin: Item[str | None]
    """Of <mesh>, <texture>."""
    bulbradius: Item[float]
    """Of <light>."""
    bv: Item[NDArray[np.float64]]
    """Of <rgba>."""
    bvactive: Item[NDArray[np.float64] | bool]
    """Of <global>, <rgba>."""
    camera: Item[NDArray[np.float64] | float | str | None]
    """Of <camprojection>, <rangefinder>, <rgba>, <scale>."""
    cameraid: Item[int]
    """Of <global>."""
    castshadow: Item[bool]
    """Of <geom>, <light>."""
    ccd_iterations: Item[int]
    """Of <option>."""
    ccd_tolerance: Item[float]
    """Of <option>."""
    cell: Item[float | None]
    """Of <softbody>."""
    center: Item[NDArray[np.float64] | None]
    """Of <statistic>."""
    childclass: Item[str | None]
    """Of <body>, <frame>, <replicate>."""
    clampctrl: Item[str]
    """Of <flag>."""
    class_: Item[str | None]
    """Of <adhesion>, <camera>, <chain>, <cloth> and others."""
    coef: Item[float | None]
    """Of <joint>."""
    cogging: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    colorspace: Item[str]
    """Of <texture>."""
    com: Item[NDArray[np.float64] | float]
    """Of <rgba>, <scale>."""
    conaffinity: Item[int]
    """Of <chain>, <cloth>, <geom>, <softbody>."""
    condim: Item[int]
    """Of <geom>, <pair>."""
    cone: Item[str]
    """Of <option>."""
    conflict: Item[str]
    """Of <compiler>."""
    connect: Item[NDArray[np.float64] | float]
    """Of <rgba>, <scale>."""
    constraint: Item[NDArray[np.float64] | float | str]
    """Of <flag>, <rgba>, <scale>."""
    contact: Item[str]
    """Of <flag>."""
    contactforce: Item[NDArray[np.float64]]
    """Of <rgba>."""
    contactfriction: Item[NDArray[np.float64]]
    """Of <rgba>."""
    contactgap: Item[NDArray[np.float64]]
    """Of <rgba>."""
    contactheight: Item[float]
    """Of <scale>."""
    contactpoint: Item[NDArray[np.float64]]
    """Of <rgba>."""
    contacttorque: Item[NDArray[np.float64]]
    """Of <rgba>."""
    contactwidth: Item[float]
    """Of <scale>."""
    content_type: Item[str | None]
    """Of <hfield>, <mesh>, <model>, <texture>."""
    controller: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    contype: Item[int]
    """Of <chain>, <cloth>, <geom>, <softbody>."""
    coordinate: Item[str]
    """Of <compiler>."""
    count: Item[NDArray[np.int64] | int | None]
    """Of <cloth>, <replicate>, <softbody>."""
    crankbroken: Item[NDArray[np.float64]]
    """Of <rgba>."""
    cranklength: Item[float]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    cranksite: Item[str | None]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    ctrl: Item[NDArray[np.float64] | None]
    """Of <key>."""
    ctrllimited: Item[str]
    """Of <cylinder>, <dcmotor>, <general>, <hillmuscle> and others."""
    ctrlrange: Item[NDArray[np.float64]]
    """Of <adhesion>, <cylinder>, <damper>, <dcmotor> and others."""
    cutoff: Item[float]
    """Of <accelerometer>, <actuatorfrc>, <actuatorpos>, <actuatorvel> and others."""
    damper: Item[str]
    """Of <flag>."""
    damping: Item[NDArray[np.float64] | float | None]
    """Of <chain>, <cloth>, <cylinder>, <damper> and others."""
    dampratio: Item[float | None]
    """Of <intvelocity>, <orientation>, <pid>, <position>."""
    data: Item[NDArray[np.float64] | str | None]
    """Of <contact>, <numeric>, <rangefinder>, <text>."""
    datatype: Item[str]
    """Of <user>."""
    delay: Item[float]
    """Of <accelerometer>, <actuatorfrc>, <actuatorpos>, <actuatorvel> and others."""
    density: Item[float | None]
    """Of <chain>, <cloth>, <geom>, <option> and others."""
    diagexact: Item[str]
    """Of <flag>."""
    diaginertia: Item[NDArray[np.float64] | None]
    """Of <inertial>."""
    diameter: Item[float | None]
    """Of <cylinder>."""
    diffuse: Item[NDArray[np.float64]]
    """Of <headlight>, <light>."""
    dim: Item[int | None]
    """Of <user>."""
    dir: Item[NDArray[np.float64]]
    """Of <light>."""
    directional: Item[bool]
    """Of <light>."""
    discardvisual: Item[bool]
    """Of <compiler>."""
    distance: Item[float | None]
    """Of <distance>."""
    divisor: Item[float | None]
    """Of <pulley>."""
    drag: Item[float]
    """Of <chain>, <cloth>, <softbody>."""
    dynprm: Item[NDArray[np.float64]]
    """Of <general>, <pidplugin>."""
    dyntype: Item[str]
    """Of <general>, <pidplugin>."""
    element: Item[NDArray[np.int64] | None]
    """Of <softbody>."""
    elevation: Item[NDArray[np.float64] | float | None]
    """Of <global>, <hfield>."""
    ellipsoidinertia: Item[bool]
    """Of <global>."""
    embed: Item[str]
    """Of <texture>."""
    emission: Item[float]
    """Of <material>."""
    enclosed: Item[bool]
    """Of <insidesite>."""
    energy: Item[str]
    """Of <flag>."""
    equality: Item[str]
    """Of <flag>."""
    euler: Item[NDArray[np.float64] | None]
    """Of <body>, <camera>, <chain>, <cloth> and others."""
    eulerdamp: Item[str]
    """Of <flag>."""
    eulerseq: Item[str]
    """Of <compiler>."""
    exponent: Item[float]
    """Of <light>."""
    extent: Item[float | None]
    """Of <statistic>."""
    face: Item[NDArray[np.int64] | None]
    """Of <cloth>, <mesh>, <skin>."""
    ffrange: Item[NDArray[np.float64]]
    """Of <general>, <pid>."""
    fibredamping: Item[float]
    """Of <hillmuscle>."""
    file: Item[str | None]
    """Of <cloth>, <hfield>, <mesh>, <model> and others."""
    fileback: Item[str | None]
    """Of <texture>."""
    filedown: Item[str | None]
    """Of <texture>."""
    filefront: Item[str | None]
    """Of <texture>."""
    fileleft: Item[str | None]
    """Of <texture>."""
    fileright: Item[str | None]
    """Of <texture>."""
    fileup: Item[str | None]
    """Of <texture>."""
    filterparent: Item[str]
    """Of <flag>."""
    fitaabb: Item[bool]
    """Of <compiler>."""
    fitscale: Item[float]
    """Of <geom>."""
    fluidcoef: Item[NDArray[np.float64]]
    """Of <geom>."""
    fluidshape: Item[str]
    """Of <geom>."""
    fmax: Item[float | None]
    """Of <hillmuscle>."""
    focal: Item[NDArray[np.float64]]
    """Of <camera>."""
    focalpixel: Item[NDArray[np.float64]]
    """Of <camera>."""
    fog: Item[NDArray[np.float64]]
    """Of <rgba>."""
    fogend: Item[float]
    """Of <map>."""
    fogstart: Item[float]
    """Of <map>."""
    force: Item[NDArray[np.float64] | float]
    """Of <map>, <muscle>, <rgba>."""
    forcelimited: Item[str]
    """Of <adhesion>, <cylinder>, <damper>, <general> and others."""
    forcerange: Item[NDArray[np.float64]]
    """Of <adhesion>, <cylinder>, <damper>, <general> and others."""
    forcewidth: Item[float]
    """Of <scale>."""
    fov: Item[NDArray[np.float64] | None]
    """Of <touchgrid>."""
    fovy: Item[float]
    """Of <camera>, <global>."""
    fpmax: Item[float]
    """Of <muscle>."""
    fpstrain: Item[float]
    """Of <hillmuscle>."""
    frame: Item[str | None]
    """Of <attach>."""
    framelength: Item[float]
    """Of <scale>."""
    framewidth: Item[float]
    """Of <scale>."""
    friction: Item[NDArray[np.float64] | float | None]
    """Of <chain>, <cloth>, <geom>, <pair> and others."""
    frictionloss: Item[float | str]
    """Of <fixed>, <flag>, <joint>, <spatial> and others."""
    fromto: Item[NDArray[np.float64] | None]
    """Of <chain>, <geom>, <site>."""
    frustum: Item[NDArray[np.float64] | float]
    """Of <rgba>, <scale>."""
    fullinertia: Item[NDArray[np.float64] | None]
    """Of <inertial>."""
    fuse: Item[str]
    """Of <body>."""
    fusestatic: Item[bool]
    """Of <compiler>."""
    fvmax: Item[float]
    """Of <hillmuscle>, <muscle>."""
    fwdinv: Item[str]
    """Of <flag>."""
    gain: Item[float]
    """Of <adhesion>."""
    gainprm: Item[NDArray[np.float64]]
    """Of <general>."""
    gaintype: Item[str]
    """Of <general>."""
    gamma: Item[float]
    """Of <touchgrid>."""
    gap: Item[float]
    """Of <geom>, <pair>."""
    gear: Item[NDArray[np.float64]]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    geom: Item[str | None]
    """Of <geom>, <tactile>."""
    geom1: Item[str | None]
    """Of <contact>, <distance>, <fromto>, <normal> and others."""
    geom2: Item[str | None]
    """Of <contact>, <distance>, <fromto>, <normal> and others."""
    glow: Item[float]
    """Of <global>."""
    gravcomp: Item[float]
    """Of <body>."""
    gravity: Item[NDArray[np.float64] | str]
    """Of <flag>, <option>."""
    gridlayout: Item[str | None]
    """Of <texture>."""
    gridsize: Item[NDArray[np.int64]]
    """Of <texture>."""
    group: Item[int]
    """Of <adhesion>, <chain>, <cloth>, <cylinder> and others."""
    haze: Item[NDArray[np.float64] | float]
    """Of <map>, <rgba>."""
    height: Item[int]
    """Of <texture>."""
    hfield: Item[str | None]
    """Of <geom>."""
    hflip: Item[bool]
    """Of <texture>."""
    imax: Item[float | None]
    """Of <pid>, <pidplugin>."""
    impratio: Item[float]
    """Of <option>."""
    inductance: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    inertia: Item[NDArray[np.float64] | str]
    """Of <mesh>, <rgba>."""
    inertiafromgeom: Item[str]
    """Of <compiler>."""
    inertiagrouprange: Item[NDArray[np.int64]]
    """Of <compiler>."""
    inflate: Item[float]
    """Of <skin>."""
    inheritrange: Item[float]
    """Of <general>, <intvelocity>, <pid>, <position>."""
    input: Item[str | None]
    """Of <dcmotor>, <general>, <orientation>, <pid>."""
    integrator: Item[str]
    """Of <option>."""
    intensity: Item[float]
    """Of <light>."""
    interp: Item[str]
    """Of <accelerometer>, <actuatorfrc>, <actuatorpos>, <actuatorvel> and others."""
    interval: Item[NDArray[np.float64] | float]
    """Of <accelerometer>, <actuatorfrc>, <actuatorpos>, <actuatorvel> and others."""
    inttotal: Item[float]
    """Of <lengthrange>."""
    invdiscrete: Item[str]
    """Of <flag>."""
    ipc: Item[str]
    """Of <flag>."""
    ipd: Item[float]
    """Of <camera>, <global>."""
    island: Item[str]
    """Of <flag>."""
    iterations: Item[int]
    """Of <option>."""
    jacobian: Item[str]
    """Of <option>."""
    joint: Item[NDArray[np.float64] | str | None]
    """Of <ballangvel>, <ballquat>, <cylinder>, <damper> and others."""
    joint1: Item[str | None]
    """Of <joint>."""
    joint2: Item[str | None]
    """Of <joint>."""
    jointinparent: Item[str | None]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    jointlength: Item[float]
    """Of <scale>."""
    jointwidth: Item[float]
    """Of <scale>."""
    kd: Item[float]
    """Of <pidplugin>."""
    ki: Item[float]
    """Of <pid>, <pidplugin>."""
    kp: Item[float]
    """Of <intvelocity>, <orientation>, <pid>, <pidplugin> and others."""
    kv: Item[float]
    """Of <damper>, <intvelocity>, <orientation>, <pid> and others."""
    lengthrange: Item[NDArray[np.float64]]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    light: Item[NDArray[np.float64] | float]
    """Of <rgba>, <scale>."""
    limit: Item[str]
    """Of <flag>."""
    limited: Item[str]
    """Of <fixed>, <joint>, <spatial>, <tendon>."""
    linewidth: Item[float]
    """Of <global>."""
    lmax: Item[float]
    """Of <hillmuscle>, <muscle>."""
    lmin: Item[float]
    """Of <hillmuscle>, <muscle>."""
    lopt: Item[float | None]
    """Of <hillmuscle>."""
    ls_iterations: Item[int]
    """Of <option>."""
    ls_tolerance: Item[float]
    """Of <option>."""
    lugre: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    magnetic: Item[NDArray[np.float64]]
    """Of <option>."""
    margin: Item[float]
    """Of <fixed>, <geom>, <joint>, <pair> and others."""
    mark: Item[str]
    """Of <texture>."""
    markrgb: Item[NDArray[np.float64]]
    """Of <texture>."""
    mass: Item[float | None]
    """Of <geom>, <inertial>."""
    massscale: Item[float]
    """Of <frame>."""
    material: Item[str | None]
    """Of <chain>, <cloth>, <geom>, <mesh> and others."""
    maxforce: Item[float]
    """Of <lengthrange>."""
    maxhullvert: Item[int]
    """Of <mesh>."""
    meaninertia: Item[float | None]
    """Of <statistic>."""
    meanmass: Item[float | None]
    """Of <statistic>."""
    meansize: Item[float | None]
    """Of <statistic>."""
    memory: Item[int]
    """Of <size>."""
    mesh: Item[str | None]
    """Of <geom>, <site>, <tactile>."""
    meshdir: Item[str | None]
    """Of <compiler>."""
    metallic: Item[float]
    """Of <material>."""
    midphase: Item[str]
    """Of <flag>."""
    minact: Item[float]
    """Of <hillmuscle>."""
    mocap: Item[bool]
    """Of <body>."""
    mode: Item[str]
    """Of <camera>, <lengthrange>, <light>."""
    model: Item[str | None]
    """Of <attach>, <mujoco>, <softbody>."""
    motorconst: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    mpos: Item[NDArray[np.float64] | None]
    """Of <key>."""
    mquat: Item[NDArray[np.float64] | None]
    """Of <key>."""
    multiccd: Item[str]
    """Of <flag>."""
    nativeccd: Item[str]
    """Of <flag>."""
    nchannel: Item[int]
    """Of <texture>, <touchgrid>."""
    ncol: Item[int]
    """Of <hfield>."""
    nconmax: Item[int]
    """Of <size>."""
    needstage: Item[str]
    """Of <user>."""
    njmax: Item[int]
    """Of <size>."""
    nkey: Item[int]
    """Of <size>."""
    noise: Item[float]
    """Of <accelerometer>, <actuatorfrc>, <actuatorpos>, <actuatorvel> and others."""
    nominal: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    normal: Item[NDArray[np.float64] | None]
    """Of <mesh>."""
    noslip_iterations: Item[int]
    """Of <option>."""
    noslip_tolerance: Item[float]
    """Of <option>."""
    nrow: Item[int]
    """Of <hfield>."""
    nsample: Item[int]
    """Of <accelerometer>, <actuatorfrc>, <actuatorpos>, <actuatorvel> and others."""
    nstack: Item[int]
    """Of <size>."""
    num: Item[int]
    """Of <contact>."""
    numquads: Item[int]
    """Of <quality>."""
    numslices: Item[int]
    """Of <quality>."""
    numstacks: Item[int]
    """Of <quality>."""
    nuser_actuator: Item[int]
    """Of <size>."""
    nuser_body: Item[int]
    """Of <size>."""
    nuser_cam: Item[int]
    """Of <size>."""
    nuser_geom: Item[int]
    """Of <size>."""
    nuser_jnt: Item[int]
    """Of <size>."""
    nuser_sensor: Item[int]
    """Of <size>."""
    nuser_site: Item[int]
    """Of <size>."""
    nuser_tendon: Item[int]
    """Of <size>."""
    nuserdata: Item[int]
    """Of <size>."""
    o_friction: Item[NDArray[np.float64]]
    """Of <option>."""
    o_margin: Item[float]
    """Of <option>."""
    o_solimp: Item[NDArray[np.float64]]
    """Of <option>."""
    o_solref: Item[NDArray[np.float64]]
    """Of <option>."""
    objname: Item[str | None]
    """Of <element>, <frameangacc>, <frameangvel>, <framelinacc> and others."""
    objtype: Item[str | None]
    """Of <element>, <frameangacc>, <frameangvel>, <framelinacc> and others."""
    offheight: Item[int]
    """Of <global>."""
    offsamples: Item[int]
    """Of <quality>."""
    offset: Item[NDArray[np.float64] | float]
    """Of <hillmuscle>, <replicate>."""
    offwidth: Item[int]
    """Of <global>."""
    orthographic: Item[bool]
    """Of <global>."""
    output: Item[str]
    """Of <camera>."""
    override: Item[str]
    """Of <flag>."""
    params: Item[NDArray[np.float64] | None]
    """Of <mesh>."""
    passthrough: Item[str]
    """Of <compiler>."""
    pennation: Item[float]
    """Of <hillmuscle>."""
    plastic: Item[NDArray[np.float64] | None]
    """Of <key>."""
    poisson: Item[float | None]
    """Of <chain>, <cloth>, <softbody>."""
    polycoef: Item[NDArray[np.float64]]
    """Of <joint>, <tendon>."""
    pos: Item[NDArray[np.float64] | None]
    """Of <body>, <camera>, <chain>, <cloth> and others."""
    posrange: Item[NDArray[np.float64]]
    """Of <pid>."""
    prefix: Item[str | None]
    """Of <attach>, <replicate>."""
    preset: Item[str | None]
    """Of <hillmuscle>."""
    principal: Item[NDArray[np.float64]]
    """Of <camera>."""
    principalpixel: Item[NDArray[np.float64]]
    """Of <camera>."""
    priority: Item[int]
    """Of <geom>."""
    prm: Item[float]
    """Of <element>."""
    projection: Item[str]
    """Of <camera>."""
    qpos: Item[NDArray[np.float64] | None]
    """Of <key>."""
    quat: Item[NDArray[np.float64]]
    """Of <body>, <camera>, <chain>, <cloth> and others."""
    qvel: Item[NDArray[np.float64] | None]
    """Of <key>."""
    radius: Item[float | None]
    """Of <chain>, <cloth>, <softbody>."""
    random: Item[float]
    """Of <texture>."""
    range: Item[NDArray[np.float64] | float]
    """Of <fixed>, <joint>, <light>, <muscle> and others."""
    rangefinder: Item[NDArray[np.float64]]
    """Of <rgba>."""
    realtime: Item[float]
    """Of <global>."""
    reduce: Item[str]
    """Of <contact>."""
    ref: Item[float]
    """Of <joint>."""
    reflectance: Item[float]
    """Of <material>."""
    refname: Item[str | None]
    """Of <frameangvel>, <framelinvel>, <framepos>, <framequat> and others."""
    refpos: Item[NDArray[np.float64]]
    """Of <mesh>."""
    refquat: Item[NDArray[np.float64]]
    """Of <mesh>."""
    refsafe: Item[str]
    """Of <flag>."""
    refsite: Item[str | None]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    reftype: Item[str | None]
    """Of <frameangvel>, <framelinvel>, <framepos>, <framequat> and others."""
    relpose: Item[NDArray[np.float64] | None]
    """Of <weld>."""
    resistance: Item[float]
    """Of <dcmotor>."""
    resolution: Item[NDArray[np.int64]]
    """Of <camera>."""
    rgb1: Item[NDArray[np.float64]]
    """Of <texture>."""
    rgb2: Item[NDArray[np.float64]]
    """Of <texture>."""
    rgba: Item[NDArray[np.float64]]
    """Of <chain>, <cloth>, <geom>, <material> and others."""
    role: Item[str | None]
    """Of <layer>."""
    roughness: Item[float]
    """Of <material>."""
    saturation: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    savecanonical: Item[bool]
    """Of <compiler>."""
    savecompiled: Item[bool]
    """Of <compiler>."""
    saveinertial: Item[bool]
    """Of <compiler>."""
    scale: Item[NDArray[np.float64] | float | None]
    """Of <cloth>, <frame>, <mesh>, <muscle> and others."""
    scaling: Item[str]
    """Of <frame>."""
    sdf: Item[str | None]
    """Of <geom>, <mesh>."""
    sdf_initpoints: Item[int]
    """Of <option>."""
    sdf_iterations: Item[int]
    """Of <option>."""
    sdfcell: Item[float | None]
    """Of <geom>."""
    sdfdata: Item[NDArray[np.float64] | None]
    """Of <geom>."""
    sdforigin: Item[NDArray[np.float64]]
    """Of <geom>."""
    sdfparams: Item[NDArray[np.float64] | None]
    """Of <geom>, <mesh>."""
    sdfsize: Item[NDArray[np.int64] | None]
    """Of <geom>."""
    segments: Item[int]
    """Of <chain>."""
    selectpoint: Item[NDArray[np.float64] | float]
    """Of <rgba>, <scale>."""
    selfcollide: Item[bool]
    """Of <chain>, <cloth>, <softbody>."""
    sensor: Item[str]
    """Of <flag>."""
    sensorsize: Item[NDArray[np.float64]]
    """Of <camera>."""
    sep: Item[str]
    """Of <replicate>."""
    settotalmass: Item[float]
    """Of <compiler>."""
    shadowclip: Item[float]
    """Of <map>."""
    shadowscale: Item[float]
    """Of <map>."""
    shadowsize: Item[int]
    """Of <quality>."""
    shellinertia: Item[bool]
    """Of <geom>."""
    shininess: Item[float]
    """Of <material>."""
    sidesite: Item[str | None]
    """Of <geom>."""
    simple: Item[str]
    """Of <body>."""
    site: Item[str | None]
    """Of <accelerometer>, <camprojection>, <contact>, <cylinder> and others."""
    site1: Item[str | None]
    """Of <connect>, <weld>."""
    site2: Item[str | None]
    """Of <connect>, <weld>."""
    size: Item[NDArray[np.float64] | NDArray[np.int64] | int | None]
    """Of <cloth>, <geom>, <hfield>, <numeric> and others."""
    slack: Item[float | None]
    """Of <hillmuscle>."""
    sleep: Item[str]
    """Of <body>, <flag>."""
    sleep_tolerance: Item[float]
    """Of <option>."""
    slewmax: Item[float | None]
    """Of <pid>, <pidplugin>."""
    slidercrank: Item[NDArray[np.float64] | float]
    """Of <rgba>, <scale>."""
    slidersite: Item[str | None]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    smoothnormal: Item[bool]
    """Of <mesh>."""
    softness: Item[float]
    """Of <light>."""
    softpasses: Item[int]
    """Of <option>."""
    softsleep: Item[float]
    """Of <option>."""
    softsubstepmax: Item[int]
    """Of <option>."""
    softsubsteps: Item[int]
    """Of <option>."""
    solimp: Item[NDArray[np.float64]]
    """Of <connect>, <distance>, <equality>, <geom> and others."""
    solimpfriction: Item[NDArray[np.float64]]
    """Of <fixed>, <joint>, <spatial>, <tendon>."""
    solimplimit: Item[NDArray[np.float64]]
    """Of <fixed>, <joint>, <spatial>, <tendon>."""
    solmix: Item[float]
    """Of <geom>."""
    solref: Item[NDArray[np.float64]]
    """Of <chain>, <cloth>, <connect>, <distance> and others."""
    solreffriction: Item[NDArray[np.float64]]
    """Of <fixed>, <joint>, <pair>, <spatial> and others."""
    solreflimit: Item[NDArray[np.float64]]
    """Of <fixed>, <joint>, <spatial>, <tendon>."""
    solver: Item[str]
    """Of <option>."""
    spacing: Item[float | None]
    """Of <chain>, <cloth>, <softbody>."""
    specular: Item[NDArray[np.float64] | float]
    """Of <headlight>, <light>, <material>."""
    speculative: Item[str]
    """Of <flag>."""
    spring: Item[str]
    """Of <flag>."""
    springdamper: Item[NDArray[np.float64]]
    """Of <joint>."""
    springlength: Item[NDArray[np.float64]]
    """Of <fixed>, <spatial>, <tendon>."""
    springref: Item[float]
    """Of <joint>."""
    springyield: Item[float]
    """Of <fixed>, <joint>, <spatial>, <tendon>."""
    stiffness: Item[NDArray[np.float64] | float]
    """Of <fixed>, <joint>, <map>, <spatial> and others."""
    stiffnessrot: Item[float]
    """Of <map>."""
    strain: Item[float]
    """Of <hillmuscle>."""
    strict: Item[str]
    """Of <flag>."""
    strippath: Item[bool]
    """Of <compiler>."""
    subtree1: Item[str | None]
    """Of <contact>."""
    subtree2: Item[str | None]
    """Of <contact>."""
    surfacevel: Item[NDArray[np.float64]]
    """Of <geom>."""
    target: Item[str | None]
    """Of <camera>, <light>."""
    tausmooth: Item[float]
    """Of <muscle>."""
    tendon: Item[str | None]
    """Of <cylinder>, <damper>, <dcmotor>, <general> and others."""
    tendon1: Item[str | None]
    """Of <tendon>."""
    tendon2: Item[str | None]
    """Of <tendon>."""
    texcoord: Item[NDArray[np.float64] | None]
    """Of <mesh>, <skin>."""
    texrepeat: Item[NDArray[np.float64]]
    """Of <material>."""
    texture: Item[str | None]
    """Of <layer>, <light>, <material>."""
    texturedir: Item[str | None]
    """Of <compiler>."""
    texuniform: Item[bool]
    """Of <material>."""
    thermal: Item[NDArray[np.float64]]
    """Of <dcmotor>."""
    thickness: Item[float | None]
    """Of <cloth>."""
    time: Item[float]
    """Of <key>."""
    timeconst: Item[NDArray[np.float64] | float | None]
    """Of <cylinder>, <hillmuscle>, <lengthrange>, <muscle> and others."""
    timestep: Item[float]
    """Of <lengthrange>, <option>."""
    tolerance: Item[float]
    """Of <option>."""
    tolrange: Item[float]
    """Of <lengthrange>."""
    torque: Item[float]
    """Of <map>."""
    torquescale: Item[float]
    """Of <weld>."""
    type: Item[str]
    """Of <geom>, <joint>, <light>, <site> and others."""
    useexisting: Item[bool]
    """Of <lengthrange>."""
    uselimit: Item[bool]
    """Of <lengthrange>."""
    user: Item[NDArray[np.float64] | None]
    """Of <accelerometer>, <actuatorfrc>, <actuatorpos>, <actuatorvel> and others."""
    usethread: Item[bool]
    """Of <compiler>."""
    velrange: Item[NDArray[np.float64]]
    """Of <general>, <pid>."""
    vertex: Item[NDArray[np.float64] | NDArray[np.int64] | None]
    """Of <chain>, <cloth>, <mesh>, <pin> and others."""
    vertid: Item[NDArray[np.int64] | None]
    """Of <bone>."""
    vertweight: Item[NDArray[np.float64] | None]
    """Of <bone>."""
    vflip: Item[bool]
    """Of <texture>."""
    viscosity: Item[float]
    """Of <option>."""
    vmax: Item[float]
    """Of <hillmuscle>, <muscle>."""
    warmstart: Item[str]
    """Of <flag>."""
    width: Item[float | int]
    """Of <spatial>, <tendon>, <texture>."""
    wind: Item[NDArray[np.float64]]
    """Of <option>."""
    xyaxes: Item[NDArray[np.float64] | None]
    """Of <body>, <camera>, <chain>, <cloth> and others."""
    young: Item[float | None]
    """Of <chain>, <cloth>, <softbody>."""
    zaxis: Item[NDArray[np.float64] | None]
    """Of <body>, <camera>, <chain>, <cloth> and others."""
    zfar: Item[float]
    """Of <map>."""
    znear: Item[float]
    """Of <map>."""
