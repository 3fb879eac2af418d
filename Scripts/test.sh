#!/usr/bin/env bash
# Builds all Swift tests and runs them module by module: within a module tests run in parallel, and one module's
# processes and timers do not starve another's on a machine with few cores.
#
#   Scripts/test.sh [MODULE…]     for example: Scripts/test.sh BusTests
set -euo pipefail
cd "$(dirname "$0")/.."

modules=("$@")
[ "${#modules[@]}" -gt 0 ] || mapfile -t modules < <(find Tests -mindepth 1 -maxdepth 1 -type d -name '*Tests' -printf '%f\n' | sort)

swift build --build-tests
failed=()
for module in "${modules[@]}"; do
  echo "== $module"
  swift test --skip-build --filter "^$module\\." || failed+=("$module")
done
[ "${#failed[@]}" -eq 0 ] || { echo "Failed: ${failed[*]}" >&2; exit 1; }
