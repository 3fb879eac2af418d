#!/usr/bin/env bash
# Tests the Python client's messages with every major release of protobuf that
# Clients/Python/pyproject.toml allows: the oldest version, the last of each release in between, and
# the newest. Each version gets its own environment from PyPI.
#
#   Scripts/protobuf-versions.sh              all of these versions
#   Scripts/protobuf-versions.sh --bounds     only the oldest and the newest, as `.ci/run` does
#   Scripts/protobuf-versions.sh VERSION…     only these
set -euo pipefail
cd "$(dirname "$0")/.."

versions=("$@")
known_versions=(4.21.12 4.25.9 5.29.6 6.33.6 7.36.2)
((${#versions[@]})) || versions=("${known_versions[@]}")
[[ ${versions[0]} != --bounds ]] || versions=("${known_versions[0]}" "${known_versions[-1]}")
tests=(frames messages requirements roster rpc session signaling_golden transcripts wire_roundtrip)
files=("${tests[@]/#/Tests/Python/test_}")
files=("${files[@]/%/.py}")
pins=$(grep -E '^(numpy|pytest|pyzmq|websockets)==' Clients/Python/requirements-test.txt)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

failed=()
# Python ignores exceptions in finalizers, and so does pytest here. The collector may run finalizers
# at any depth of a recursion.
for version in "${versions[@]}"; do
  printf '== protobuf %s\n' "$version"
  python3 -m venv "$folder/$version"
  # shellcheck disable=SC2086 # One word for each package.
  "$folder/$version/bin/pip" install --quiet --disable-pip-version-check "protobuf==$version" packaging $pins
  PYTHONPATH=Clients/Python/src "$folder/$version/bin/python" -m pytest -p no:cacheprovider -p no:unraisableexception -q \
    "${files[@]}" || failed+=("$version")
done
((${#failed[@]} == 0)) || { echo "Failed with: ${failed[*]}"; exit 1; }
