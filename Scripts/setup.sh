#!/usr/bin/env bash
# Installs the Debian packages that building and testing need. Does nothing if the machine already
# has them.
set -euo pipefail

packages=(
  libzmq3-dev            # transport
  libsodium-dev          # encryption
  libprotobuf-c-dev      # messages
  protobuf-c-compiler    # their C, for the check of generated code
  protobuf-compiler      # their Python, and what our plugin runs under
  libsqlite3-dev         # storage
  libpq-dev              # storage that several machines share
  libopus-dev            # audio
  libspeexdsp-dev        # noise suppression
  libssl-dev             # DTLS and SRTP
  libvpx-dev             # video, in the client
  zlib1g-dev             # compression of the page
  libpocketsphinx-dev    # speech recognition
  pocketsphinx-en-us     # its model of English
  pkg-config             # where its headers are
  flite                  # speech for the demo and the tests
  python3-venv           # the Python client and its tests
  binutils               # addr2line, for the test that counts allocations
  util-linux             # setpriv, which ends children with their parent
  iproute2               # networks of their own, for tests of what fails there
  openssl                # certificates for the tests of TLS
  tmux                   # the terminal that tests of the live view look at
  nodejs                 # the unit tests of the browser's library
  node-typescript        # the check of its types
  chromium               # the browser that tests of the page drive
  firefox-esr            # the second one, for a test of sound
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
