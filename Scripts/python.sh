#!/usr/bin/env bash
# Makes .venv in the repository's root: the pinned requirements of the Python client, and the client itself, editable.
#
#   Scripts/python.sh            makes or updates the environment; does nothing if it is up to date
#   Scripts/python.sh --force    makes the environment again
#
# Needs python3 (3.11 or later) and, on Debian, python3-venv. $PYTHON names another interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
client=Clients/Python
stamp=.venv/.installed

# Prints a hash of everything that determines the environment. A moved environment does not run, so
# the hash covers the path.
wanted() {
  {
    pwd
    "$python" --version
    cat Scripts/python.sh "$client/requirements-test.txt" "$client/pyproject.toml"
  } | sha256sum | cut -d' ' -f1
}

fail() {
  echo "python.sh: $1" >&2
  exit 1
}

[[ ${1:-} == --force ]] && rm -rf .venv

# Two runs at the same time would delete each other's environment.
exec 9<Scripts/python.sh
flock 9

[[ -f $stamp && $(<"$stamp") == "$(wanted)" ]] && exit 0

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or later is needed."
rm -rf .venv
"$python" -m venv .venv || fail "No environment could be made; on Debian: apt-get install python3-venv."
.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement "$client/requirements-test.txt"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable "$client"
wanted >"$stamp"
