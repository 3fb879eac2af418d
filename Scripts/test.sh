#!/usr/bin/env bash
# Builds all Swift tests and runs them module by module: within a module tests run in parallel, and one module's
# processes and timers do not starve another's on a machine with few cores.
#
#   Scripts/test.sh [MODULE…]     for example: Scripts/test.sh BusTests
#
# What failed is printed once more at the end, where a reader of a long log looks first, and last of all why: the tests
# with their failed expectations, or what a crash said and where it was.
#
# A module that does not end within 20 minutes (the longest takes 7 on two cores) is ended and fails; the tests that
# had begun and not ended are named. A time limit of a test cannot do that: it cancels, and a test that waits for what
# never comes need not notice.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=("$@")
[ "${#modules[@]}" -gt 0 ] || mapfile -t modules < <(find Tests -mindepth 1 -maxdepth 1 -type d -name '*Tests' -printf '%f\n' | sort)

events=$(mktemp)
output=$(mktemp)
failures=$(mktemp)
causes=$(mktemp)
trap 'rm -f "$events" "$output" "$failures" "$causes"' EXIT

# The identifiers of the tests that began and did not end, one a line, from Swift Testing's stream of events.
unfinished() {
  local kind
  for kind in testStarted testEnded; do
    sed -nE "/\"kind\":\"$kind\"/s/.*\"testID\":\"([^\"]*)\".*/\1/p" "$events" | sort -u >"$events.$kind"
  done
  comm -23 "$events.testStarted" "$events.testEnded"
  rm -f "$events".test*
}

# Why a module failed, in a few short lines: failed expectations, the message of a crash and its innermost frames of ours.
cause() {
  grep -E '^✘ .* (recorded an issue|failed after)' "$output" | head -n 10
  grep -E '(Fatal error|Precondition failed|Assertion failed): ' "$output" | head -n 3
  awk '/^Thread .* crashed:/ { inside = 1; print; next }
    /^(Thread|Registers)/ { inside = 0 }
    inside && / at \// { sub(/^ *[0-9]+ [^x]*0x[0-9a-f]+ /, "  "); print }' "$output" | head -n 8
}

swift build --build-tests
failed=()
for module in "${modules[@]}"; do
  echo "== $module"
  code=0
  timeout --foreground --kill-after=30s 20m swift test --skip-build --filter "^$module\\." \
    --event-stream-output-path "$events" --event-stream-version 0 2>&1 | tee "$output" || code=$?
  [ "$code" -eq 0 ] && continue
  failed+=("$module")
  { echo "== $module: $code"; cause || true; } | cut -c 1-240 >>"$causes"
  {
    echo "== $module failed with $code"
    grep -A 3 '^✘' "$output" || tail -n 20 "$output"
    if [ "$code" -ge 124 ]; then
      echo "It did not end. Of its tests these had begun:"
      unfinished
    fi
  } >>"$failures"
done
[ "${#failed[@]}" -eq 0 ] && exit
head -c 20000 "$failures" >&2
head -c 3000 "$causes" >&2
echo "Failed: ${failed[*]}" >&2
exit 1
