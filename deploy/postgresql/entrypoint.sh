#!/usr/bin/env bash
# Creates the database at the first start, and runs the server.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username "$POSTGRES_USER" --auth "$POSTGRES_HOST_AUTH_METHOD" --encoding UTF8 --locale C.UTF-8
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | postgres --single -D "$PGDATA" postgres >/dev/null
fi
exec "$@"
