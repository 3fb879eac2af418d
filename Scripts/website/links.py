"""Finds broken links in a folder of HTML, and in the data of DocC's pages."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

# The folder of DocC's pages. JavaScript renders each page from a file of JSON.
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
        for link in _read(path).links:
            if _leads_nowhere(link, folder, name):
                yield f"{name}: {link} leads nowhere"
    data = folder / _DRAWN / "data"
    for path in sorted(data.rglob("*.json")):
        for link in _broken_in_data(_read_data(path), folder):
            yield f"{path.relative_to(folder)}: {link} leads nowhere"


def _leads_nowhere(link: str, folder: Path, page: Path) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    # A path that begins with a slash starts at the folder, which is the root of the website.
    path = posixpath.normpath(posixpath.join("/", page.parent.as_posix(), unquote(parts.path)))
    target = folder / (path.lstrip("/") if parts.path else page)
    if not target.exists():
        return True
    if not parts.fragment or target.suffix != ".html":
        return False
    return unquote(parts.fragment) not in _read(target).anchors


# The pages of DocC


@cache
def _read_data(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _broken_in_data(data: Any, folder: Path) -> Iterator[str]:
    """Yields the broken links of a page of DocC, from the page's data."""
    references = data.get("references", {})
    yield from sorted(_shown(data) - references.keys())
    for reference in references.values():
        kind, url = reference.get("type"), reference.get("url", "")
        is_broken = {"topic": _is_no_page, "section": _is_no_page, "link": _is_no_link}.get(kind)
        if is_broken and is_broken(url, folder):
            yield url


def _is_no_link(url: str, folder: Path) -> bool:
    if urlsplit(url).scheme:
        return False
    # The browser could resolve a relative address against two addresses of the page: with and
    # without a slash at the end.
    return not url.startswith("/") or _leads_nowhere(url, folder, Path())


def _is_no_page(url: str, folder: Path) -> bool:
    path, _, fragment = url.partition("#")
    page = folder / _DRAWN / path.lstrip("/") / "index.html"
    data = folder / _DRAWN / "data" / f"{path.lstrip('/')}.json"
    if not page.exists() or not data.exists():
        return True
    return bool(fragment) and unquote(fragment) not in set(_anchors(_read_data(data)))


def _shown(value: Any) -> set[str]:
    """Returns the identifiers of all links in a part of a page's data."""
    found = {identifier for part in _parts(value) for identifier in _shown(part)}
    if isinstance(value, dict) and value.get("type") == "reference" and value.get("isActive"):
        found.add(value["identifier"])
    return found


def _anchors(value: Any) -> Iterator[str]:
    """Yields the anchors of the headings in a part of a page's data."""
    if isinstance(value, dict) and isinstance(value.get("anchor"), str):
        yield value["anchor"]
    for part in _parts(value):
        yield from _anchors(part)


def _parts(value: Any) -> Iterable[Any]:
    """Returns the elements of a list, or the values of an object, of JSON."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
