# The commands of this project. Each command first installs or builds what it needs.

CONFIGURATION ?= debug
BIN = .build/$(CONFIGURATION)

.PHONY: help demo up build test check proto proto-check tsan format clean

help:
	@echo "make demo         hold a meeting with real processes and show what happens"
	@echo "make up           start every service on this machine, and a bot to meet; Ctrl-C ends them"
	@echo "make test         build and run the tests of Swift, Python and web; ONLY=messaging: of one service"
	@echo "make hunt         run ONLY=CLITests again and again, to find what fails by chance"
	@echo "make check        layout, generated code, imports, commits, Python, documents; before each commit"
	@echo "make docs         write all documents and the clients' references as HTML to .build/docs"
	@echo "make proto        regenerate what is made from proto/"
	@echo "make proto-check  fail when generated code is stale"
	@echo "make tsan         run the bus under ThreadSanitizer"
	@echo "make bench        measure beside libzmq, gRPC and NATS; a release build first"
	@echo "make page-test    test the page in Chromium and Firefox against installations that the tests start"
	@echo "make webrtcbin-test hold a meeting with GStreamer's webrtcbin: Opus, VP8 and H.264 both ways"
	@echo "make page-pictures take pictures of the page's states, judge them and write .build/page-pictures/index.html"
	@echo "make fuzz         feed random bytes to all that reads bytes of clients; FUZZ_SECONDS=300 for each target"
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

# Runs the tests of Swift, Python and web. ONLY=messaging runs all tests of one service, ONLY=BusTests runs one Swift
# module, and ONLY=Tests/Python/test_roster.py runs one file. ALSO="checks demo tsan fuzz" runs these jobs beside the
# tests, as CI does.
test: test-setup
	Scripts/run_tests.py $(if $(ONLY),--only '$(ONLY)') $(ALSO:%=--with %)

# Runs the tests of a module or file many times, to find tests that only sometimes fail: make hunt
# ONLY=CLITests TIMES=20. With BESIDE=compiler, a compiler runs at the same time.
hunt: test-setup
	Scripts/hunt.py '$(ONLY)' --times $(or $(TIMES),20) $(if $(BESIDE),--beside-compiler)

test-setup: setup
	@Scripts/postgresql.sh
	@Scripts/prometheus.sh
.PHONY: hunt test-setup

check: setup
	Scripts/check.sh

proto: setup
	Scripts/proto.sh

proto-check: setup
	Scripts/proto.sh --check

docs: build
	.venv/bin/python Scripts/docs_site.py
.PHONY: docs

tsan: setup
	Scripts/tsan.sh

# Takes pictures of the page's states at six sizes, light and dark, in three languages. Fails if a
# picture has a fault, such as a covered button. STATES="people-9 pin" SIZES=360x740 THEMES=dark
# LANGUAGES=en limit the pictures to these values.
page-pictures: setup
	PYTHONPATH=Tests/Python:Tests .venv/bin/python -m Web.page_pictures \
	  $(if $(STATES),--only $(STATES)) $(if $(SIZES),--sizes $(SIZES)) \
	  $(if $(THEMES),--themes $(THEMES)) $(if $(LANGUAGES),--languages $(LANGUAGES))
.PHONY: page-pictures

# Tests the page in Chromium and in Firefox ESR. Most tests start an installation of their own, and
# the others script the server. PARALLEL=4 runs four tests at the same time. PICTURES=1 saves
# screenshots in Tests/Web/results.
PAGE_TESTS = page* firefox_page firefox_sound hosts knocks meeting delivery branding embedding
page-test: build
	node --test Tests/Web/unit/*.test.js
	cd Tests && ../.venv/bin/python -m pytest -q -n $(or $(PARALLEL),2) $(PAGE_TESTS:%=Web/test_%.py)
.PHONY: page-test

# Holds a meeting with two peers of GStreamer's webrtcbin, a WebRTC stack that neither the tested
# browsers nor aiortc use. CI does not run this target, because the target installs many packages of
# GStreamer.
webrtcbin-test: build
	@Scripts/webrtcbin-setup.sh
	cd Tests && ../.venv/bin/python -m pytest -q Web/webrtcbin_meeting.py
.PHONY: webrtcbin-test

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
