# Every target does its own set-up; nothing has to be there but make and Python 3.11 or later.
#
#   make setup    an environment in .venv, and what git runs before a commit and before a push
#   make test     the core, the wire table, MCP and the adapters, in less than a minute
#   make run      serve examples/shop on http://127.0.0.1:8000          (PORT=..., WORKERS=...)
#   make check    everything that CI runs                               (PYTHON=python3.13 for another interpreter)
#   make oracles  what other people's tools say of our OpenAPI documents  (a part of check)
#   make mcp-oracles  what other people's MCP clients and the conformance suite say of our tools  (a part of check)
#   make typescript   the generated clients, compiled by tsc 5 and 7 and run in Node  (a part of check)
#   make browser  the explorer in headless Chromium, with screenshots in build/screenshots  (a part of check)
#   make hosts    a mount inside FastAPI, Starlette, Litestar, Flask and Django, and on AWS Lambda  (a part of check)
#   make picture  the picture of the explorer that the README shows, anew
#   make docs     the site of docs, in build/docs, without a warning  (a part of check)
#   make bench    the cost of one call, beside other frameworks, of a tool's call, of hooks and values, and of streams
#   make bench-sockets  the same over sockets, with the servers and Node, and the memory of a worker
#   make instructions   the instructions of a call, against those that are recorded   (a part of check; RECORD=1 records them anew)
#   make mutants  small changes of the call core, each of which a test has to notice; takes an hour  (ONLY=contract/call/bearer.py, SAMPLE=60, SEED=1, JOBS=2)
#   make release  build the sdist and the wheel into dist, and try them in environments that hold nothing else, on each Python that is here
#   make clean    take away everything that these made, the shop's data included

PYTHON ?= python3
PORT ?= 8000
WORKERS ?= 1

VENV := .venv
BIN := $(VENV)/bin
# How much is drawn where nothing else is asked for: tests/conftest.py.
export CONTRACT_HYPOTHESIS_PROFILE ?= ci
# Tests start hundreds of interpreters, and pytest rewrites what it imports: without files to keep that in, as the environment of many
# a container has it, each of them compiles all of it anew.
unexport PYTHONDONTWRITEBYTECODE
# Most of what is installed is never imported, and what is imported is compiled then.
PIP := PIP_COMPILE=0 $(BIN)/python -m pip --disable-pip-version-check -qq
# Installs $2 into the environment $1. uv takes a fifth of pip's time; it does not read pip's configuration, which may name the only index
# that can be reached: then pip does it.
install = $(BIN)/uv pip install --quiet --python $1/bin/python $2 || $(PIP) --python $1/bin/python install $2
# Other interpreters live inside the environment, so that one directory is all there is to ignore and to delete.
BETWEEN := 3.12
NEWEST := 3.13
OTHERS := $(BETWEEN) $(NEWEST)
# pydantic pins its pydantic-core exactly, so whoever uses both has an older one. The oldest interpreter has the newest core, the one
# between has the lowest, and the newest has this, which is held against our own walk.
CORE_ON_$(NEWEST) := 2.46.5
# What other people's programs say, each in an environment of its own.
TOOLS := oracles mcp-oracles typescript
COMPATIBLE := tests-with-lowest tests-on-$(NEWEST)

# The tests of a pattern. One that no test is named by stops make: it would run nothing, and pass.
tests_like = $(or $(wildcard $1),$(error no test is named like $1; correct the pattern in the Makefile))

# The same tests as $1. pytest lists a folder anew for each file of it that it is given, which takes seconds for a hundred: so it is
# given the folder, and what to leave out.
only = tests $(addprefix --ignore=,$(filter-out $1 $(addsuffix /%,$1),$(wildcard tests/test_*.py tests/*/test_*.py)))

# What pydantic-core has a part in; the rest cannot tell one from another, nor can what carries a request to it. What it refuses, our
# own walk judges again: so one law holds the two against each other, and what a refusal says is tested with one core.
WALK_LAWS := $(foreach name,pred_round *walk any,$(call tests_like,tests/property/test_$(name)*.py))
CORE_LAWS := $(WALK_LAWS) $(call tests_like,tests/property/test_pred_and*.py)
CORE_TESTS := tests/wire $(CORE_LAWS) $(foreach name,pred example,$(call tests_like,tests/test_$(name)*.py))

# These say the same on every interpreter: they run type checkers, or compare what things cost.
ALIKE_TESTS := $(foreach name,codegen_python_checked pred_cost codegen_cost spec_cost memory,$(call tests_like,tests/test_$(name).py))
# The collector is Python's, and the example is checked by what tests/test_testing*.py tests.
NO_CORE_TESTS := $(ALIKE_TESTS) $(foreach name,pred_dump_collector example_shop_kit,$(call tests_like,tests/test_$(name).py))
CORE_TESTS := $(filter-out $(NO_CORE_TESTS),$(CORE_TESTS))

# What runs beside the measured suite, in two parts: tracing doubles what these take, and each module is covered by tests of its own.
LAWS := tests/property $(foreach name,test_pred_dump_law test_schema_differences test_golden,$(call tests_like,tests/$(name).py))
# What is sent over the wire, stands in the README or is asked of the example goes through modules that have tests of their own, too;
# what things cost is not to be told with a tracer, and what reads the source runs none of it.
WIRE_AND_COSTS := tests/wire $(ALIKE_TESTS) $(foreach name,readme mutants vectors example_shop_kit example_shop_wire named_modules private_parts,$(call tests_like,tests/test_$(name).py))
UNTRACED := $(LAWS) $(WIRE_AND_COSTS)
# What can tell one interpreter from another: what reads annotations (schemas are read alike) or generates code of ours, and what holds
# threads and loops, or talks to processes. The measured suite runs on the oldest, these on the newest.
# The whole suite runs there, too: make tests-on-3.13 OTHERS_TESTS=tests
LANGUAGE_TESTS := $(filter-out $(ALIKE_TESTS) $(call tests_like,tests/test_shape_schema*.py),$(foreach pattern,$(patsubst %,tests/test_%.py, \
	shape* authenticator* group* hook* resolver* route* spec* typed_hook* typed_route* public_api* pred* record* codegen_python cli_find),$(call tests_like,$(pattern))))
OTHERS_TESTS := $(LANGUAGE_TESTS) $(filter-out $(ALIKE_TESTS) $(LANGUAGE_TESTS) tests/test_example_shop_kit.py,$(foreach pattern,$(patsubst %,tests/test_%*.py, \
	adapters cli_asgi_server cli_loop cli_lifespan cli_routes cli_call client testing_calls testing_client example),$(call tests_like,$(pattern))))
# An interpreter between the oldest and the newest can tell itself from both by annotations alone.
BETWEEN_TESTS := $(filter-out $(call tests_like,tests/test_pred*.py) $(call tests_like,tests/test_codegen_python.py) $(call tests_like,tests/test_cli_find.py),$(LANGUAGE_TESTS))
# What stands on a dependency beside pydantic-core, each line on one: annotated-types and typing-extensions, falcon, uvloop and httptools,
# httpx2 and anyio, Hypothesis with pytest. Threads, loops, source and schemas are of the standard library and ours.
DEPENDENT_TESTS := $(foreach pattern,$(patsubst %,tests/test_%*.py, \
	shape_annotations shape_bounds shape_constraints shape_fields shape_markers shape_reader shape_records shape_scalars hook resolver typed_ record \
	adapters_falcon \
	cli_asgi_server cli_loop cli_lifespan \
	client cli_call codegen_python_headers \
	testing_calls testing_cases testing_checks testing_client),$(call tests_like,$(pattern)))

.DEFAULT_GOAL := check
.DELETE_ON_ERROR:
.PHONY: setup test test-core test-wire release run check format lint floors types verifytypes tests tests-of-commands tests-of-early-modules tests-of-middle-modules tests-of-late-modules unmeasured laws wire-and-costs compatible tests-with-lowest $(TOOLS) hosts docs browser bench bench-sockets instructions mutants picture clean $(OTHERS:%=tests-on-%)

setup: $(VENV)/hooks.done

# The fast loop, in two processes, as there are two cores everywhere. What tests costs or laws is left to `make check`.
FAST_TESTS := tests/mcp $(filter-out $(LAWS) $(ALIKE_TESTS),$(foreach name,adapters authenticator bearer context dispatch exceptions failures group hook issues log message \
	meta mount_options patterns pred proxies public_api published resolver route service shape spec tool typed_hook typed_route,$(call tests_like,tests/test_$(name)*.py)))

test: $(VENV)/check.done
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) test-core test-wire

test-core: $(VENV)/check.done
	@$(BIN)/python -m pytest -q $(FAST_TESTS)

test-wire: $(VENV)/check.done
	@$(BIN)/python -m pytest -q tests/wire

run: $(VENV)/run.done
	@$(BIN)/contract serve examples.shop.app:api --port $(PORT) --workers $(WORKERS)

# Cheapest first: make stops at the first that fails. The rest, the longest of it first, is run six at a time, on two cores: what
# talks to servers and to the browser waits for them half of the time. What a target says is shown when it ends.
# The measured suite and the laws take longest: what is marked as aside leaves the cores to them.
# .github/workflows/check.yml names each of these, too.
ASIDE := nice -n 5
QUICK := format lint floors
LONG := tests laws wire-and-costs browser tests-with-lowest types tests-on-$(NEWEST) typescript $(filter-out typescript,$(TOOLS)) hosts instructions verifytypes docs
check: $(QUICK)
	@$(MAKE) --no-print-directory -j6 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) $(LONG)
	@echo "check: all passed"

format: $(VENV)/check.done
	$(BIN)/ruff format --check .

lint: $(VENV)/check.done
	$(BIN)/ruff check .

floors: $(VENV)/check.done
	$(BIN)/lint-imports

# pyright looks into the environment of the python that is first on the path.
types: $(VENV)/check.done
	$(ASIDE) $(BIN)/mypy
	. $(BIN)/activate && pyright

# The measured suite, in four parts that can run side by side: what starts the commands as processes waits for them most of the time,
# and the rest would run long after all other targets were it in one piece, or in two.
# Each process that is measured writes a file of its own, and these are taken together at the end.
COMMAND_TESTS := $(call tests_like,tests/test_cli*.py)
EARLY_TESTS := $(filter-out $(COMMAND_TESTS) $(UNTRACED),$(call tests_like,tests/test_[a-m]*.py))
LATE_TESTS := $(filter-out $(UNTRACED),$(call tests_like,tests/test_[t-z]*.py))

tests: tests-of-commands tests-of-early-modules tests-of-middle-modules tests-of-late-modules
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

tests-of-commands: unmeasured
	$(BIN)/coverage run -m pytest -q $(COMMAND_TESTS)

# By the names of the files: from a to m, from t on, and whatever is left.
tests-of-early-modules: unmeasured
	$(BIN)/coverage run -m pytest -q $(call only,$(EARLY_TESTS))

tests-of-middle-modules: unmeasured
	$(BIN)/coverage run -m pytest -q $(COMMAND_TESTS:%=--ignore %) $(EARLY_TESTS:%=--ignore %) $(LATE_TESTS:%=--ignore %) $(UNTRACED:%=--ignore %)

tests-of-late-modules: unmeasured
	$(BIN)/coverage run -m pytest -q $(LATE_TESTS)

unmeasured: $(VENV)/check.done
	@$(BIN)/coverage erase

laws: $(VENV)/check.done
	$(BIN)/python -m pytest -q $(LAWS)

wire-and-costs: $(VENV)/check.done
	$(BIN)/python -m pytest -q $(WIRE_AND_COSTS)

verifytypes: $(VENV)/check.done
	. $(BIN)/activate && pyright --verifytypes contract --ignoreexternal

compatible: $(COMPATIBLE)

# Every dependency in the lowest release that pyproject.toml allows; the newest of each is what the other environments have.
# It is the turn of the interpreter between the oldest and the newest, too, if it is here.
# What an older Hypothesis shrinks a bug to is its own affair.
tests-with-lowest: $(VENV)/lowest.done
	@echo "pytest -q, with the lowest release of every dependency, on $$($(VENV)/lowest/bin/python --version)"
	@CONTRACT_HYPOTHESIS_PROFILE=brief CONTRACT_TRANSPORTS="service served-mount" $(ASIDE) $(VENV)/lowest/bin/python -m pytest -q -k "not found_and_shrunk" $(call only,$(CORE_TESTS) $(DEPENDENT_TESTS) $(BETWEEN_TESTS))

$(VENV)/lowest.done: $(VENV)/check.done tests/lowest.py
	@rm -rf $(VENV)/lowest
	@python="$$($(call interpreter,$(BETWEEN)))"; "$${python:-$(BIN)/python}" -m venv --without-pip $(VENV)/lowest
	@$(BIN)/python tests/lowest.py > $(VENV)/lowest.txt
	@$(call install,$(VENV)/lowest,--group suite --editable . --constraint $(VENV)/lowest.txt)
	@touch $@

$(OTHERS:%=tests-on-%): tests-on-%: $(VENV)/python-%.done
	@if [ -x $(VENV)/python-$*/bin/python ]; then \
		echo "pytest -q, on Python $*$(CORE_ON_$*:%= with pydantic-core %)"; \
		CONTRACT_HYPOTHESIS_PROFILE=brief $(ASIDE) $(VENV)/python-$*/bin/python -m pytest -q $(call only,$(OTHERS_TESTS) $(if $(CORE_ON_$*),$(WALK_LAWS))); \
	else \
		echo "Python $* is not installed: the suite is not run on it."; \
	fi

# The interpreter of the version $1, if it is installed: by its name, or among pyenv's, whose shims answer only for the versions that
# are switched on.
define interpreter
for python in python$1 "$$HOME"/.pyenv/versions/$1.*/bin/python; do \
	if "$$python" -c 'import sys, venv; sys.exit("%d.%d" % sys.version_info[:2] != "$1")' 2>/dev/null; then echo "$$python"; break; fi; \
done
endef

$(VENV)/python-%.done: $(VENV)/check.done
	@rm -rf $(VENV)/python-$*
	@python="$$($(call interpreter,$*))"; \
	if [ -n "$$python" ]; then \
		echo "setting up Python $*"; \
		"$$python" -m venv --without-pip $(VENV)/python-$* && \
		{ $(call install,$(VENV)/python-$*,--group suite --editable . $(CORE_ON_$*:%=pydantic-core==%)); } && \
		touch $@; \
	fi

$(TOOLS): %: $(VENV)/%.done
	@$(BIN)/python -m tests.$(subst -,_,$*).run $(VENV)/$*

# The examples of a mount inside frameworks of others (docs/how-to/mounting.md), with these.
hosts: $(VENV)/hosts.done
	@$(VENV)/hosts/bin/python -m pytest -q tests/hosts

$(VENV)/hosts.done: $(VENV)/check.done
	@echo "installing the hosts into $(VENV)/hosts"
	@rm -rf $(VENV)/hosts
	@$(BIN)/python -m venv --without-pip $(VENV)/hosts
	@$(call install,$(VENV)/hosts,--group hosts --editable .)
	@touch $@

# docs/conf.py says how the pages are read.
docs: $(VENV)/docs.done
	@rm -rf build/docs
	@$(VENV)/docs/bin/sphinx-build -q -W --keep-going docs build/docs
	@echo "docs: build/docs/index.html"

$(VENV)/docs.done: $(VENV)/check.done
	@echo "installing what builds the site into $(VENV)/docs"
	@rm -rf $(VENV)/docs
	@$(BIN)/python -m venv --without-pip $(VENV)/docs
	@$(call install,$(VENV)/docs,--group docs)
	@touch $@

# The explorer in a real browser, which is Debian's: pip and npm have only drivers. Older releases have it with windows alone.
apt_get := DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends
browser: $(VENV)/browser.done
	@command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null || command -v chromium-browser > /dev/null || \
		{ test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get -qq update && \
			{ $(apt_get) chromium-headless-shell > /dev/null || $(apt_get) chromium > /dev/null; }; } || \
		{ echo "make browser needs chromium: apt-get install chromium-headless-shell"; exit 1; }
	@CONTRACT_TOOLS=$(VENV)/browser $(BIN)/python -m pytest -q tests/browser

# The test that takes it also holds the one that is there to its size, so it may fail before there is one.
picture: $(VENV)/browser.done
	@CONTRACT_TOOLS=$(VENV)/browser $(BIN)/python -m pytest -q tests/browser/test_screenshots.py -k readme || true
	@cp build/screenshots/explorer.png docs/images/explorer.png

# Each has an environment of its own: the dependency group of its name, with node, and the npm packages that its folder has locked.
folder = $(if $(filter bench,$1),bench,tests/$(subst -,_,$1))
.SECONDEXPANSION:
$(TOOLS:%=$(VENV)/%.done) $(VENV)/browser.done $(VENV)/bench.done: $(VENV)/%.done: $(VENV)/check.done $$(wildcard $$(call folder,$$*)/package*.json)
	@echo "installing the tools of $* into $(VENV)/$*"
	@rm -rf $(VENV)/$*
	@$(BIN)/python -m venv --without-pip $(VENV)/$*
	@$(call install,$(VENV)/$*,--group $* $(if $(filter bench,$*),--editable .))
	@cp $(call folder,$*)/package.json $(call folder,$*)/package-lock.json $(VENV)/$*
	@cd $(VENV)/$* && PATH="$$PWD/bin:$$PATH" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

bench: $(VENV)/bench.done
	@$(VENV)/bench/bin/python -m bench.call
	@$(VENV)/bench/bin/python -m bench.mcp
	@$(VENV)/bench/bin/python -m bench.hooks
	@$(VENV)/bench/bin/python -m bench.streams

bench-sockets: $(VENV)/bench.done
	@$(VENV)/bench/bin/python -m bench.sockets

# Valgrind counts them: on a busy machine nothing can be timed to a few in a hundred.
instructions: $(VENV)/check.done
	@command -v valgrind > /dev/null || \
		{ test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get -qq update && $(apt_get) valgrind > /dev/null; } || \
		{ echo "make instructions needs valgrind: apt-get install valgrind"; exit 1; }
	@$(BIN)/python -m bench.instructions $(if $(RECORD),--record)

# It goes on where it was broken off, and runs anew what has been changed since.
mutants: $(VENV)/check.done
	@$(BIN)/python -m tests.mutation $(if $(ONLY),--only $(ONLY)) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(JOBS),--jobs $(JOBS))

$(VENV)/run.done: pyproject.toml | $(VENV)/new.done
	@echo "installing contract into $(VENV)"
	@$(PIP) install --editable '.[all]'
	@touch $@

# What is in dist may be uploaded afterwards (twine upload dist/*): nothing here does that.
# The wheel is built from the sdist, so both are tried.
release: $(VENV)/release.done
	@rm -rf dist
	@$(VENV)/release/bin/python -m build --outdir dist
	@$(VENV)/release/bin/twine check --strict dist/*
	@$(BIN)/python tests/lowest.py > $(VENV)/release/lowest.txt
	@: > $(VENV)/release/newest.txt
	@$(call smoke,$(BIN)/python,lowest)
	@$(call smoke,$(BIN)/python,newest)
	@$(foreach version,$(OTHERS),python="$$($(call interpreter,$(version)))"; \
		if [ -n "$$python" ]; then $(call smoke,"$$python",newest); \
		else echo "Python $(version) is not installed: the wheel is not tried on it."; fi;)

# The wheel, tried with the interpreter $1 and the lowest or the newest release ($2) of every dependency.
define smoke
echo "trying the wheel on $$($1 --version), with the $2 release of every dependency"; \
rm -rf $(VENV)/smoke && $1 -m venv --without-pip $(VENV)/smoke || exit 1; \
for extra in "" serve; do \
	$(PIP) --python $(VENV)/smoke/bin/python install --constraint $(VENV)/release/$2.txt "$$(echo dist/*.whl)$${extra:+[$$extra]}" && \
	$(VENV)/smoke/bin/python -I tests/smoke.py $$extra || exit 1; \
done
endef

$(VENV)/release.done: $(VENV)/check.done
	@echo "installing what builds a release into $(VENV)/release"
	@rm -rf $(VENV)/release
	@$(BIN)/python -m venv --without-pip $(VENV)/release
	@$(call install,$(VENV)/release,--group release)
	@touch $@

# .pre-commit-config.yaml says what runs; from then on, nothing is fetched.
$(VENV)/hooks.done: $(VENV)/check.done .pre-commit-config.yaml
	@$(call install,$(VENV),--group hooks)
	@$(BIN)/pre-commit install
	@touch $@

# Dependency groups are newer than the pip that many interpreters bring along.
$(VENV)/check.done: pyproject.toml | $(VENV)/new.done
	@echo "installing contract and its checks into $(VENV)"
	@$(PIP) install --upgrade 'pip>=25.1' 'uv>=0.9'
	@$(call install,$(VENV),--group check --editable .)
	@touch $@

$(VENV)/new.done:
	@$(PYTHON) -c 'import sys; sys.exit("contract needs Python 3.11 or later: make PYTHON=python3.13 ..." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# The hooks of git run what is in .venv, so they go with it.
clean:
	@if [ -f $(VENV)/hooks.done ]; then $(BIN)/pre-commit uninstall; fi
	rm -rf $(VENV) .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist shop.sqlite3 shop.sqlite3-* helpdesk.sqlite3
	find contract examples tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
