"""What programs written for MuJoCo call, and what to write here instead.

A row: names of MuJoCo's | what to write | what else there is to know. A row without the second
says that there is none, and why. A name that ends in `*` stands for all that begin so. Errors for
attributes that are not there look here first, and docs/from_mujoco.md is made from this table.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

#: title of a part -> whose attributes its names are, and its rows. Names of MuJoCo's module have
#: no owner: they are recognised wherever they are asked for.
PARTS: dict[str, tuple[str, str]] = {
    "Models, data and files": (
        "",
        """
        MjModel | cf.Model.from_mjcf("model.xml") | also from a string of MJCF; cf.load_model reads URDF, too
        MjData | model.make_data() |
        mj_saveLastXML | spec.save("model.xml") | spec = cf.Spec.from_mjcf(...); spec.to_xml() is the text
        mj_saveModel mj_sizeModel | pickle.dumps(model) | there are no MJB files
        mj_copyData | data.copy() |
        mj_resetData mj_resetDataDebug | data.reset() |
        mj_resetDataKeyframe | data.reset_to_keyframe("name") |
        mj_setKeyframe | data.to_keyframe("name") |
        mj_resetCtrl | data.ctrl[:] = 0 | data.reset() gives each actuator its initial control
        mj_name2id | model.id_of("body", "name") | KeyError if there is none
        mj_id2name | model.name_of("body", 3) | "" if it has no name
        mju_str2Type mju_type2Str | cf.enums.ObjType["BODY"] | most calls take words: model.id_of("body", "name")
        mj_setConst | model.set_const() |
        mj_setLengthRange | model.set_length_range() |
        mj_defaultLROpt MjLROpt | cf.LengthRangeOptions() |
        mj_getTotalmass | model.body_subtreemass[0] |
        mj_setTotalmass | model.body_mass[:] *= total / model.body_subtreemass[0] | the same with model.body_inertia, then model.set_const()
        mj_defaultOption MjOption | model.opt |
        MjStatistic | model.stat |
        mj_defaultVisual MjVisual MjVisualHeadlight MjVisualRgba | model.vis |
        mj_defaultSolRefImp | cf.contact.from_physical(stiffness=2000, restitution=0.5, mass=0.1) | or solref=(0.02, 1), solimp=(0.9, 0.95, 0.001, 0.5, 2)
        mj_getCache mj_getCacheCapacity mj_getCacheSize mj_setCacheCapacity mj_clearCache | | processed meshes and compiled models are kept in the user's cache folder; see CORTENFORGE_ASSET_CACHE
        MjVfs | cf.Model.from_mjcf("model.xml", assets={"ball.obj": content}) |
        mj_loadAllPluginLibraries mj_loadPluginLibrary PLUGINS_DIR PLUGIN_HANDLES | | there are no libraries to load; docs/mjcf.md lists plugins that are built in
        mju_getXMLDependencies mj_embedAssets from_zip to_zip | | files are read beside the model, or from assets=
        mj_loadTexture | spec.add_texture(file="wood.png") |
        mj_printModel mj_printFormattedModel | print(model.body("torso")) | one object at a time
        mj_printData mj_printFormattedData | print(data.body("torso")) | one object at a time
        mj_printSchema | | docs/mjcf.md says which elements and attributes are read
        mj_version mj_versionString mjVERSION_HEADER | cf.__version__ |
        MjStruct HEADERS_DIR MJTNUM_BYTES MJTNUM_DTYPE | | reals are np.float64
        FatalError UnexpectedError | cf.CortenForgeError | the base of all errors
        """,
    ),
    "Steps": (
        "",
        """
        mj_step | data.step(nstep) | with another model than the Data's: data.use_model(model) first
        mj_step1 | data.step1() |
        mj_step2 | data.step2() |
        mj_forward mj_forwardSkip | data.forward() | what has not changed is computed again, too
        mj_inverse mj_inverseSkip | data.inverse() |
        mj_fwdPosition mj_fwdKinematics mj_kinematics mj_comPos mj_camlight mj_tendon mj_transmission mj_crb mj_makeM mj_factorM mj_flex mj_island mj_projectConstraint | data.forward() | stages are not called one by one
        mj_fwdVelocity mj_comVel mj_passive mj_referenceConstraint mj_fwdActuation mj_fwdAcceleration mj_fwdConstraint mj_constraintUpdate mj_makeConstraint | data.forward() | stages are not called one by one
        mj_sensorPos mj_sensorVel mj_sensorAcc | data.forward() | then data.sensordata
        mj_energyPos mj_energyVel | data.energy | after data.forward(), with the flag energy
        mj_invPosition mj_invVelocity mj_invConstraint | data.inverse() | stages are not called one by one
        mj_compareFwdInv | data.solver_fwdinv | after data.forward(), with the flag fwdinv
        mj_rne | data.qfrc_bias | after data.forward(); with accelerations: data.inverse()
        mj_rnePostConstraint | data.interaction_forces() |
        mj_subtreeVel | data.subtree_momentum() |
        mj_Euler mj_RungeKutta mj_implicit | data.step() | by the integrator in model.opt.integrator
        mj_checkPos mj_checkVel mj_checkAcc | data.step() | it checks, and raises a cf.StepError
        mj_collision | data.collide() |
        mj_normalizeQuat | model.integrate_pos(data.qpos, np.zeros(model.nv), 1.0) | steps normalise by themselves
        mj_isPyramidal | model.opt.cone == cf.enums.Cone.PYRAMIDAL |
        mj_isSparse | model.opt.jacobian == cf.enums.Jacobian.SPARSE | AUTO is sparse from 60 dofs on
        mj_isDual | model.opt.solver == cf.enums.Solver.PGS |
        """,
    ),
    "Questions about a state": (
        "",
        """
        mj_getState mj_extractState | data.get_state() |
        mj_setState mj_copyState | data.set_state(state) |
        mj_stateSize | data.get_state().vector.size |
        mj_jac | data.jac(point, "body") | .jacp and .jacr
        mj_jacBody | data.jac_body("body") | .jacp and .jacr
        mj_jacBodyCom | data.jac_body_com("body") | .jacp and .jacr
        mj_jacSubtreeCom | data.jac_subtree_com("body") |
        mj_jacGeom | data.jac_geom("geom") | .jacp and .jacr
        mj_jacSite | data.jac_site("site") | .jacp and .jacr
        mj_jacDot | data.jac_dot(point, "body") |
        mj_jacPointAxis | np.cross(data.jac(point, "body").jacr.T, axis).T | and .jacp for the point
        mj_angmomMat | data.subtree_angmom | after data.subtree_momentum(); the matrix itself is not kept
        mj_objectVelocity | data.object_velocity("site", "name") |
        mj_objectAcceleration | data.object_acceleration("site", "name") |
        mj_contactForce | data.contact_force(0) | data.contact_forces() gives all
        mj_geomDistance | data.geom_distance("one", "other") |
        mj_insideSite | | transform the point by data.site("name").xpos and xmat, or have a sensor insidesite
        mj_local2Global | data.body("name").xpos + data.body("name").xmat.reshape(3, 3) @ local |
        mj_ray mj_rayMesh mj_rayHfield mju_rayGeom | data.ray(point, direction) |
        mj_multiRay | data.multi_ray(point, directions) |
        mj_rayFlex mju_raySkin | | rays meet geoms alone
        mj_applyFT | data.apply_ft(force, torque, point, "body") | it gives the joint forces: add them to data.qfrc_applied
        mj_mulM mj_mulM2 | data.mul_M(vec) |
        mj_solveM mj_solveM2 | data.solve_M(vec) |
        mj_fullM mj_addM | data.full_M() |
        mj_mulJacVec | data.efc_J @ vec | with model.opt.jacobian = "dense"
        mj_mulJacTVec | data.efc_J.T @ vec | with model.opt.jacobian = "dense"
        mj_integratePos | model.integrate_pos(data.qpos, data.qvel, dt) | it gives a new array
        mj_differentiatePos | model.differentiate_pos(qpos1, qpos2, dt) |
        mj_addContact mj_maxContact MjPreContact | | contacts are found by the engine; model.callbacks.contactfilter leaves pairs out
        MjContact | data.contact | data.contact[0].dist, or data.contact.dist for all
        mj_readCtrl | data.read_ctrl("actuator") |
        mj_readSensor | data.read_sensor("sensor") |
        mj_initCtrlHistory | data.init_ctrl_history("actuator", values) |
        mj_initSensorHistory | data.init_sensor_history("sensor", values) |
        mj_actuatorInputName | model.actuator("name") | its controls are data.actuator("name").ctrl
        MjSolverStat | data.solver_niter | and solver_improvement, solver_gradient
        MjWarningStat mju_warningText | | what MuJoCo counts as warnings is a cf.StepWarning, or a cf.StepError
        MjTimerStat | | time calls with time.perf_counter()
        """,
    ),
    "Derivatives": (
        "",
        """
        mjd_transitionFD | data.transition_derivatives() | A, B, C and D
        mjd_inverseFD | data.inverse_derivatives() |
        mjd_subQuat | cf.quat_difference(qa, qb) |
        mjd_quatIntegrate | cf.quat_integrate(vel, dt) |
        """,
    ),
    "Callbacks": (
        "",
        """
        set_mjcb_control get_mjcb_control | model.callbacks.control = function | each model has its own
        set_mjcb_passive get_mjcb_passive | model.callbacks.passive = function |
        set_mjcb_sensor get_mjcb_sensor | model.callbacks.sensor = function |
        set_mjcb_act_dyn get_mjcb_act_dyn | model.callbacks.act_dyn = function |
        set_mjcb_act_gain get_mjcb_act_gain | model.callbacks.act_gain = function |
        set_mjcb_act_bias get_mjcb_act_bias | model.callbacks.act_bias = function |
        set_mjcb_contactfilter get_mjcb_contactfilter | model.callbacks.contactfilter = function |
        mj_resetCallbacks | model.callbacks.clear() |
        set_mjcb_time get_mjcb_time | | time calls with time.perf_counter()
        set_mju_user_warning get_mju_user_warning | warnings.simplefilter("error", cf.StepWarning) | warnings are Python's
        set_mju_user_malloc get_mju_user_malloc set_mju_user_free get_mju_user_free | | memory is NumPy's
        mju_writeLog MjLogConfig MjLogMessage | | warnings are Python's, and there is no log
        """,
    ),
    "Mathematics": (
        "",
        """
        mju_zero mju_zero3 mju_zero4 | np.zeros(n) |
        mju_fill | np.full(n, value) |
        mju_eye | np.eye(n) |
        mju_copy mju_copy3 mju_copy4 | np.copyto(out, a) |
        mju_add mju_add3 mju_addTo mju_addTo3 | a + b |
        mju_sub mju_sub3 mju_subFrom mju_subFrom3 | a - b |
        mju_scl mju_scl3 | a * scale |
        mju_addScl mju_addScl3 mju_addToScl mju_addToScl3 | a + scale * b |
        mju_sum | np.sum(a) |
        mju_L1 | np.abs(a).sum() |
        mju_dot mju_dot3 | np.dot(a, b) |
        mju_cross | np.cross(a, b) |
        mju_norm mju_norm3 | np.linalg.norm(a) |
        mju_dist3 | np.linalg.norm(a - b) |
        mju_normalize mju_normalize3 mju_normalize4 | a / np.linalg.norm(a) |
        mju_unit4 | np.array([1.0, 0.0, 0.0, 0.0]) |
        mju_min mju_max mju_clip | np.clip(a, low, high) |
        mju_sign | np.sign(a) |
        mju_round | np.rint(a) |
        mju_sigmoid | scipy.special.expit(a) | MuJoCo's is a polynomial between 0 and 1
        mju_isBad | not np.isfinite(a).all() |
        mju_isZero | not np.any(a) |
        mju_insertionSort mju_insertionSortInt | np.sort(a) |
        mju_mulMatVec mju_mulMatVec3 mju_mulMatMat | A @ b |
        mju_mulMatTVec mju_mulMatTVec3 mju_mulMatTMat | A.T @ b |
        mju_mulMatMatT | A @ B.T |
        mju_mulVecMatVec | a @ A @ b |
        mju_sqrMatTD | A.T @ np.diag(d) @ A |
        mju_transpose | A.T |
        mju_symmetrize | (A + A.T) / 2 |
        mju_eig3 | np.linalg.eigh(A) |
        mju_cholFactor mju_cholSolve mju_cholUpdate | scipy.linalg.cho_solve(scipy.linalg.cho_factor(A), b) |
        mju_cholFactorBand mju_cholSolveBand mju_bandDiag mju_bandMulMatVec mju_band2Dense mju_dense2Band | scipy.linalg.solveh_banded(ab, b) |
        mju_boxQP | scipy.optimize.lsq_linear(A, b, bounds=(low, high)) | for H = A.T @ A and g = -A.T @ b
        mju_dense2sparse mju_sparse2dense mju_sym2dense | scipy.sparse.csr_array(A) | .toarray() is dense
        mju_printMat mju_printMatSparse | print(A) |
        mju_d2n mju_n2d mju_f2n mju_n2f | a.astype(np.float64) |
        mju_axisAngle2Quat | Rotation.from_rotvec(angle * axis).as_quat(scalar_first=True) | Rotation is scipy.spatial.transform.Rotation
        mju_quat2Vel | Rotation.from_quat(quat, scalar_first=True).as_rotvec() / dt |
        mju_quat2Mat | Rotation.from_quat(quat, scalar_first=True).as_matrix() |
        mju_mat2Quat mju_mat2Rot | Rotation.from_matrix(matrix).as_quat(scalar_first=True) |
        mju_euler2Quat | Rotation.from_euler("XYZ", angles).as_quat(scalar_first=True) | capitals are axes that turn along
        mju_rotVecQuat | Rotation.from_quat(quat, scalar_first=True).apply(vec) |
        mju_mulQuat mju_mulQuatAxis mju_negQuat mju_mulPose mju_negPose mju_trnVecPose | Rotation.from_quat(a, scalar_first=True) * Rotation.from_quat(b, scalar_first=True) | .inv() turns back
        mju_quatZ2Vec | Rotation.align_vectors([vec], [[0, 0, 1]])[0] |
        mju_subQuat | cf.quat_difference(qa, qb) | with its derivatives
        mju_quatIntegrate mju_derivQuat | model.integrate_pos(qpos, qvel, dt) | for all joints at once
        mju_transformSpatial | data.object_velocity("body", "name") | motions of objects, in world axes or their own
        mju_decodePyramid mju_encodePyramid | data.contact_force(0) |
        mju_muscleGain mju_muscleBias mju_muscleDynamics | cf.muscles | measures of muscles; a step computes their forces
        mju_springDamper | scipy.linalg.expm(A * dt) |
        mju_Halton | scipy.stats.qmc.Halton(d=3).random(n) |
        mju_standardNormal | np.random.default_rng(0).normal() |
        mju_writeNumBytes | | sizes in words are a matter of formatting
        mju_threadpool | cf.BatchSim(model, n, threads=4) | one world is stepped by one thread
        """,
    ),
    "Pictures and the viewer": (
        "",
        """
        viewer | cf.view(model, data) | .sync() and .is_open as with launch_passive
        launch launch_passive launch_from_path | cf.view(model, data) | docs/viewer.md
        Handle | cf.Viewer |
        renderer | cf.Renderer(model, width=640, height=480) |
        rendering GLContext MjrContext MjrRect MjrRendererInfo MjrVertexAttribute gl_context glfw egl osmesa | | pictures are drawn without OpenGL: data.render()
        mjr_* mjrIndexType mjrMeshPrimitiveType mjrPixelFormat mjrVertexAttributeType mjrVertexAttributeUsage | data.render("camera", width=640, height=480) | an array; nothing is uploaded, and there are no buffers
        mjv_updateScene mjv_addGeoms mjv_makeLights mjv_updateSkin MjvScene | cf.Renderer(model).render(data, "camera") | there is no scene in between
        mjv_initGeom mjv_connector MjvGeom MjvLight mj_printScene mj_printFormattedScene | cf.Renderer(model).render(data, extra=[cf.Tubes(points, edges, radius=0.01)]) | or a cf.Surface
        mjv_defaultCamera mjv_defaultFreeCamera mjv_moveCamera mjv_updateCamera mjv_averageCamera MjvCamera | cf.Camera(azimuth=90, elevation=-20, distance=3) |
        mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel mjv_cameraInRoom mjv_camera2GLCamera mjv_alignToCamera mjv_frustumHeight mjv_model2room mjv_room2model mjv_moveModel MjvGLCamera | data.camera("name").xpos | and xmat
        mjv_defaultOption MjvOption | cf.RenderOptions(contactpoint=True) | also by name: data.render(contactpoint=True)
        mjv_defaultPerturb mjv_initPerturb mjv_movePerturb mjv_applyPerturbForce mjv_applyPerturbPose MjvPerturb | cf.Perturb() | forces on bodies are data.xfrc_applied
        mjv_select | data.render(mode="segmentation") | number and type of the object in each pixel
        mjv_defaultFigure MjvFigure | | draw figures with matplotlib
        """,
    ),
    "Many worlds": (
        "",
        """
        rollout Rollout persistent_rollout shutdown_persistent_pool | cf.BatchSim(model, n).rollout(initial_states, controls) | docs/batches.md
        Batch | cf.BatchSim(model, n) |
        """,
    ),
    "Descriptions": (
        "",
        """
        MjSpec | cf.Spec.from_mjcf("model.xml") | cf.Spec() is an empty one
        MjsBody MjsGeom MjsJoint MjsSite MjsCamera MjsLight MjsFrame MjsElement MjsOrientation | spec.worldbody.add_body(name="arm") | elements are of one class and know their tags
        MjsActuator MjsSensor MjsEquality MjsExclude MjsPair MjsTendon MjsTendonPath MjsWrap MjsKey MjsMaterial MjsMesh MjsTexture MjsHField MjsSkin MjsNumeric MjsText MjsTuple MjsDefault MjsCompiler | spec.add_actuator("motor", joint="elbow") | add_sensor, add_equality, ...: docs/spec.md
        MjsFlex | spec.add_cloth(name="flag") | deformables are our own: docs/deformables.md
        MjsPlugin MjsAuthored MjByteVec MjCharVec MjDoubleVec MjFloatVec MjIntVec MjStringVec | | attributes are Python's numbers, texts and lists
        """,
    ),
    "Enumerations": (
        "",
        """
        mjtJoint | cf.enums.JointType |
        mjtGeom | cf.enums.GeomType |
        mjtObj | cf.enums.ObjType |
        mjtStage | cf.enums.Stage |
        mjtDataType | cf.enums.DataType |
        mjtSensor | cf.enums.SensorType |
        mjtCamLight | cf.enums.CamLight |
        mjtSameFrame | cf.enums.SameFrame |
        mjtEq | cf.enums.EqualityType |
        mjtWrap | cf.enums.WrapType |
        mjtTendon | cf.enums.TendonType |
        mjtConstraint | cf.enums.ConstraintType |
        mjtConstraintState | cf.enums.ConstraintState |
        mjtIntegrator | cf.enums.Integrator | or a word: model.opt.integrator = "RK4"
        mjtCone | cf.enums.Cone | or a word: model.opt.cone = "elliptic"
        mjtJacobian | cf.enums.Jacobian | or a word: model.opt.jacobian = "dense"
        mjtSolver | cf.enums.Solver | or a word: model.opt.solver = "Newton"
        mjtDisableBit mjDISABLESTRING | cf.enums.Disable |
        mjtEnableBit mjENABLESTRING | cf.enums.Enable |
        mjtTrn | cf.enums.Transmission |
        mjtDyn | cf.enums.Dynamics |
        mjtGain | cf.enums.Gain |
        mjtBias | cf.enums.Bias |
        mjtSDFType | cf.enums.SdfShape |
        mjtState | data.get_state() | a state is kept whole
        mjtVisFlag mjtRndFlag mjtLabel mjtFrame mjVISSTRING mjRNDSTRING mjLABELSTRING mjFRAMESTRING | cf.RenderOptions() | a field for each flag; words for frame and label
        mjtCamera mjtMouse mjtPertBit mjtCatBit mjtButton mjtEvent mjtItem mjtSection mjtFont mjtFontScale mjtFramebuffer mjtGridPos mjtStereo mjtDepthMap | | pictures and the viewer take words and switches: docs/rendering.md
        mjtWarning mjtTimer mjtCTimer mjTIMERSTRING mjtLogLevel mjtLogTopic | | warnings are Python's, and calls are not timed
        mjtActuator mjtAlignFree mjtBuiltin mjtCamOutBit mjtColorSpace mjtConDataField mjtConflict mjtCtrlChart mjtCtrlInput mjtEmbed mjtFlexSection mjtFlexSelf mjtGeomInertia mjtInertiaFromGeom mjtLRMode mjtLightType mjtLimited mjtMark mjtMeshBuiltin mjtMeshInertia mjtOrientation mjtPassthrough mjtPluginCapabilityBit mjtProjection mjtRayDataField mjtScaling mjtSleepPolicy mjtSleepState mjtTexture mjtTextureRole | | a spec takes MJCF's words: spec.add_texture(type="2d")
        """,
    ),
    "Constants": (
        "",
        """
        mjPI | np.pi |
        mjMAXVAL | 1e10 |
        mjMINVAL | 1e-15 |
        mjMINMU | 1e-5 |
        mjMINIMP | 0.0001 |
        mjMAXIMP | 0.9999 |
        mjNGROUP | 6 |
        mjNREF | 2 |
        mjNIMP | 5 |
        mjNEQDATA | model.eq_data.shape[1] |
        mjNDYN | model.actuator_dynprm.shape[1] |
        mjNGAIN | model.actuator_gainprm.shape[1] |
        mjNBIAS | model.actuator_biasprm.shape[1] |
        mjNFLUID | model.geom_fluid.shape[1] |
        mjNSENS | model.sensor_intprm.shape[1] |
        mjNPOLY | model.jnt_stiffnesspoly.shape[1] |
        mjNISLAND mjNSOLVER mjMAXCONPAIR mjMAXFLEXNODES mjMAXTREEDEPTH mjMAXLIGHT mjMAXLINE mjMAXLINEPNT mjMAXOVERLAY mjMAXPLANEGRID mjMINAWAKE mjSC_* | | lists grow as they need to
        """,
    ),
    "Methods and fields of a model": (
        "Model",
        """
        from_xml_path from_xml_string | cf.Model.from_mjcf("model.xml") | a path, or a string of MJCF
        from_binary_path | pickle.loads(content) | there are no MJB files
        bind bind_scalar | model.body("name") | by name or number
        names_map nnames nnames_map name_* | model.names["body"] | lists of names by kind
        flex* nflex* nJfe | model.soft("cloth") | deformables are our own: docs/deformables.md
        plugin plugin_* npluginattr | | docs/mjcf.md lists plugins that are built in
        efm* nefm* | | the metric of implicit steps is not kept in a model
        narena nbuffer npolygonmax signature | | memory is NumPy's
        """,
    ),
    "Methods and fields of data": (
        "Data",
        """
        bind bind_scalar | data.body("name") | by name or number
        qM | data.M | sparse; data.full_M() is dense
        flex* | data.soft("cloth") | deformables are our own: docs/deformables.md
        plugin plugin_* nplugin | | docs/mjcf.md lists plugins that are built in
        warning | | what MuJoCo counts as warnings is a cf.StepWarning, or a cf.StepError
        timer | | time calls with time.perf_counter()
        solver | data.solver_niter | and solver_improvement, solver_gradient
        moment_rownnz moment_rowadr moment_colind | model.moment_rowadr | which dofs an actuator acts on does not change
        efc_AR* efc_Y* efc_b nA nY | data.efc_J @ data.solve_M(data.efc_J).T + np.diag(data.efc_R) | with model.opt.jacobian = "dense"; the matrix is not kept
        efc_J_rowsuper efm* nefm* flg_energypos flg_energyvel flg_rnepost flg_subtreevel iefc_frictionloss iefc_id iefc_state iefc_type ifrc_constraint island_idofadr island_iefcadr island_itreeadr island_ne island_nf island_ntree map_efc2iefc map_itree2tree nidof bvh_aabb_dyn bvh_active | | not kept between steps
        body_awake_ind dof_awake_ind parent_awake_ind nparent_awake | data.tree_asleep |
        maxuse_* narena nbuffer parena pbase pstack threadpool signature | | memory is NumPy's, and lists grow as they need to
        """,
    ),
    "Methods of a description": (
        "Spec",
        """
        from_file from_string | cf.Spec.from_mjcf("model.xml") | a path, or a string of MJCF
        from_zip to_zip encode | spec.save("model.xml") | files of assets stay beside it
        to_file | spec.save("model.xml") |
        recompile | spec.compile() | a new model
        find_default | spec.default("class") |
        stat | spec.statistic |
        memory nconmax nemax njmax nstack | | lists grow as they need to
        nkey nuserdata nuser_* | spec.size | an attribute of it
        meshdir texturedir strippath discard_visual fuse_static | spec.compiler | an attribute of it
        modelfiledir | spec.file |
        add_flex flex flexes | spec.add_cloth(name="flag") | deformables are our own: docs/deformables.md
        activate_plugin add_plugin plugin plugins hasImplicitPluginElem | | docs/mjcf.md lists plugins that are built in
        override_assets dedup_assets | cf.Spec.from_mjcf("model.xml", assets={"ball.obj": content}) |
        copy_during_attach copy_back | spec.copy() | what is attached is always a copy
        adopt_inertial authored comment parent resolve_orientation timer | | not kept in a description
        """,
    ),
    "Shortcuts of a description": (
        "Spec",
        """
        add_motor add_general add_position add_velocity add_intvelocity add_orientation add_pid add_pidplugin add_damper add_cylinder add_muscle add_hillmuscle add_adhesion add_dcmotor | spec.add_actuator("motor", joint="elbow") | by MJCF's tag: "motor", "position", ...
        add_connect add_weld add_distance | spec.add_equality("weld", body1="hand", body2="cube") | by MJCF's tag; there is also a sensor of distances
        add_spatial add_fixed | spec.add_tendon("spatial") | then its path: tendon.add("site", site="hook")
        add_body add_joint add_geom add_site add_camera add_light add_frame add_freejoint | spec.worldbody.add_body(name="arm") | they belong to a body or to the world
        add_touch add_accelerometer add_velocimeter add_gyro add_force add_torque add_magnetometer add_rangefinder add_camprojection add_jointpos add_jointvel add_tendonpos add_tendonvel add_actuatorpos add_actuatorvel add_actuatorfrc add_jointactuatorfrc add_tendonactuatorfrc add_ballquat add_ballangvel add_jointlimitpos add_jointlimitvel add_jointlimitfrc add_tendonlimitpos add_tendonlimitvel add_tendonlimitfrc add_framepos add_framequat add_framexaxis add_frameyaxis add_framezaxis add_framelinvel add_frameangvel add_framelinacc add_frameangacc add_subtreecom add_subtreelinvel add_subtreeangmom add_insidesite add_normal add_fromto add_contact add_e_potential add_e_kinetic add_clock add_tactile add_touchgrid add_user | spec.add_sensor("gyro", site="imu") | by MJCF's tag: "gyro", "jointpos", ...
        """,
    ),
    "Elements of a description": (
        "Element",
        """
        set_to_* | spec.add_actuator("position", joint="elbow", kp=100) | the tag says what an actuator is
        bodies geoms joints sites cameras lights frames first_* next_* | body.children_of("geom") | body.walk() goes through everything below
        find_child find_all | spec.body("hand") | also spec.geom, spec.site, ...; lists of all are spec.geoms, ...
        mass inertia fullinertia ipos iquat ialt explicitinertial | body.set_inertial(mass=1, pos=[0, 0, 0], diaginertia=[1, 1, 1]) |
        alt | body.set(euler=[0, 90, 0]) | or axisangle, xyaxes, zaxis
        classname | element.class_ |
        attach_body attach_frame | spec.attach(other, body, prefix="left_") |
        frame set_frame to_frame | frame.add_body(name="arm") | what is added to a frame is in it
        meshname hfieldname | geom.mesh | and geom.hfield
        fluid_ellipsoid fluid_coefs | geom.fluidshape | and geom.fluidcoef
        align | body.add_freejoint(align=False) | an attribute of free joints
        id signature | model.id_of("body", "hand") | once it is compiled
        info plugin compiler userdata make_flex | | docs/spec.md says what elements have
        """,
    ),
    "Methods of a batch": (
        "BatchSim",
        """
        step | batch.step_all(nstep) | batch.env(i).step() is one world alone
        forward | batch.forward_all() |
        inverse | batch.inverse_all() |
        nsim | batch.n |
        nthread | batch.threads |
        nstate | batch.get_states().shape[1] |
        expanded | batch.parameters |
        get_data | batch.env(0) |
        get_model models set_models | batch.parameters["body_mass"] | after batch.expand("body_mass"): worlds share all else
        get_state | batch.get_states() |
        set_state | batch.set_states(states) |
        error | errors = batch.step_all() | for each world, None or what went wrong
        persistent | | threads stay for as long as the batch
        ray multi_ray | batch.env(0).ray(point, direction) |
        jac jac_* | batch.env(0).jac_body("body") |
        contact contact_* efc_* | batch.env(0).contact | after batch.env(0).forward(); batch.ncon and batch.nefc count them
        equality keyframe material numeric pair | batch.model.key("name") | for objects of all worlds: batch.body("name").xpos
        """,
    ),
    "Methods of a renderer": (
        "Renderer",
        """
        update_scene | renderer.render(data, "camera") | there is no scene in between
        enable_depth_rendering disable_depth_rendering | renderer.render(data, "camera", mode="depth") |
        enable_segmentation_rendering disable_segmentation_rendering | renderer.render(data, "camera", mode="segmentation") |
        scene | renderer.render(data, extra=[cf.Tubes(points, edges, radius=0.01)]) | what else is drawn
        close | del renderer | there is nothing to close
        """,
    ),
    "Methods of a viewer": (
        "Viewer",
        """
        is_running | viewer.is_open |
        """,
    ),
}
#: classes and modules with the attributes of another
SAME_AS = {"GpuBatchSim": "BatchSim", "cortenforge.viewer": "", "cortenforge.batch": ""}


@dataclass(frozen=True)
class Hint:
    """What to write for a name of MuJoCo's: code, unless there is none, and a remark."""

    name: str
    code: str
    note: str

    @property
    def text(self) -> str:
        """As the end of an error's message."""
        if not self.code:
            return f"there is none here: {self.note}"
        return f"write {self.code}" + (f" ({self.note})" if self.note else "")


def rows(part: str) -> list[list[Hint]]:
    """The rows of a part: lists of hints for names that share code and remark."""
    found = []
    for line in filter(None, map(str.strip, PARTS[part][1].splitlines())):
        names, code, note = (cell.strip() for cell in line.split("|"))
        found.append([Hint(name, code, note) for name in names.split()])
    return found


@functools.cache
def _hints(owner: str) -> dict[str, Hint]:
    parts: Iterable[str] = (part for part, (whose, _) in PARTS.items() if whose == owner)
    return {hint.name: hint for part in parts for row in rows(part) for hint in row}


def hint_for(owner: str, name: str) -> Hint | None:
    """The hint for a name as an attribute of a class or a module of ours, or None.

    Enumerations are found without their `mjt`, too. Elements call themselves by their tags.
    """
    whose_names = "Element" if owner.startswith("<") else SAME_AS.get(owner, owner)
    for whose in (whose_names, ""):
        hints = _hints(whose)
        for asked in (name, f"mjt{name}"):
            if asked in hints:
                return hints[asked]
        for pattern, hint in hints.items():
            if pattern.endswith("*") and name.startswith(pattern[:-1]):
                return hint
    return None
