"""Model fields of geoms, sites, cameras, lights, custom data and keyframes."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

SHAPE: tuple[Field, ...] = (
    *table(
        "geom",
        "model",
        """
        geom_type        | int           | ngeom            |   | Type (enums.GeomType).
        geom_contype     | int editable  | ngeom            |   | Contact type, as bits.
        geom_conaffinity | int editable  | ngeom            |   | Contact affinity, as bits.
        geom_condim      | int editable  | ngeom            |   | Contact dimension: 1, 3, 4 or 6.
        geom_bodyid      | int           | ngeom            |   | Body that the geom is attached to.
        geom_dataid      | int           | ngeom            |   | Mesh or height field, or -1.
        geom_matid       | int editable at:nmat  | ngeom            |   | Material, or -1.
        geom_group       | int editable  | ngeom            |   | Group for visibility.
        geom_priority    | int editable  | ngeom            |   | Priority of its contact parameters.
        geom_plugin      | int           | ngeom            |   | Plugin, or -1; not supported yet.
        geom_sameframe   | byte editable | ngeom            |   | Geom frame against body frames (SameFrame).
        geom_castshadow  | byte editable | ngeom            |   | Whether it casts a shadow.
        geom_solmix      | real          | ngeom            |   | Weight when contact parameters are mixed.
        geom_solref      | real          | ngeom 2          |   | solref of its contacts.
        geom_solimp      | real          | ngeom 5          |   | solimp of its contacts.
        geom_size        | vec3 watched  | ngeom            | m | Sizes, by type.
        geom_aabb        | real          | ngeom 6          | m | Bounding box: centre, half sizes.
        geom_rbound      | real placing  | ngeom            | m | Radius of the bounding sphere; 0 if infinite.
        geom_pos         | vec3 placing  | ngeom            | m | Position in the body.
        geom_quat        | quat placing  | ngeom            |   | Orientation in the body.
        geom_friction    | vec3          | ngeom            |   | Friction: slide, spin, roll.
        geom_margin      | real watched  | ngeom            | m | Distance below which contacts are active.
        geom_gap         | real watched  | ngeom            | m | Distance beyond the margin up to which contacts are detected.
        geom_surfacevel  | spatial       | ngeom            |   | Velocity of the surface.
        geom_adhesion    | real          | ngeom            | N | Largest adhesive force of a contact.
        geom_fluid       | real          | ngeom 12         |   | Coefficients of the ellipsoid fluid model.
        geom_user        | real          | ngeom nuser_geom |   | User numbers.
        geom_rgba        | single read   | ngeom 4          |   | Colour.
        """,
    ),
    *table(
        "site",
        "model",
        """
        site_type      | int          | nsite            |   | Type (enums.GeomType).
        site_bodyid    | int          | nsite            |   | Body that the site is attached to.
        site_dataid    | int          | nsite            |   | Mesh, or -1.
        site_matid     | int editable at:nmat | nsite            |   | Material, or -1.
        site_group     | int editable | nsite            |   | Group for visibility.
        site_sameframe | byte editable | nsite            |   | Site frame against body frames (SameFrame).
        site_size      | vec3         | nsite            | m | Sizes, by type.
        site_pos       | vec3         | nsite            | m | Position in the body.
        site_quat      | quat         | nsite            |   | Orientation in the body.
        site_user      | real         | nsite nuser_site |   | User numbers.
        site_rgba      | single       | nsite 4          |   | Colour.
        """,
    ),
    *table(
        "camera",
        "model",
        """
        cam_mode         | int          | ncam           |                           | Tracking mode (enums.CamLight).
        cam_bodyid       | int          | ncam           |                           | Body that the camera is attached to.
        cam_targetbodyid | int          | ncam           |                           | Target body of its tracking mode, or -1.
        cam_pos          | vec3         | ncam           | m                         | Position in the body.
        cam_quat         | quat         | ncam           |                           | Orientation in the body.
        cam_poscom0      | vec3         | ncam           | m                         | Offset from the subtree's centre at qpos0.
        cam_pos0         | vec3         | ncam           | m                         | Offset from the body at qpos0, world axes.
        cam_mat0         | mat3         | ncam           |                           | Orientation at qpos0.
        cam_projection   | int editable | ncam           |                           | 0 perspective, 1 orthographic.
        cam_fovy         | real         | ncam           | deg, or m if orthographic | Vertical field of view.
        cam_ipd          | real         | ncam           | m                         | Inter-pupillary distance.
        cam_resolution   | int editable | ncam 2         | pixels                    | Width and height.
        cam_output       | int editable | ncam           |                           | Kinds of images that it outputs, as bits.
        cam_sensorsize   | single watched | ncam 2         | m                         | Width and height of the sensor.
        cam_intrinsic    | single watched | ncam 4         | m                         | Focal lengths and principal point.
        cam_user         | real         | ncam nuser_cam |                           | User numbers.
        """,
    ),
    *table(
        "light",
        "model",
        """
        light_mode         | int           | nlight   |     | Tracking mode (enums.CamLight).
        light_bodyid       | int           | nlight   |     | Body that the light is attached to.
        light_targetbodyid | int           | nlight   |     | Target body of its tracking mode, or -1.
        light_type         | int editable  | nlight   |     | Type: spot, directional, point or image.
        light_texid        | int editable at:ntex  | nlight   |     | Texture, or -1.
        light_castshadow   | byte editable | nlight   |     | Whether it casts shadows.
        light_bulbradius   | single        | nlight   | m   | Radius for soft shadows.
        light_intensity    | single        | nlight   | cd  | Intensity.
        light_range        | single        | nlight   | m   | Effective range.
        light_active       | byte editable | nlight   |     | Whether the light is on.
        light_pos          | vec3          | nlight   | m   | Position in the body.
        light_dir          | vec3          | nlight   |     | Direction in the body.
        light_poscom0      | vec3          | nlight   | m   | Offset from the subtree's centre at qpos0.
        light_pos0         | vec3          | nlight   | m   | Offset from the body at qpos0, world axes.
        light_dir0         | vec3          | nlight   |     | Direction at qpos0.
        light_attenuation  | single        | nlight 3 |     | Attenuation: constant, linear, quadratic.
        light_cutoff       | single        | nlight   | deg | Cutoff angle of a spot light.
        light_softness     | single        | nlight   |     | Softness of a spot light's edge.
        light_exponent     | single        | nlight   |     | Exponent of a spot light's fall-off.
        light_ambient      | single        | nlight 3 |     | Ambient colour.
        light_diffuse      | single        | nlight 3 |     | Diffuse colour.
        light_specular     | single        | nlight 3 |     | Specular colour.
        """,
    ),
    *table(
        "custom",
        "model",
        """
        numeric_adr   | int         | nnumeric     |  | Address in numeric_data.
        numeric_size  | int         | nnumeric     |  | Number of values.
        numeric_data  | real shared | nnumericdata |  | Values of all custom numerics.
        text_adr      | int         | ntext        |  | Address in text_data.
        text_size     | int         | ntext        |  | Number of characters, with the terminating zero.
        text_data     | byte        | ntextdata    |  | Characters of all custom texts.
        tuple_adr     | int         | ntuple       |  | Address of its objects.
        tuple_size    | int         | ntuple       |  | Number of objects.
        tuple_objtype | int         | ntupledata   |  | Type of each object.
        tuple_objid   | int         | ntupledata   |  | Id of each object.
        tuple_objprm  | real shared | ntupledata   |  | Parameter of each object.
        """,
    ),
    *table(
        "key",
        "model",
        """
        key_time    | real shared | nkey          | s            | Time.
        key_qpos    | real        | nkey nq       | m or rad     | Positions.
        key_qvel    | real        | nkey nv       | m/s or rad/s | Velocities.
        key_act     | real        | nkey na       |              | Activations.
        key_mpos    | real        | nkey nmocap*3 | m            | Positions of mocap bodies.
        key_mquat   | real        | nkey nmocap*4 |              | Orientations of mocap bodies.
        key_ctrl    | real        | nkey nu       |              | Controls.
        key_plastic | real        | nkey nplastic |              | Rest positions of springs that yield.
        """,
    ),
)
