#!/usr/bin/env bash
# Starts the containers of compose.yaml, runs the demo's meeting against them from outside, and
# removes them. The script does this twice: first with files as the store and with Prometheus, then
# with the profile cluster and PostgreSQL as the store.
#
#   Scripts/compose-test.sh              builds the images first
#   Scripts/compose-test.sh --no-build   uses the existing images
#
# Needs a Docker engine with docker-compose 1.29 or `docker compose`, and the two base images that
# the Dockerfile names, pulled or built. This script builds PostgreSQL's image if Docker cannot pull it.
# CARILLON_BUILD_NETWORK=host lets the build use this machine's network. $CARILLON names the
# executable that runs the demo; the default is .build/debug/carillon.
set -euo pipefail
cd "$(dirname "$0")/.."

carillon=${CARILLON:-.build/debug/carillon}
project=carillon-test
seconds=60
largest_megabytes=150
metrics_port=9464
# The number of instances of each service. Together with the transcription engine, there are 14
# instances.
scale=(--scale presence=3 --scale messaging=2 --scale video-tiles=2 --scale media=2 --scale transcription=2
  --scale gateway=2)
instances=14

fail() {
  echo "compose-test.sh: $1" >&2
  exit 1
}

if command -v docker-compose >/dev/null; then
  compose=(docker-compose)
elif docker compose version >/dev/null 2>&1; then
  compose=(docker compose)
else
  fail "There is neither docker-compose nor the plugin; on Debian: apt-get install docker-compose."
fi
compose+=(--project-name "$project" --file compose.yaml)

docker info >/dev/null 2>&1 || fail "No Docker engine answers; start one, or see whether you may use it."
[[ -x $carillon ]] || fail "There is no $carillon; run make build."

# Lists the images that `ARG NAME=IMAGE` lines of the Dockerfile name.
base_images() { sed -n 's/^ARG [A-Z]*_IMAGE=//p' Dockerfile; }

is_here_or_pulled() { docker image inspect "$1" >/dev/null 2>&1 || docker pull "$1"; }

take_down() { "${compose[@]}" --profile cluster --profile observability down --volumes --remove-orphans; }

build_images() {
  local image
  for image in $(base_images); do
    is_here_or_pulled "$image" ||
      fail "Neither is $image here nor can it be pulled. Make an image of that name: Debian with ca-certificates, \
and the same with a Swift toolchain in PATH; docker import takes the tar file of a debootstrap."
  done
  "${compose[@]}" build
  image=postgres:15-bookworm
  is_here_or_pulled "$image" || docker build --network "${CARILLON_BUILD_NETWORK:-default}" --tag "$image" deploy/postgresql
}

check_size() {
  local bytes
  bytes=$(docker image inspect --format '{{.Size}}' "${CARILLON_IMAGE:-carillon:latest}")
  echo "the image takes $((bytes / 1000000)) MB"
  ((bytes <= largest_megabytes * 1000000)) || fail "It may take $largest_megabytes MB."
}

# Waits until every HEALTHCHECK passes. The script regards a container without a health check as
# healthy.
become_healthy() {
  local deadline=$((SECONDS + seconds)) container state
  for container in $("${compose[@]}" ps --quiet); do
    until state=$(docker inspect --format '{{if .State.Health}}{{.State.Health.Status}}{{else}}healthy{{end}}' "$container")
      [[ $state == healthy ]]; do
      if ((SECONDS > deadline)); then
        "${compose[@]}" logs --tail=50 >&2
        docker inspect --format '{{.Name}} {{json .State.Health}}' "$container" >&2
        fail "A container is not healthy after $seconds s."
      fi
      sleep 1
    done
  done
  "${compose[@]}" exec -T gateway carillon services
}

# Creates an API key in the gateway's container, as for an application.
make_key() {
  local made
  made=$("${compose[@]}" exec -T gateway carillon keys create demo --output json)
  member() { sed -nE "s/.*\"$1\": \"([^\"]*)\".*/\1/p" <<<"$made"; }
  AWS_ACCESS_KEY_ID=$(member access_key_id)
  AWS_SECRET_ACCESS_KEY=$(member secret_access_key)
  export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
  [[ -n $AWS_SECRET_ACCESS_KEY ]] || fail "No key could be made: $made"
}

# The empty runtime directory keeps the demo away from an installation on this machine.
hold_meeting() {
  local outside
  outside=$(mktemp -d)
  "$carillon" demo --gateway tcp://127.0.0.1:7400 --rest http://127.0.0.1:8080 --runtime-dir "$outside" --output json || {
    "${compose[@]}" logs --tail=100 >&2
    fail "The demo's meeting was not held."
  }
  rmdir "$outside"
}

look_at_metrics() {
  Scripts/prometheus.sh
  Scripts/python.sh
  CARILLON_COMPOSED=$metrics_port:$instances .venv/bin/python -m pytest Tests/Python/test_deploy.py -k composed
}

# A container that drains in time exits with 0. Docker kills any other container, which then exits with 137.
leave() {
  local container left status=0
  "${compose[@]}" stop
  for container in $("${compose[@]}" ps --quiet --all); do
    left=$(docker inspect --format '{{.Name}} stopped with {{.State.ExitCode}}' "$container")
    echo "${left#/}"
    [[ $left == *" 0" ]] || status=1
  done
  ((status == 0)) || fail "Not all left with 0."
  take_down
}

[[ ${1:-} == --no-build ]] || build_images
check_size
trap take_down EXIT

echo "== files"
"${compose[@]}" --profile observability up --detach --no-build "${scale[@]}" gateway pocketsphinx metrics
become_healthy
make_key
hold_meeting
look_at_metrics
leave

echo "== PostgreSQL"
export CARILLON_STORE='postgresql://carillon@/carillon?host=/run/postgresql'
"${compose[@]}" --profile cluster up --detach --no-build "${scale[@]}" gateway pocketsphinx postgresql
become_healthy
make_key
hold_meeting
leave
