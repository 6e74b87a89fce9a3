# A thin front of CMake: `make help` says what there is. Presets are in CMakePresets.json; the release
# is built in build/, every other preset in build-NAME/.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.DEFAULT_GOAL := release
.PHONY: help release demo test bench asan ubsan sanitize tsan clang clang-sanitize clang-tsan valgrind rotation coverage \
        torture fuzz reliability format format-check lint analyze docs pictures install uninstall sbom fresh clean deps

# What `make test` builds; .ci/run sets it to ci, where warnings are errors.
KN_TEST_PRESET ?= dev

# $(call build_preset,NAME,FOLDER): configures the first time and when the presets have changed; after
# that the build knows itself when it must.
build_preset = scripts/need.sh cmake ninja && \
    { [ $(2)/build.ninja -nt CMakePresets.json ] || cmake --preset $(1); } && \
    cmake --build --preset $(1) -j $(JOBS)

help: ## this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "make %-28s %s\n", $$1, $$2 }' Makefile

release: ## build/kanon, optimised (the default)
	@$(call build_preset,release,build)

demo: ## install what is missing, build, anonymise a sample, show the report
	@scripts/deps.sh build
	@$(call build_preset,release,build)
	@scripts/demo.sh

test: ## install what is missing, build, run every test
	@scripts/deps.sh build test
	@$(call build_preset,$(KN_TEST_PRESET),build-$(KN_TEST_PRESET))
	@scripts/test.sh build-$(KN_TEST_PRESET)

bench: release ## measure: prints a table, writes JSON
	@cmake --build --preset release -j $(JOBS) --target bench
	@if [ -x bench/run ]; then bench/run; else echo "bench/run is not there yet"; fi

# Which tests a sanitizer or valgrind leaves out, and why: scripts/left-out.txt.
asan ubsan sanitize tsan: ## the tests under a sanitizer (sanitize: address and undefined; tsan: those that mention threads)
	@$(call build_preset,$@,build-$@)
	@scripts/test.sh build-$@

clang clang-sanitize clang-tsan: ## the tests built by clang, and under its sanitizers
	@scripts/deps.sh build test clang
	@$(call build_preset,$@,build-$@)
	@scripts/test.sh build-$@

valgrind: ## the tests under valgrind: uses of memory that was never written
	@scripts/deps.sh build test valgrind
	@$(call build_preset,$@,build-$@)
	@scripts/test.sh build-$@

rotation: ## the tests under the sanitizer whose turn it is, or LEG=sanitize, clang-sanitize, tsan, clang-tsan or valgrind
	@scripts/rotation.sh $(LEG)

coverage: ## which lines the tests run: build-coverage/html (needs lcov)
	@$(call build_preset,coverage,build-coverage)
	@scripts/test.sh build-coverage; status=$$?; scripts/coverage.sh build-coverage; exit $$status

torture: ## let every allocation and file system call of small jobs fail (make test takes a sample)
	@$(call build_preset,dev,build-dev)
	@TORTURE=all ctest --test-dir build-dev -j $(JOBS) -R '^torture\.' --output-on-failure

fuzz: ## libFuzzer on every target for FUZZ_SECONDS each (needs clang)
	@$(call build_preset,fuzz,build-fuzz)
	@scripts/fuzz.sh build-fuzz $(or $(FUZZ_SECONDS),60)

reliability: ## every campaign of faults and hostile inputs, as a table: docs/results/reliability.md (BEFORE=COMMIT)
	@$(call build_preset,dev,build-dev)
	@$(call build_preset,fuzz,build-fuzz)
	@scripts/reliability.sh $(BEFORE) >build-dev/reliability.md && mv build-dev/reliability.md docs/results/reliability.md

format: ## write the sources as .clang-format says
	@scripts/need.sh clang-format && scripts/format.sh

format-check: ## say which sources are not written so
	@scripts/need.sh clang-format && scripts/format.sh --check

lint: ## shellcheck on the scripts, clang-tidy on src/, its analyzer on what changed
	@scripts/need.sh clang-tidy python3 shellcheck && scripts/lint.sh

analyze: ## the same with the analyzer on every source
	@scripts/need.sh clang-tidy python3 shellcheck && scripts/lint.sh --all

docs: release ## man pages and completions from the command's own help: build/pages
	@cmake --build --preset release --target pages

pictures: release ## the pictures of docs/, again (needs chromium)
	scripts/pictures.sh build/kanon docs/pictures

install: release ## into PREFIX (/usr/local), under DESTDIR if given
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall: ## remove what `make install` wrote from this build
	@DESTDIR="$(DESTDIR)" scripts/uninstall.sh build/install_manifest.txt

sbom: ## what the command is made of and linked with (CycloneDX): build/kanon.cdx.json
	@scripts/need.sh cmake ninja && cmake --preset release >/dev/null && cat build/kanon.cdx.json

fresh: ## prove that demo, test and clang work on bare Debians: SUITE="bookworm trixie sid" (needs root)
	@scripts/deps.sh fresh
	@scripts/fresh.sh

deps: ## install what building, testing and checking need
	@scripts/deps.sh build test lint

clean: ## remove what was built (build-fresh/ stays: it is a cache)
	@rm -rf build build-dev build-ci build-asan build-ubsan build-sanitize build-tsan build-clang \
	    build-clang-sanitize build-clang-tsan build-valgrind build-coverage build-fuzz build-same build-reliability
