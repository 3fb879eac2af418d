#!/usr/bin/env bash
# Installs the Debian packages that building and testing need. Does nothing if the machine already
# has them.
set -euo pipefail

packages=(
  libzmq3-dev            # transport
  libsodium-dev          # encryption
  libprotobuf-c-dev      # messages
  protobuf-c-compiler    # the C code of messages, for the check of generated code
  protobuf-compiler      # the Python code of messages; protoc also runs our plugin
  libsqlite3-dev         # storage
  libpq-dev              # storage that several machines share
  libopus-dev            # audio
  libspeexdsp-dev        # noise suppression
  libssl-dev             # DTLS and SRTP
  libvpx-dev             # video, in the client
  zlib1g-dev             # compression of the page
  libpocketsphinx-dev    # speech recognition
  pocketsphinx-en-us     # the English model of the speech recognition
  pkg-config             # the flags for headers and libraries
  flite                  # speech for the demo and the tests
  python3-venv           # the Python client and its tests
  binutils               # addr2line, for the test that counts allocations
  util-linux             # setpriv, so that the kernel ends children when their parent ends
  iproute2               # network namespaces, for tests of network failures
  openssl                # certificates for the tests of TLS
  tmux                   # the terminal in which tests read the live view
  nodejs                 # the unit tests of the browser's library
  node-typescript        # the check of the types in that library
  chromium               # the browser of the tests that the headless shell cannot run
  chromium-headless-shell # Chromium without toolbars and dialogs, for the other tests of the page
  firefox-esr            # a second browser, for tests of the page
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
