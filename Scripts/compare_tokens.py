#!/usr/bin/env python3
"""Compares the code of two trees or commits, without comments, strings and test names.

    Scripts/compare_tokens.py HEAD~5 HEAD
    Scripts/compare_tokens.py HEAD~5 HEAD --names renamed.txt
    Scripts/compare_tokens.py HEAD~5 .              the working tree

The comparison passes if only words changed. For any other change, the script prints the file and
the first tokens that differ, and the exit status is 1. It compares Swift, Python, JavaScript, C and
the contract; it ignores other files. The script treats expressions within a Swift string as code,
and docstrings as comments.

`--names` reads lines of `old new`: identifiers, or paths of files that moved.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent

SUFFIXES = {".swift", ".py", ".js", ".c", ".h", ".proto"}

# The token that represents the text of a string.
TEXT = '""'


@dataclass(frozen=True)
class Lexer:
    """Reads the tokens of one language."""

    comment: str
    has_blocks: bool
    strings: re.Pattern[str]
    code: re.Pattern[str]

    def tokens(self, text: str) -> Iterator[str]:
        """Yields the tokens of a file."""
        position = 0
        while position < len(text):
            position = yield from self._next(text, position)

    def _next(self, text: str, start: int) -> Generator[str, None, int]:
        """Yields the tokens at `start`, and returns the position of the next token."""
        if text[start].isspace():
            return start + 1
        if text.startswith(self.comment, start):
            return end_of(text, "\n", start)
        if self.has_blocks and text.startswith("/*", start):
            return end_of_block(text, start)
        if string := self.strings.match(text, start):
            return (yield from self._string(text, string))
        token = self.code.match(text, start)
        assert token is not None
        yield token.group()
        return token.end()

    def _string(self, text: str, opening: re.Match[str]) -> Generator[str, None, int]:
        """Yields a string as `TEXT`, followed by the code of its interpolations."""
        yield TEXT
        position, quote, pounds = opening.end(), opening["quote"], opening["pounds"]
        while position < len(text) and not text.startswith(quote + pounds, position):
            if text.startswith("\\" + pounds + "(", position) and self is SWIFT:
                position = yield from self._interpolation(text, position + 2 + len(pounds))
            elif text.startswith("\\" + pounds, position):
                position += 2 + len(pounds)
            else:
                position += 1
        return position + len(quote + pounds)

    def _interpolation(self, text: str, start: int) -> Generator[str, None, int]:
        """Yields the tokens up to the parenthesis that closes an interpolation."""
        position, depth = start, 1
        while depth and position < len(text):
            depth += {"(": 1, ")": -1}.get(text[position], 0)
            position = yield from self._next(text, position)
        return position


def end_of(text: str, mark: str, start: int) -> int:
    """Returns the position after the next `mark`, or the end of the text."""
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


def end_of_block(text: str, start: int) -> int:
    """Returns the position after a block comment. Swift's block comments nest."""
    depth, position = 0, start
    for mark in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if mark.group() == "/*" else -1
        position = mark.end()
        if depth == 0:
            return position
    return len(text)


WORD = r"[A-Za-z_$@#][A-Za-z0-9_$]*|`[A-Za-z_]\w*`|[0-9][\w.]*|."

SWIFT = Lexer(
    "//", True, re.compile(r'(?P<pounds>#*)(?P<quote>"""|")'), re.compile(WORD, re.DOTALL)
)
PYTHON = Lexer(
    "#",
    False,
    re.compile(r"(?P<pounds>)(?:[rRbBuU]{0,2})(?P<quote>\"\"\"|'''|\"|')"),
    re.compile(WORD, re.DOTALL),
)
CURLY = Lexer("//", True, re.compile(r"(?P<pounds>)(?P<quote>[\"'`])"), re.compile(WORD, re.DOTALL))

LEXERS = {".swift": SWIFT, ".py": PYTHON}


def tokens(path: str, text: str) -> list[str]:
    """Returns the tokens of a file. Its suffix determines the language."""
    suffix = PurePosixPath(path).suffix
    found = list(LEXERS.get(suffix, CURLY).tokens(prepared(suffix, text)))
    return joined(found)


def prepared(suffix: str, text: str) -> str:
    """Removes words that look like code: names of tests, and docstrings in Python."""
    if suffix == ".swift":
        return re.sub(r"`[^`\n]*[^`\n\w][^`\n]*`", "`named`", text)
    if suffix == ".py":
        text = re.sub(r"\bdef test_\w+", "def test_named", text)
        return re.sub(r'(?m)^\s*[rR]?"""(?:[^\\]|\\.)*?"""[ \t]*$', "", text)
    return text


def joined(found: Iterable[str]) -> list[str]:
    """Merges strings that are adjacent or joined by `+`: a long sentence may need several lines."""
    result: list[str] = []
    for token in found:
        if token == TEXT and result[-1:] == [TEXT]:
            continue
        if token == TEXT and result[-2:] == [TEXT, "+"]:
            result.pop()
            continue
        result.append(token)
    return result


class Tree:
    """A commit, or `.` for the working tree."""

    def __init__(self, name: str, root: Path = ROOT) -> None:
        self.name = name
        self.root = root

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.root), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def paths(self) -> set[str]:
        """Returns the files of the tree to compare."""
        listing = ["ls-files"] if self.name == "." else ["ls-tree", "-r", "--name-only", self.name]
        return {p for p in self._git(*listing).splitlines() if PurePosixPath(p).suffix in SUFFIXES}

    def text(self, path: str) -> str:
        """Returns the content of a file."""
        if self.name == ".":
            return (self.root / path).read_text(encoding="utf-8")
        return self._git("show", f"{self.name}:{path}")

    def changed(self, other: Tree) -> set[str]:
        """Returns the files that differ from those of a second tree."""
        names = [tree.name for tree in (self, other) if tree.name != "."]
        return set(self._git("diff", "--no-renames", "--name-only", *names).splitlines())


def read_names(path: Path | None) -> dict[str, str]:
    """Reads the map of renamed identifiers and files."""
    if path is None:
        return {}
    pairs = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def difference(path: str, old: list[str], new: list[str]) -> str | None:
    """Returns a line about the first place where two files differ, or `None`."""
    if old == new:
        return None
    pairs = enumerate(zip(old, new, strict=False))
    place = next((i for i, (a, b) in pairs if a != b), min(len(old), len(new)))
    before, after = (" ".join(side[max(place - 4, 0) : place + 6]) for side in (old, new))
    return f"{path}: `{before}` became `{after}`"


def differences(old: Tree, new: Tree, names: dict[str, str]) -> list[str]:
    """Returns one line for each file whose code differs."""
    changed = old.changed(new)
    old_paths, new_paths = old.paths(), new.paths()
    found: list[str] = []
    moved: set[str] = set()
    for path in sorted(old_paths & changed):
        other = names.get(path, path)
        moved.add(other)
        if other not in new_paths:
            found.append(f"{path}: is gone")
            continue
        before = [names.get(token, token) for token in tokens(path, old.text(path))]
        line = difference(other, before, tokens(other, new.text(other)))
        found += [line] if line else []
    return found + [f"{path}: is new" for path in sorted((new_paths - old_paths) - moved)]


def main() -> int:
    """Prints the differences and returns 1 if there are any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", help="a commit, or . for the working tree")
    parser.add_argument("--names", type=Path, help="a file with lines of `old new`")
    options = parser.parse_args()
    found = differences(Tree(options.old), Tree(options.new), read_names(options.names))
    print("\n".join(found) or f"{options.new} has the code of {options.old}: only words changed.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
