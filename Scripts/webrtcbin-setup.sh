#!/usr/bin/env bash
# Installs the Debian packages of GStreamer that `make webrtcbin-test` needs. Does nothing if the
# machine already has them.
set -euo pipefail

packages=(
  gir1.2-gst-plugins-bad-1.0   # webrtcbin for Python
  gir1.2-gst-plugins-base-1.0  # SDP for Python
  gstreamer1.0-libav           # the decoder of H.264
  gstreamer1.0-nice            # ICE
  gstreamer1.0-plugins-bad     # webrtcbin, DTLS and SRTP
  gstreamer1.0-plugins-base    # Opus
  gstreamer1.0-plugins-good    # RTP and VP8
  gstreamer1.0-plugins-ugly    # the encoder of H.264
  python3-gst-1.0              # GStreamer for Debian's Python
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
