#!/usr/bin/env bash
# Installs Debian's PostgreSQL. Tests start their own servers with the package's programs. By
# default, the package would also create and start a server on this machine; this script prevents
# that.
set -euo pipefail
[ -x /usr/lib/postgresql/15/bin/initdb ] && exit 0
run() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
run mkdir -p /etc/postgresql-common/createcluster.d
echo "create_main_cluster = false" | run tee /etc/postgresql-common/createcluster.d/carillon.conf >/dev/null
echo "Installing postgresql-15"
run apt-get update -q
run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql-15
