#!/usr/bin/env python3
"""Writes the table of changes that a ported program needs, from guide code that does not compile.

    Scripts/guide_differences.py            writes the table into Clients/Swift/README.md
    Scripts/guide_differences.py --check    fails when the table is stale

Each file of Tests/GuideDifferences contains code that users of the original SDK have. The head of
each file names the original API, Carillon's replacement, and the compiler's error. The script
compiles each file: a row is in the table because its code fails with that error against the last
build of CarillonClient. If the code of a file compiles, the script fails, because that code belongs
in Tests/GuidePrograms.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import check_docs

README = check_docs.ROOT / "Clients" / "Swift" / "README.md"
FOLDER = check_docs.ROOT / "Tests" / "GuideDifferences"
BEGIN = "<!-- The rows are written by Scripts/guide_differences.py. -->\n"
END = "<!-- End of the rows. -->\n"


@dataclass(frozen=True)
class Difference:
    """Code for the original SDK that does not compile with CarillonClient."""

    name: str
    there: str
    here: str
    error: str
    code: str

    @property
    def row(self) -> str:
        """The row of the difference in the table."""
        return f"| {self.there} | {self.here} |\n"


def read(path: Path) -> Difference:
    """Reads a difference from a file of Tests/GuideDifferences."""
    text = path.read_text()
    head: dict[str, str] = {}
    for line in text.splitlines()[:3]:
        key, found, value = line.removeprefix("// ").partition(": ")
        if found:
            head[key] = value
    missing = {"there", "here", "error"} - head.keys()
    if missing:
        sys.exit(f"{path.name}: the head does not say {', '.join(sorted(missing))}")
    # The compiler's messages repeat the input. The head of the file contains the expected error, so
    # this code removes the head from the input.
    code = "\n".join(text.splitlines()[3:]) + "\n"
    return Difference(path.name, head["there"], head["here"], head["error"], code)


def compiler_flags() -> list[str]:
    """Returns the flags to find the client, in the language mode of the guide's code."""
    flags = ["-target", check_docs.target_triple(), "-swift-version", "5"]
    flags += ["-I", str(check_docs.BUILT / "Modules"), *check_docs.include_flags()]
    for path in check_docs.module_maps():
        flags += ["-Xcc", f"-fmodule-map-file={path}"]
    return flags


def compile_code(code: str, flags: list[str]) -> tuple[bool, str]:
    """Compiles code. Returns whether that succeeds, and the compiler's messages."""
    with tempfile.TemporaryDirectory() as folder:
        # Parse the code as a library, so that top-level statements are errors.
        source = Path(folder) / "Block.swift"
        source.write_text(code)
        command = ["swiftc", "-typecheck", "-parse-as-library", *flags, str(source)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def judge(difference: Difference, flags: list[str]) -> str | None:
    """Returns what is wrong with a difference, or `None`."""
    compiles, complaints = compile_code(difference.code, flags)
    if compiles:
        return f"{difference.name}: it compiles by now; move it to Tests/GuidePrograms"
    if not any("error: " in line and difference.error in line for line in complaints.splitlines()):
        return f"{difference.name}: the compiler does not say “{difference.error}”:\n{complaints}"
    return None


def table(differences: list[Difference], readme: Path) -> str:
    """Returns the README with the rows inserted."""
    text = readme.read_text()
    before, found_begin, rest = text.partition(BEGIN)
    _, found_end, after = rest.partition(END)
    if not found_begin or not found_end:
        sys.exit(f"{readme.name}: the marks of the rows are missing")
    head = "\n| there | here |\n|---|---|\n"
    rows = "".join(difference.row for difference in differences)
    return before + BEGIN + head + rows + "\n" + END + after


def main() -> int:
    """Writes or checks the table of differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--code", type=Path, default=FOLDER, help="the folder of the code")
    parser.add_argument("--readme", type=Path, default=README, help="where the table is")
    options = parser.parse_args()
    if not (check_docs.BUILT / "Modules" / "CarillonClient.swiftmodule").exists():
        sys.exit("guide_differences.py: CarillonClient is not built; run `swift build`.")
    differences = [read(path) for path in sorted(options.code.glob("*.swift.txt"))]
    flags = compiler_flags()
    # Compile trivial code first, to check the flags.
    works, complaints = compile_code("import CarillonClient\nimport Foundation\n", flags)
    if not works:
        sys.exit(f"guide_differences.py: CarillonClient cannot be imported.\n{complaints}")
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        verdicts = pool.map(lambda difference: judge(difference, flags), differences)
    problems = [problem for problem in verdicts if problem]
    for problem in problems:
        print(problem)
    if problems:
        return 1
    text = table(differences, options.readme)
    if text != options.readme.read_text():
        if options.check:
            print(f"{options.readme.name}: the table of differences is not that of the code.")
            return 1
        options.readme.write_text(text)
    print(f"{len(differences)} differences, each of which the compiler confirms.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
