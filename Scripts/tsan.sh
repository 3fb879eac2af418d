#!/usr/bin/env bash
# Builds bus-stress with ThreadSanitizer and runs it: exits with 1 on a data race or a wrong answer.
#
#   Scripts/tsan.sh
#
# The build uses .build-tsan, because a program cannot mix instrumented objects with other objects.
set -euo pipefail
cd "$(dirname "$0")/.."

# Copies the packages that the usual build has fetched. A copy takes less time than another fetch.
scratch=.build-tsan
if [[ ! -e $scratch && -e .build/workspace-state.json ]]; then
  rm -rf "$scratch.new" && mkdir "$scratch.new"
  cp -a .build/{checkouts,repositories,workspace-state.json} "$scratch.new/"
  mv "$scratch.new" "$scratch"
fi

swift build --sanitize=thread --scratch-path "$scratch" --product bus-stress "$@"
TSAN_OPTIONS="suppressions=Tests/BusStress/tsan.supp halt_on_error=0 exitcode=66" \
  "$scratch/debug/bus-stress"
