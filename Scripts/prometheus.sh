#!/usr/bin/env bash
# Unpacks Debian's prometheus and promtool into .build/prometheus, for the tests of deploy/. The
# script does not install the package, because the package would start a server on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.build/prometheus
[ -x "$folder/usr/bin/promtool" ] && exit 0
run() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# apt writes to this directory as another user.
chmod 0777 "$work"
fetch() { (cd "$work" && apt-get download -q prometheus); }
fetch 2>/dev/null || { run apt-get update -q && fetch; }
mkdir -p .build
dpkg-deb -x "$work"/prometheus_*.deb "$work/unpacked"
rm -rf "$folder" && mv "$work/unpacked" "$folder"
echo "Unpacked prometheus into .build/prometheus"
