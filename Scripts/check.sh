#!/usr/bin/env bash
# What must hold before a change is committed, beside the tests. About a minute once the tree is built.
#
#   Scripts/check.sh            all of it
#   Scripts/check.sh NAME…      only these: format, generated, imports, commits, python, web, lists, docs, site
#
# Every check runs, whatever became of the others; what failed is named at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

# Every Swift file of the tree, whoever builds it, as far as git does not ignore it.
swift_files() { git ls-files -z --cached --others --exclude-standard --deduplicate '*.swift' | existing; }
existing() { while IFS= read -r -d '' path; do [[ -e $path ]] && printf '%s\0' "$path"; done; }

# The layout is that of swift-format. It leaves long comments and texts alone, so columns are counted here; what
# our plugin generates begins with `swift-format-ignore-file` and is exempt from both.
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

# The browser's library is plain JavaScript; its types are in comments, and the compiler looks at them.
check_web() { tsc --project Clients/Web; }

# Every unsteady test is an open defect, and few may be open.
check_lists() { python3 Scripts/check_lists.py; }

# The compiler judges what it built last, so it builds first; that costs seconds when nothing changed.
check_docs() {
  swift build && python3 Scripts/check_docs.py
}

# DocC's warnings are errors, and every link of the pages leads somewhere.
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
