#!/usr/bin/env bash
# Builds all programs and tests in a clean clone. CI builds with this script.
#
#   Scripts/clean-build.sh [FLAG...]    further flags of `swift build`
#
# This build takes less processor time than `swift build --build-tests`. With these flags, a change of
# one file recompiles the whole module, so builds outside of CI do not use the flags.
set -euo pipefail
cd "$(dirname "$0")/.."

# Each of the 526 C++ files of BoringSSL (swift-crypto and swift-nio-ssl contain one copy each)
# includes the same headers of the C++ library. The compiler spends half of a file's time on these
# headers, so the build reads the headers once and keeps the compiler's state (a precompiled header).
folder=.build/precompiled
mkdir -p "$folder"
cat >"$folder/library.h" <<'END'
#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
END
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
# Clang rejects a precompiled header whose language options differ from the options of the file. The
# following options are the options of SwiftPM in debug mode and of both packages.
"$clang" -O0 -fblocks -fPIC -g0 -fno-omit-frame-pointer -std=c++17 -fpch-instantiate-templates \
  -x c++-header "$folder/library.h" -o "$folder/library.pch"

# SwiftPM generates the entry point of the tests from the compiler's index, because it searches there for
# tests of XCTest, of which this package has none. To write the index takes a third of the time of a
# module. A file of this name replaces the generated entry point, and then the build needs no index.
# The file exists only during the build: if it existed later, `swift test` would run only XCTest.
entry=Tests/XCTMain.swift
trap 'rm -f "$entry"' EXIT
cat >"$entry" <<'END'
import Testing
import XCTest

@main
struct TestMain {
  static func main() async {
    let arguments = CommandLine.arguments
    let isSwiftTesting = zip(arguments, arguments.dropFirst())
      .contains { $0 == "--testing-library" && $1 == "swift-testing" }
    if isSwiftTesting { await Testing.__swiftPMEntryPoint() as Never }
    // `swift test` also asks for the tests of XCTest, and expects an empty list.
    XCTMain([])
  }
}
END

flags=(
  --disable-index-store
  # To write debug information takes a third of the compiler's time. Without it, the backtrace of a
  # crash names functions, but no lines.
  -debug-info-format none
  # The compiler reads each module once instead of once per core. Without `-num-threads`, the compiler
  # would write one object file for each module, but SwiftPM expects one for each source file.
  -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1
  # lld links faster than gold.
  -Xswiftc -use-ld=lld
  -Xcxx -include-pch -Xcxx "$PWD/$folder/library.pch"
)
swift build --build-tests "${flags[@]}" "$@"
