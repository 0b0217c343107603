# The two commands are `make run` and `make test`. `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help run test lint unit contract connector bench clean

help: ## List these commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

run: ## Build and start Canvass on http://127.0.0.1:8080, with data in ./data
	@scripts/need rust
	cargo build --release --package server
	./target/release/canvass serve

test: lint unit contract connector ## Check everything: format, lints, docs, all tests on SQLite and PostgreSQL, the API contract, the connector
	@echo "All checks passed."

lint: ## Check format, lints, documentation, and the dependencies' licences, sources and advisories
	@scripts/need rust deny
	scripts/deny
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
# With an example, so that dependencies have the same features as above and are not compiled once more.
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --lib --example bare_axum

unit: ## Run all tests, on SQLite and on a private PostgreSQL
	@scripts/need rust nextest postgres faketime curl python
	scripts/with-postgres cargo nextest run --workspace

contract: ## Lint the API document, run searches with clients generated from it, try the running server against it
	@scripts/need rust python node clients
	scripts/contract

connector: ## Talk to the assistant connector with real MCP clients
	@scripts/need rust connector
	scripts/mcp

bench: ## Measure, side by side with peers in one run (ONLY=serve, search, facts, reader or radar for a part)
	@scripts/need rust wrk
	scripts/bench $(ONLY)

clean: ## Remove what was built (not the data)
	cargo clean
	rm -rf .tools
