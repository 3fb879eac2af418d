#!/usr/bin/env python3
"""Writes every document and the clients' references to one folder of HTML: `make docs`.

    Scripts/docs_site.py [FOLDER]        .build/docs by default

Pages keep the paths of their Markdown. `swift/` has the reference of the Swift client, `python/`
that of the Python client. The programs must be built. The script fails when DocC warns or a link in
the folder is broken. To read the pages, run python3 -m http.server --directory .build/docs
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from website import links, pages, references

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Writes the pages to the folder that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / ".build" / "docs")
    folder = parser.parse_args().folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    count = pages.write_all(ROOT, folder)
    references.write_python(folder / "python")
    references.write_swift(ROOT, folder / "swift")
    broken = list(links.broken(folder))
    print("\n".join(broken) or f"{count} pages and two references are in {folder}.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
