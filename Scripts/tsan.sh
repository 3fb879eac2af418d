#!/usr/bin/env bash
# Builds bus-stress with ThreadSanitizer and runs it: exits with 1 on a data race or a wrong answer.
#
#   Scripts/tsan.sh
#
# The build uses .build-tsan, because a program cannot mix instrumented objects with other objects.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --sanitize=thread --scratch-path .build-tsan --product bus-stress "$@"
TSAN_OPTIONS="suppressions=Tests/BusStress/tsan.supp halt_on_error=0 exitcode=66" \
  .build-tsan/debug/bus-stress
