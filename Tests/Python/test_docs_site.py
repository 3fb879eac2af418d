"""The HTML that `make docs` writes, and its links."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from website import links, pages, references


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with three documents, a picture and a folder of files."""
    root = tmp_path / "tree"
    texts = {
        "docs/README.md": "# Index\n[Limits](limits.md#two-limits) ![A](room.png) [x](../proto)",
        "docs/limits.md": "# Limits\n## Two `limits`\n[Back](README.md), [wire](../proto/a.proto)",
        "Clients/README.md": "# Clients\n## Twice\n## Twice\n[site](https://example.org/a.md)",
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "docs/room.png").write_bytes(b"picture")
    (root / "proto").mkdir()
    (root / "proto/a.proto").write_text("message A {}")
    monkeypatch.setattr(pages, "documents", lambda: [root / name for name in texts])
    return root


def written(tree: Path) -> Path:
    """Writes the site as `make docs` does, with empty first pages of the API references."""
    folder = tree.parent / "site"
    folder.mkdir()
    for name in ("swift/documentation/carillonclient/index.html", "python/carillon.html"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()
    assert pages.write_all(tree, folder) == 3
    return folder


def test_links_point_to_pages_and_to_copies_of_files(tree: Path) -> None:
    folder = written(tree)
    index = (folder / "docs/README.html").read_text()
    assert 'href="limits.html#two-limits"' in index and 'href="../proto/index.html"' in index
    assert 'id="two-limits"' in (folder / "docs/limits.html").read_text()
    assert (folder / "docs/room.png").read_bytes() == b"picture"
    assert (folder / "proto/a.proto").exists() and "a.proto" in (
        folder / "proto/index.html"
    ).read_text()
    clients = (folder / "Clients/README.html").read_text()
    assert "https://example.org/a.md" in clients
    assert 'id="twice"' in clients and 'id="twice-1"' in clients
    assert list(links.broken(folder)) == []


def test_a_broken_link_is_reported_with_its_page(tree: Path) -> None:
    with (tree / "docs/limits.md").open("a") as document:
        document.write("\n[gone](gone.md) [no heading](README.md#gone)")
    assert list(links.broken(written(tree))) == [
        "docs/limits.html: gone.html leads nowhere",
        "docs/limits.html: README.html#gone leads nowhere",
    ]


def test_a_section_of_the_readme_becomes_an_article_whose_links_begin_at_the_root() -> None:
    links = "[this](../a.md#b), [that](#next), [other](x.swift), [site](https://example.org/a.md)"
    readme = f"# Client\n## From nothing to a meeting\nSee {links}.\n## Next\nmore\n"
    text = references.article(readme)
    assert text.startswith("# From nothing to a meeting\n") and "more" not in text
    assert "[this](/Clients/a.html#b), [that](/Clients/Swift/README.html#next)" in text
    assert "[other](/Clients/Swift/x.swift), [site](https://example.org/a.md)." in text


def drawn(tree: Path, *found: dict[str, str]) -> Path:
    """Writes the site with a page of DocC that has these references and shows all of them."""
    folder = written(tree)
    shown = [{"type": "reference", "isActive": True, "identifier": each["url"]} for each in found]
    data: dict[str, object] = {
        "references": {each["url"]: each for each in found if each["type"] != "missing"},
        "primaryContentSections": [{"content": shown}, {"anchor": "Overview"}],
    }
    path = folder / "swift/data/documentation/carillonclient.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(data))
    return folder


def test_links_of_the_swift_reference_that_lead_somewhere_are_accepted(tree: Path) -> None:
    page = "/documentation/carillonclient"
    folder = drawn(
        tree,
        {"type": "topic", "url": page},
        {"type": "section", "url": f"{page}#Overview"},
        {"type": "link", "url": "/docs/limits.html#two-limits"},
        {"type": "link", "url": "https://example.org/"},
    )
    (folder / "swift/documentation/carillonclient/index.html").write_text(
        '<link href="/docs/limits.html"><script src="/style.css"></script>'
    )
    assert list(links.broken(folder)) == []


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("topic", "/documentation/gone"),
        ("section", "/documentation/carillonclient#Gone"),
        ("link", "/docs/gone.html"),
        ("link", "/docs/limits.html#gone"),
        ("link", "../limits.html"),
        ("missing", "doc://carillon.client/documentation/Gone"),
    ],
)
def test_a_broken_link_of_the_swift_reference_is_reported(tree: Path, kind: str, url: str) -> None:
    (found,) = links.broken(drawn(tree, {"type": kind, "url": url}))
    assert found == f"swift/data/documentation/carillonclient.json: {url} leads nowhere"


def test_a_missing_script_of_the_swift_reference_is_reported(tree: Path) -> None:
    folder = written(tree)
    page = "swift/documentation/carillonclient/index.html"
    (folder / page).write_text('<script src="/swift/js/index.js"></script>')
    assert list(links.broken(folder)) == [f"{page}: /swift/js/index.js leads nowhere"]


def test_a_declaration_that_several_modules_contain_is_listed_once() -> None:
    def graph(module: str, *names: str) -> dict[str, object]:
        symbols = [{"identifier": {"precise": name}} for name in names]
        return {"module": {"name": module}, "symbols": symbols, "relationships": [module]}

    found = references.merged([graph("All", "a"), graph("Core", "a", "b")])
    assert found["module"] == {"name": "All"} and found["relationships"] == ["All", "Core"]
    assert [each["identifier"]["precise"] for each in found["symbols"]] == ["a", "b"]
