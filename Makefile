# Each target sets up the virtual environment it needs; nothing has to be installed first
# except Python 3.11 or newer.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
STAMP  := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test train-check train-bench packages conformance gpu-conformance clients bench lint format docs site dist plots gallery clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "CortenForge needs Python 3.11 or newer, and '$(PYTHON)' is older or missing:"; \
	  echo "  make PYTHON=/path/to/python3.11 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet -e '.[test,dev]'
	@touch $@

demo: $(STAMP)  ## simulate the bundled models: a table, and a plot in out/demo.png
	$(RUN) -m cortenforge.demo

# in three parts, since processes keep memory until they end: of many models, of shaders
test: lint  ## lint, type check and the test suite
	$(RUN) -m tests.compile_units
	$(RUN) -m pytest -n 2 --dist worksteal --ignore tests/gpu --ignore tests/step --ignore tests/parity
	$(RUN) -m pytest -n 2 --dist worksteal tests/step tests/parity
	$(RUN) -m pytest -n 2 --dist worksteal -m "not sweep" tests/gpu

# in an environment of its own: packages of several hundred megabytes that the engine does without
TRAIN := out/train
TRAIN_STAMP := $(TRAIN)/.installed
TRAIN_PACKAGES := torch==2.13.0 jax jaxlib 'ray[data]' dm_tree lz4 'plotext<6' onnx onnxscript onnxruntime
$(TRAIN_STAMP): pyproject.toml
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --upgrade pip
	$(TRAIN)/bin/python -m pip install --quiet $(TRAIN_PACKAGES) -e '.[test]'
	@touch $@

# libraries that train on our environments; what cannot be had is skipped
RL_PACKAGES := stable-baselines3 torchrl skrl rsl-rl-lib
train-check: $(TRAIN_STAMP)  ## what needs PyTorch, JAX or Ray: gradients, training, many machines
	for library in $(RL_PACKAGES); do \
	  $(TRAIN)/bin/python -m pip install --quiet $$library || echo "$$library cannot be had: skipped"; done
	$(TRAIN)/bin/python -m pytest -rs tests/envs/test_training.py
	$(TRAIN)/bin/python -m pytest tests/test_torch.py tests/test_jax.py tests/ray tests/learning
	$(TRAIN)/bin/python -m pytest tests/examples/test_examples.py -k "push_box or train_sb3"

train-bench: $(TRAIN_STAMP)  ## train every recipe with three seeds and score the policies in MuJoCo: an hour
	$(TRAIN)/bin/python -m benchmarks.training

lint: $(STAMP)  ## ruff and mypy
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

format: $(STAMP)  ## let ruff rewrite the sources
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

# read as data, never imported: without what they depend on, and beside the environment
PACKAGES := dm_control gymnasium gymnasium-robotics metaworld robosuite playground
packages: $(STAMP)  ## fetch Python packages that carry public models, for the comparison of those
	$(RUN) -m pip install --quiet --no-deps --upgrade --target out/packages $(PACKAGES)

conformance: $(STAMP)  ## the long sweeps against MuJoCo; writes the report and the README's table
	$(RUN) -m conformance.units
	$(VENV)/bin/cortenforge warmup
	$(RUN) -m conformance
	$(RUN) -m conformance.urdf
	$(RUN) -m conformance.roundtrip
	$(RUN) -m conformance.corpus
	$(RUN) -m conformance.memory
	$(RUN) docs/build_tables.py
	$(RUN) docs/build_corpus.py

clients: $(STAMP)  ## programs written for mujoco, run with cortenforge.mujoco beside mujoco itself
	$(RUN) -m conformance.clients

gpu-conformance: $(STAMP)  ## public models on a GPU against the CPU; can be stopped and resumed
	$(RUN) -m pytest -n 2 -m sweep tests/gpu
	$(RUN) -m conformance.gpu --step
	$(RUN) -m conformance.gpu_meshes
	$(RUN) -m conformance.gpu_long

bench: $(STAMP)  ## speed against MuJoCo; writes the results and the README's table, fails if too slow
	@missed=0; \
	$(RUN) -m benchmarks || missed=1; \
	$(RUN) -m benchmarks.environments || missed=1; \
	$(RUN) docs/build_tables.py || missed=1; \
	$(RUN) -m conformance.bounds || missed=1; \
	exit $$missed

docs: $(STAMP)  ## rewrite what is generated: type stubs, pages of fields and targets, README's tables
	$(RUN) -m cortenforge.fields.words
	$(RUN) -m cortenforge.model.stubs
	$(RUN) -m cortenforge.spec.stubs
	$(RUN) docs/build_fields.py
	$(RUN) docs/build_from_mujoco.py
	$(RUN) docs/build_mujoco_tables.py
	$(RUN) docs/build_mujoco.py
	$(RUN) docs/build_materials.py
	$(RUN) docs/build_mjcf.py
	$(RUN) docs/build_actuators.py
	$(RUN) docs/build_sensors.py
	$(RUN) docs/build_targets.py
	$(RUN) docs/build_corpus.py
	$(RUN) docs/build_criteria.py
	$(RUN) docs/build_glossary.py
	$(RUN) docs/build_tables.py

# pages import the package, and notebooks run it; links between pages are checked, others are not
SITE_STAMP := $(VENV)/.site
$(SITE_STAMP): $(STAMP)
	$(RUN) -m pip install --quiet -e '.[docs]'
	@touch $@

site: $(SITE_STAMP)  ## build the site of these pages in out/site; needs no network
	$(RUN) -m sphinx --fail-on-warning --keep-going -q -b html -d out/site-pages docs out/site
	@echo "open out/site/index.html"

dist: site  ## build the sdist and the wheel for any platform, with the site
	$(RUN) -m pip install --quiet build
	$(RUN) -m build --outdir out/dist

plots: $(STAMP)  ## draw the plots of docs/constraints.md and docs/theory
	$(RUN) docs/build_contact_plots.py
	$(RUN) docs/build_theory_plots.py

gallery: $(STAMP)  ## draw the pictures of docs/gallery.md and docs/deformables.md, by running code
	$(RUN) docs/build_gallery.py
	$(RUN) docs/build_soft_pictures.py

clean:  ## remove the environment, caches and outputs
	rm -rf $(VENV) out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
