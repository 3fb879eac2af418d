#!/usr/bin/env bash
# Checks the form of commits: a subject of at most 72 characters without a full stop, an empty line, and a body.
#
#   Scripts/check_commits.sh [BASE]    the commits of HEAD that are not in BASE, at most the newest 30
#
# BASE defaults to the last commit before these rules existed. The script skips merges. If the base
# is unknown, as in a shallow clone, the script checks nothing and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

base=${1:-1f9a690ce0ac874d23af568e04562ce4ea5c6bbf}

if ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null 2>&1; then
  echo "This clone does not have $base, from which on commits are checked: nothing to do."
  exit 0
fi

count=0 failed=0
complain() {
  echo "${commit:0:10} $1: $subject"
  failed=1
}
while read -r commit; do
  subject=$(git log -1 --format=%s "$commit")
  body=$(git log -1 --format=%b "$commit" | grep -vE '^([A-Z][A-Za-z-]+-by: .*)?$' || true)
  ((${#subject} <= 72)) || complain "has a subject of ${#subject} characters (72 at most)"
  [[ $subject != *. ]] || complain "has a subject that ends in a full stop"
  [[ -n $body ]] || complain "has no body that says why"
  count=$((count + 1))
done < <(git rev-list --no-merges --max-count=30 "$base..HEAD")
((failed)) || echo "$count commits have a subject and a body."
exit "$failed"
