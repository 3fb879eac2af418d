#!/usr/bin/env bash
# Runs the checks that must pass before a commit, besides the tests. Takes about a minute on a built
# tree.
#
#   Scripts/check.sh            runs all checks
#   Scripts/check.sh NAME…      runs only these: format, generated, imports, commits, python, web, lists, docs, site
#
# A failed check does not stop the other checks. The last lines name the failed checks.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

# Lists every Swift file of the tree that git does not ignore.
swift_files() { git ls-files -z --cached --others --exclude-standard --deduplicate '*.swift' | existing; }
existing() { while IFS= read -r -d '' path; do [[ -e $path ]] && printf '%s\0' "$path"; done; }

# Checks the layout with swift-format. swift-format ignores long comments and strings, so this
# script counts columns. Files that our plugin generates begin with `swift-format-ignore-file` and
# are exempt from both.
check_format() {
  local long status=0
  swift_files | xargs -0 swift format lint --strict --parallel || status=1
  long=$(swift_files | xargs -0 grep --files-without-match '^// swift-format-ignore-file' |
    xargs -d '\n' grep -nE '^.{101}' || true)
  [[ -z $long ]] && return "$status"
  echo "$long" | cut -c1-160
  echo "These lines have more than 100 columns; wrap them."
  return 1
}

check_generated() { Scripts/proto.sh --check; }
check_imports() { python3 Scripts/check_imports.py; }
check_commits() { Scripts/check_commits.sh; }

check_python() {
  .venv/bin/ruff check . && .venv/bin/mypy
}

# The browser's library is plain JavaScript. Its comments contain types, and TypeScript's compiler
# checks these types.
check_web() { tsc --project Clients/Web; }

# Every unsteady test is an open defect. The check limits the number of unsteady tests.
check_lists() { python3 Scripts/check_lists.py; }

# The check reads the last build, so build first. That takes seconds if nothing changed.
check_docs() {
  swift build && python3 Scripts/check_docs.py
}

# Fails on DocC's warnings and on broken links in the pages.
check_site() {
  swift build && .venv/bin/python Scripts/docs_site.py
}

checks=("$@")
((${#checks[@]})) || checks=(format generated imports commits python web lists docs site)
failed=()
for check in "${checks[@]}"; do
  declare -F "check_$check" >/dev/null || { echo "check.sh: there is no check named $check" >&2; exit 2; }
  printf '== %s\n' "$check"
  began=$SECONDS
  "check_$check" || failed+=("$check")
  printf '   %s s\n' "$((SECONDS - began))"
done
((${#failed[@]} == 0)) || { echo "Failed: ${failed[*]}"; exit 1; }
echo "All is as it should be."
