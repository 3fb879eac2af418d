#!/usr/bin/env bash
# Brings the containers of compose.yaml up, holds the demo's meeting in them from outside, and takes them down.
#
#   Scripts/compose-test.sh              builds the image first
#   Scripts/compose-test.sh --no-build   uses the one there is
#
# Needs a Docker engine with docker-compose 1.29 or `docker compose`, and the two base images that the Dockerfile names,
# pulled or made. CARILLON_BUILD_NETWORK=host lets the build use this machine's network. $CARILLON names another
# executable than .build/debug/carillon to play the demo with.
set -euo pipefail
cd "$(dirname "$0")/.."

carillon=${CARILLON:-.build/debug/carillon}
project=carillon-test
seconds=60
# How many of each there are; the demo's meeting is held among them.
scale=(--scale presence=3 --scale messaging=2 --scale video-tiles=2 --scale media=2 --scale transcription=2
  --scale gateway=2)

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

# What `ARG NAME=IMAGE` of the Dockerfile names must be here or come from a registry.
base_images() { sed -n 's/^ARG [A-Z]*_IMAGE=//p' Dockerfile; }

take_down() { "${compose[@]}" down --volumes --remove-orphans; }

if [[ ${1:-} != --no-build ]]; then
  for image in $(base_images); do
    docker image inspect "$image" >/dev/null 2>&1 || docker pull "$image" ||
      fail "Neither is $image here nor can it be pulled. Make an image of that name: Debian with ca-certificates, \
and the same with a Swift toolchain in PATH; docker import takes the tar file of a debootstrap."
  done
  "${compose[@]}" build
fi

trap take_down EXIT
"${compose[@]}" up --detach --no-build "${scale[@]}"

# Healthy is what the image's HEALTHCHECK says.
deadline=$((SECONDS + seconds))
for service in $("${compose[@]}" config --services); do
  for container in $("${compose[@]}" ps --quiet "$service"); do
    until [[ $(docker inspect --format '{{.State.Health.Status}}' "$container") == healthy ]]; do
      if ((SECONDS > deadline)); then
        "${compose[@]}" logs --tail=50 >&2
        docker inspect --format '{{json .State.Health}}' "$container" >&2
        fail "$service is not healthy after $seconds s."
      fi
      sleep 1
    done
    echo "$service is healthy"
  done
done
"${compose[@]}" exec -T gateway carillon services

# What an application would be given: a key, made beside the services.
made=$("${compose[@]}" exec -T gateway carillon keys create demo --output json)
member() { sed -nE "s/.*\"$1\": \"([^\"]*)\".*/\1/p" <<<"$made"; }
AWS_ACCESS_KEY_ID=$(member access_key_id)
AWS_SECRET_ACCESS_KEY=$(member secret_access_key)
export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
[[ -n $AWS_SECRET_ACCESS_KEY ]] || fail "No key could be made: $made"

# No installation of this machine is meant, hence a runtime directory without one.
status=0
outside=$(mktemp -d)
"$carillon" demo --gateway tcp://127.0.0.1:7400 --rest http://127.0.0.1:8080 --runtime-dir "$outside" --output json ||
  status=$?
rmdir "$outside"
((status == 0)) || "${compose[@]}" logs --tail=100 >&2

# Whoever drains in time leaves with 0, whoever does not is killed and leaves with 137.
"${compose[@]}" stop
for container in $("${compose[@]}" ps --quiet --all); do
  left=$(docker inspect --format '{{.Name}} stopped with {{.State.ExitCode}}' "$container")
  echo "${left#/}"
  [[ $left == *" 0" ]] || status=1
done
exit "$status"
