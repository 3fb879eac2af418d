#!/usr/bin/env bash
# Generates C, Swift and Python from proto/, or checks that the committed files equal the generated ones.
#
#   Scripts/proto.sh            generates; does nothing if nothing has changed since the last run
#   Scripts/proto.sh --force    generates in any case
#   Scripts/proto.sh --check    exits with 1 if a committed file is stale, edited, missing or superfluous
#
# proto/.generated-hash holds two hashes: one of the inputs (the contract, the plugin, the tools'
# versions), and one of the generated files. While the first hash still matches, a check does not
# need the plugin. The first build of the plugin takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

hash_file=proto/.generated-hash
plugin_package=Shared/ProtocGenCarillon
mode=${1:-generate}

# Lists the files of the contract, by their paths below proto/.
protos() { find carillon -name '*.proto' | sort; }

# Lists exactly the generated files below a directory.
generated() {
  (cd "$1" && find Shared/CCarillonWire/carillon Shared/CCarillonWire/include/carillon \
    Shared/CCarillonWire/include/CCarillonWire.h Shared/Wire/Generated Shared/Bus/Generated \
    Clients/Python/src/carillon/v1 Clients/Python/src/carillon/signaling -type f ! -name '*.pyc' 2>/dev/null | sort) || true
}

hash_of_inputs() {
  {
    protoc --version
    protoc-c --version
    { find proto/carillon -name '*.proto'
      find "$plugin_package/Sources" -name '*.swift'
      echo "$plugin_package/Package.swift"
      echo Scripts/proto.sh; } | sort | xargs sha256sum
  } | sha256sum | cut -d' ' -f1
}

hash_of_outputs() {
  (cd "$1" && generated . | xargs -r sha256sum) | sha256sum | cut -d' ' -f1
}

write_hashes() { printf 'inputs %s\noutputs %s\n' "$(hash_of_inputs)" "$(hash_of_outputs .)" >"$hash_file"; }

# Generates C and Python with Debian's compilers. Takes at most a second.
generate_c_and_python() {
  local out=$1 c="$1/Shared/CCarillonWire" python="$1/Clients/Python/src"
  mkdir -p "$c/include" "$python" "$out/raw"
  (cd proto && protoc-c -I . --c_out="$out/raw" $(protos))
  (cd "$out/raw" && find . -name '*.pb-c.c' -exec cp --parents {} "$c" \;)
  (cd "$out/raw" && find . -name '*.pb-c.h' -exec cp --parents {} "$c/include" \;)
  (cd proto && protoc -I . --python_out="$python" --pyi_out="$python" $(protos))
  local package
  for package in v1 signaling; do
    echo "\"\"\"The messages of package carillon.$package, generated from proto/carillon/$package by protoc. Do not edit.\"\"\"" \
      >"$python/carillon/$package/__init__.py"
  done
  rm -r "$out/raw"
}

# Generates Swift, and the header that includes all C headers, with our plugin.
generate_swift() {
  local out=$1
  swift build --package-path "$plugin_package" --product protoc-gen-carillon >&2
  local plugin
  plugin="$(swift build --package-path "$plugin_package" --show-bin-path)/protoc-gen-carillon"
  mkdir -p "$out/Shared"
  (cd proto && protoc -I . --plugin="$plugin" --carillon_out="$out/Shared" $(protos))
}

# Fails if a comment behind a field has a second line, because protoc assigns this line to the field
# below.
refuse_split_comments() {
  local found
  found=$(cd proto && awk 'FNR == 1 { behind = 0 }
    behind && /^ *\/\// { print FILENAME ":" FNR }
    { behind = /;.*\/\// && !/^ *\/\// }' $(protos))
  [[ -z $found ]] && return
  echo "proto.sh: a comment goes on below its field. Put it above the field, behind an empty line:" >&2
  echo "$found" >&2
  exit 1
}

fail() {
  echo "proto.sh: $1 Run Scripts/proto.sh and commit what it writes." >&2
  exit 1
}

# Compares the files of $1 with the committed ones.
compare() {
  local fresh=$1 path stale=0
  while read -r path; do
    cmp -s "$fresh/$path" "$path" || { echo "stale: $path" >&2; stale=1; }
  done < <(generated "$fresh")
  ((stale == 0)) || fail "Generated files differ from proto/."
}

refuse_split_comments

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
inputs=$(sed -n 's/^inputs //p' "$hash_file" 2>/dev/null || true)
outputs=$(sed -n 's/^outputs //p' "$hash_file" 2>/dev/null || true)
is_current=0
[[ $inputs == "$(hash_of_inputs)" && $outputs == "$(hash_of_outputs .)" ]] && is_current=1

case $mode in
  --check)
    generate_c_and_python "$scratch"
    compare "$scratch"
    if ((is_current == 0)); then
      generate_swift "$scratch"
      compare "$scratch"
      diff <(generated "$scratch") <(generated .) >&2 || fail "There are more generated files than proto/ makes."
      fail "All files are as they should be, but $hash_file is not."
    fi
    echo "Generated files are up to date."
    ;;
  generate | --force)
    if ((is_current)) && [[ $mode == generate ]]; then
      echo "Generated files are up to date."
      exit 0
    fi
    generate_c_and_python "$scratch"
    generate_swift "$scratch"
    # Write only the files that changed, so that the next build compiles only what depends on them.
    while read -r path; do
      [[ -e "$scratch/$path" ]] || rm "$path"
    done < <(generated .)
    while read -r path; do
      cmp -s "$scratch/$path" "$path" && continue
      mkdir -p "$(dirname "$path")"
      cp "$scratch/$path" "$path"
      echo "wrote $path"
    done < <(generated "$scratch")
    write_hashes
    ;;
  *)
    echo "usage: Scripts/proto.sh [--check | --force]" >&2
    exit 2
    ;;
esac
