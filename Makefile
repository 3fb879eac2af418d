# The commands of this project. Each does its own set-up.

CONFIGURATION ?= debug
BIN = .build/$(CONFIGURATION)

.PHONY: help demo up build test swift-test web-test python-test check proto proto-check tsan format clean

help:
	@echo "make demo         hold a meeting with real processes and show what happens"
	@echo "make up           start every service on this machine, and a bot to meet; Ctrl-C ends them"
	@echo "make test         build and run every test, Swift and Python"
	@echo "make check        layout, generated code, imports, commits, Python, public docs; before each commit"
	@echo "make proto        regenerate what is made from proto/"
	@echo "make proto-check  fail when generated code is stale"
	@echo "make tsan         run the bus under ThreadSanitizer"
	@echo "make bench        measure beside libzmq, gRPC and NATS; a release build first"
	@echo "make fuzz         feed random bytes to all that reads bytes of clients, FUZZ_SECONDS each"
	@echo "make faults       fail each service, two instances of each, under meetings; print what came of it"
	@echo "make churn        have instances join and leave under meetings for a minute; print what came of it"
	@echo "make soak         500 attendees who come and go for 20 minutes; print whether any service grew"
	@echo "make cluster-test hold meetings on two hosts in network namespaces; cut, drain, fail over (needs root)"
	@echo "make compose-test hold the demo's meeting in containers (needs Docker)"
	@echo "make format       format every Swift file"

setup:
	@Scripts/setup.sh
	@Scripts/python.sh
.PHONY: setup

build: setup
	swift build --configuration $(CONFIGURATION)

demo: build
	$(BIN)/carillon demo

up: build
	$(BIN)/carillon up --with-bot

test: swift-test web-test python-test

swift-test: setup
	@Scripts/postgresql.sh
	Scripts/test.sh

# Tests that judge time, for a quiet machine; make test leaves them out.
timed-test: setup
	CARILLON_TIMED_TESTS=1 swift test --no-parallel --filter ReconnectTimeoutTests
.PHONY: timed-test

web-test: setup
	node --test --test-reporter=tap Tests/Web/unit/*.test.js

python-test: build
	@Scripts/postgresql.sh
	@Scripts/prometheus.sh || echo "Without prometheus the tests of deploy/ are skipped."
	.venv/bin/python -m pytest Tests/Python Tests/ControlAPI Tests/Web

check: setup
	Scripts/check.sh

proto: setup
	Scripts/proto.sh

proto-check: setup
	Scripts/proto.sh --check

tsan: setup
	Scripts/tsan.sh

bench:
	$(MAKE) -C Benchmarks bench
.PHONY: bench

fuzz: setup
	Scripts/fuzz.sh
.PHONY: fuzz

faults: build
	.venv/bin/python Tests/Python/faults.py
.PHONY: faults

churn: build
	.venv/bin/python Tests/Python/churn.py
.PHONY: churn

soak: build
	.venv/bin/python Tests/Python/soak.py
.PHONY: soak

cluster-test: build
	@Scripts/postgresql.sh
	.venv/bin/python Tests/Python/cluster_hosts.py
.PHONY: cluster-test

compose-test: build
	Scripts/compose-test.sh
.PHONY: compose-test

format:
	git ls-files -z --cached --others --exclude-standard '*.swift' | xargs -0 swift format --in-place --parallel

clean:
	rm -rf .build .build-tsan .build-fuzz .venv
