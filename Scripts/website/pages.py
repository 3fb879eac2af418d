"""Converts documents to HTML pages, with links between the pages."""

from __future__ import annotations

import html
import os
import posixpath
import shutil
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, unquote

from check_links import documents, slug
from markdown_it import MarkdownIt
from markdown_it.token import Token

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Carillon</title>
<link rel="stylesheet" href="{root}style.css">
</head>
<body>
<nav><a href="{root}docs/README.html">Documents</a>
<a href="{root}swift/documentation/carillonclient/index.html">Swift reference</a>
<a href="{root}python/carillon.html">Python reference</a></nav>
<main>
{body}</main>
</body>
</html>
"""
_STYLE = """body { font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 50rem; padding: 1rem; }
nav a { margin-right: 1rem; }
pre { background: #f3f3f3; overflow: auto; padding: 0.75rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #bbb; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #eee; }
  pre { background: #2b2b2b; }
  a { color: #8ab4ff; }
}
"""


def write_all(root: Path, folder: Path) -> int:
    """Writes a page for each document, copies linked files, and returns the number of pages."""
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    (folder / "style.css").write_text(_STYLE)
    found = documents()
    for document in found:
        name = document.relative_to(root)
        tokens = markdown.parse(document.read_text(encoding="utf-8"))
        _number_headings(tokens)
        for target in _link_to_pages(tokens, root, name):
            _copy(root, folder, target)
        body = markdown.renderer.render(tokens, markdown.options, {})
        page = folder / name.with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_page(_title(tokens, name), body, name), encoding="utf-8")
    _link(folder / "index.html", "docs/README.html")
    return len(found)


def _page(title: str, body: str, name: Path) -> str:
    root = "../" * (len(name.parts) - 1)
    return _TEMPLATE.format(title=html.escape(title), body=body, root=root)


def _link(page: Path, target: str) -> None:
    page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={target}">\n')


def _number_headings(tokens: list[Token]) -> None:
    """Gives each heading the anchor that it has on GitHub."""
    seen: Counter[str] = Counter()
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            anchor = slug(inline.content)
            token.attrSet("id", f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
            seen[anchor] += 1


def _title(tokens: list[Token], name: Path) -> str:
    inline = (after for token, after in pairwise(tokens) if token.tag == "h1")
    return next((token.content for token in inline), name.stem)


def _link_to_pages(tokens: Iterable[Token], root: Path, document: Path) -> list[str]:
    """Rewrites links to pages and returns the paths of other linked files."""
    copied: list[str] = []
    for token in tokens:
        attribute = {"link_open": "href", "image": "src"}.get(token.type)
        if attribute:
            target, file = _target(str(token.attrGet(attribute)), root, document)
            token.attrSet(attribute, target)
            copied += file
        copied += _link_to_pages(token.children or [], root, document)
    return copied


def _target(link: str, root: Path, document: Path) -> tuple[str, list[str]]:
    """Returns the rewritten link and the file that the website needs for it, if any."""
    name, mark, anchor = link.partition("#")
    if not name or ":" in name.split("/", maxsplit=1)[0]:
        return link, []
    path = posixpath.normpath(posixpath.join(document.parent.as_posix(), unquote(name)))
    file = root / path
    if file.is_dir():
        readme = (file / "README.md").exists()
        page = f"{path}/README.html" if readme else f"{path}/index.html"
        return _relative(page, document) + mark + anchor, [] if readme else [path]
    if file.suffix == ".md":
        return _relative(f"{path.removesuffix('.md')}.html", document) + mark + anchor, []
    return link, [path]


def absolute(link: str, document: Path) -> str:
    """Returns a link of a document as a link that begins at the root of the website.

    A link to a folder is not supported.
    """
    name, mark, anchor = link.partition("#")
    if ":" in name.split("/", maxsplit=1)[0]:
        return link
    path = posixpath.normpath(posixpath.join("/", document.parent.as_posix(), unquote(name)))
    path = path if name else f"/{document.as_posix()}"
    page = f"{path.removesuffix('.md')}.html" if path.endswith(".md") else path
    return quote(page) + mark + anchor


def _relative(page: str, document: Path) -> str:
    return quote(os.path.relpath(page, document.parent))


def _copy(root: Path, folder: Path, path: str) -> None:
    """Copies a file.

    A folder becomes a page that lists its files. The script also copies these files.
    """
    target = folder / path
    if not (root / path).is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, target)
        return
    target.mkdir(parents=True, exist_ok=True)
    files = sorted(each.name for each in (root / path).iterdir() if each.is_file())
    for name in files:
        shutil.copyfile(root / path / name, target / name)
    items = "".join(f'<li><a href="{quote(name)}">{html.escape(name)}</a></li>\n' for name in files)
    page = _page(path, f"<h1>{html.escape(path)}</h1>\n<ul>\n{items}</ul>\n", Path(path, "index"))
    (target / "index.html").write_text(page, encoding="utf-8")
