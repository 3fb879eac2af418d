#!/usr/bin/env bash
# Installs the Debian packages that the benchmarks compare with. Does nothing if the machine already
# has them.
set -euo pipefail

packages=(
  g++                     # the compiler of grpc_echo
  janus                   # the peer of audio.mix
  libgrpc++-dev           # the peer of rpc.throughput
  libprotobuf-dev         # the messages of that gRPC peer
  libsrtp2-dev            # the peer of srtp
  nats-server             # the peer of presence.fanout
  pkg-config              # the flags for linking gRPC
  protobuf-compiler-grpc  # the generator of that gRPC peer's C++
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
    missing+=("$package")
done
[ "${#missing[@]}" -eq 0 ] && exit 0

run() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
echo "Installing ${missing[*]}"
run apt-get update -q
run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
