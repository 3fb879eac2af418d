"""Scripts/compare_tokens.py detects changes of code, and accepts changes of words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "Scripts"
sys.path.insert(0, str(SCRIPTS))

from compare_tokens import Tree, differences, tokens  # noqa: E402

WORDS = [
    ("a.swift", "let a = 1  // One.", "/// The first.\nlet a = 1"),
    ("a.swift", "let a = 1 /* one /* two */ three */", "let a = 1"),
    ("a.swift", 'log("gone \\(a.b("x")) now")', 'log("Closed: \\(a.b("y"))")'),
    ("a.swift", '"one long"\n  + " text"', '"one text"'),
    ("a.swift", 'let a = #"say "no" \\(b)"#', 'let a = #"say \\(c)"#'),
    ("a.swift", "@Test func `who leaves`() {}", "@Test func `an attendee leaves`() {}"),
    ("a.swift", 'let a = """\n  // no comment\n  """', 'let a = """\n  text\n  """'),
    (
        "a.py",
        'def f() -> int:\n    """Old."""\n    return 1',
        "def f() -> int:\n    return 1  # New.",
    ),
    ("a.py", "def test_who_leaves() -> None: ...", "def test_an_attendee_leaves() -> None: ..."),
    ("a.js", "const a = 'it is'; // old", "const a = 'they are';"),
    ("a.proto", "int32 a = 1;  // Old.", "// New.\nint32 a = 1;"),
]

CODE = [
    ("a.swift", "let a = 1", "let a = 2"),
    ("a.swift", 'log("gone \\(a)")', 'log("gone \\(b)")'),
    ("a.swift", 'log("gone \\(a ?? "x")")', 'log("gone \\(a)")'),
    ("a.swift", "a() // b()", "a(); b()"),
    ("a.swift", '["a", "b"]', '["a"]'),
    ("a.swift", "let a = `default`", "let a = `case`"),
    ("a.py", 'raise ValueError("a")', 'raise KeyError("a")'),
    ("a.js", "f('a', b)", "f('a', c)"),
]


@pytest.mark.parametrize(("path", "old", "new"), WORDS)
def test_a_change_of_words_passes(path: str, old: str, new: str) -> None:
    assert tokens(path, old) == tokens(path, new)


@pytest.mark.parametrize(("path", "old", "new"), CODE)
def test_a_change_of_code_fails(path: str, old: str, new: str) -> None:
    assert tokens(path, old) != tokens(path, new)


def commit(folder: Path, files: dict[str, str]) -> str:
    """Commits exactly these files, and returns the commit's id."""
    for old in folder.glob("*.swift"):
        old.unlink()
    for name, text in files.items():
        (folder / name).write_text(text)
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "x", "--allow-empty"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return head.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def test_a_renamed_type_and_a_renamed_file_pass_if_the_map_has_both_renames(folder: Path) -> None:
    old = Tree(commit(folder, {"Door.swift": "struct Door {}"}), folder)
    new = Tree(commit(folder, {"Admission.swift": "struct Admission {}"}), folder)
    names = {"Door.swift": "Admission.swift", "Door": "Admission"}
    assert differences(old, new, names) == []
    assert differences(old, new, {}) == ["Door.swift: is gone", "Admission.swift: is new"]


def test_the_working_tree_can_be_compared_with_a_commit(folder: Path) -> None:
    old = Tree(commit(folder, {"a.swift": "let a = 1"}), folder)
    (folder / "a.swift").write_text("// One.\nlet a = 1")
    assert differences(old, Tree(".", folder), {}) == []
    (folder / "a.swift").write_text("let a = 2")
    assert differences(old, Tree(".", folder), {}) == ["a.swift: `let a = 1` became `let a = 2`"]
