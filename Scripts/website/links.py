"""Finds broken links in a folder of HTML."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# DocC writes these pages and checks the links in them. JavaScript renders these pages.
_DRAWN = "swift"


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Stores an element's links and its anchor."""
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


@cache
def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def broken(folder: Path) -> Iterator[str]:
    """Yields a message with the page of each broken link."""
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder)
        if name.parts[0] == _DRAWN:
            continue
        for link in _read(path).links:
            if _leads_nowhere(link, folder, name):
                yield f"{name}: {link} leads nowhere"


def _leads_nowhere(link: str, folder: Path, page: Path) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    path = posixpath.normpath(posixpath.join(page.parent.as_posix(), unquote(parts.path)))
    target = folder / (path if parts.path else page)
    if not target.exists():
        return True
    if not parts.fragment or target.suffix != ".html":
        return False
    return unquote(parts.fragment) not in _read(target).anchors
