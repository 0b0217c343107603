# The two commands are `make run` and `make test`. `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help run test lint deny unit contract connector browser recovery attack package package-test package-boot image chaos soak fuzz bench model clean

help: ## List these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

run: ## Build and start Canvass on http://127.0.0.1:8080, with data in ./data
	@scripts/need rust
	cargo build --profile quick --package server --bin canvass
	./target/quick/canvass serve

test: ## Run all checks: format, lints, docs, tests on SQLite and PostgreSQL, API contract, connector, web app, restores and faults, attacks, package, licences
	@scripts/need rust nextest postgres faketime curl python node clients connector browser namespace
	@$(MAKE) --no-print-directory lint
	cargo nextest run --workspace --no-run
	cargo build --quiet --workspace --bins --examples
	scripts/side-by-side unit recovery browser contract connector attack package-test deny
	@echo "All checks passed."

lint: ## Check format, lints and documentation
	@scripts/need rust
	cargo fmt --check
	cargo clippy --workspace --all-targets --features place-data/bench -- -D warnings
# With an example, so that dependencies have the same features as above and are not compiled again.
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --lib --example throughput --features place-data/bench

deny: ## Check licences, sources and advisories of dependencies
	@scripts/need rust deny
	scripts/deny

unit: ## Run all tests, on SQLite and on a private PostgreSQL
	@scripts/need rust nextest postgres faketime curl python
# Most tests wait for something half of the time: sockets, leases, other processes.
	scripts/with-postgres cargo nextest run --workspace --test-threads $$(( $$(nproc) * 2 ))

contract: ## Lint the API document, run searches with generated clients, test the running server against it
	@scripts/need rust python node clients
	scripts/contract

connector: ## Test the assistant connector with real MCP clients
	@scripts/need rust connector
	scripts/mcp

browser: ## Check the web app, and use it in Chromium as a person does
	@scripts/need rust browser
	scripts/browser

attack: ## Attack a running Canvass: forged requests to private addresses, callers who must not get in, leaked keys
	@scripts/need rust python namespace
	cargo build --quiet --workspace --bins --examples
	.tools/python/bin/python attacks/run.py

package: ## Make a Debian package in target/debian, from a release build
	@scripts/need rust deb
	scripts/package
	@ls target/debian/*.deb

package-test: ## Make a Debian package of the tests' binary; install, start, upgrade and remove it in a copy of this system
	@scripts/need rust deb python
	cargo build --quiet --workspace --bins --examples
	python3 packaging/test.py

package-boot: ## Install, start, kill, upgrade and remove the package under systemd, in a container; needs root, and podman or docker
	@scripts/need rust deb
	cargo build --quiet --workspace --bins --examples
	python3 packaging/booted.py

image: ## Build the container image, and start it with PostgreSQL and a worker; needs podman or docker
	scripts/image

recovery: ## Rehearse a restore from a backup on both databases, a rolling restart under load, and two minutes of random faults
	@scripts/need rust postgres faketime python namespace
	cargo build --quiet --workspace --bins --examples
	.tools/python/bin/python chaos/restore.py
	.tools/python/bin/python chaos/roll.py
	.tools/python/bin/python chaos/run.py --seed 1 --seconds 20 --searches 12

chaos: ## Disturb real processes at random and check every promise (SEED=1 SECONDS=120 DATABASE=both, or sqlite or postgres)
	@scripts/need rust postgres faketime python namespace
	cargo build --quiet --workspace --bins --examples
	.tools/python/bin/python chaos/run.py $(if $(SEED),--seed $(SEED)) $(if $(SECONDS),--seconds $(SECONDS)) --database $(or $(DATABASE),both)

soak: ## Run mixed load for a long time and measure memory, errors and times (MINUTES=60)
	@scripts/need rust python
	cargo build --quiet --workspace --bins --examples
	.tools/python/bin/python chaos/soak.py --minutes $(or $(MINUTES),60)

fuzz: ## Run every fuzz target for three minutes (SECONDS=180); needs the nightly toolchain
	@scripts/need rust fuzz
	scripts/fuzz $(SECONDS)

bench: ## Run benchmarks, side by side with other programs, and print one table (ONLY="serve growth"; streams, search, web, facts, reader, radar, places; PLOTS=yes)
	@scripts/need rust wrk
	python3 benches/run.py $(ONLY)

model: ## Ask a small local model about 60 websites and print what the check makes of its answers (TEST_PAGES_DIR=... for real pages)
	@scripts/need rust nextest python
	scripts/model-run

clean: ## Remove build output (not the data)
	cargo clean
	rm -rf .tools
