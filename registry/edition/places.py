"""Where an address is among the files."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from registry.edition.asking import Answered

INDEX: Final = {"text/html": "index.html", "application/json": "index.json"}


def place_of(answered: Answered) -> str:
    """Return the file that holds the answer, from the top of the edition.

    `/namespaces/nbn/` is `namespaces/nbn/index.html`, and `/namespaces/nbn.json` is what it says.
    A page further on, `/namespaces/?page=2`, is `namespaces/_page=2.html`.
    """
    path, _mark, query = unquote(answered.path).removeprefix("/").partition("?")
    if path and not path.endswith("/"):
        return f"{path}_{query}" if query else path
    media_type = answered.media_type
    name = INDEX.get(media_type, f"index{mimetypes.guess_extension(media_type) or ''}")
    return path + (f"_{query}{Path(name).suffix}" if query else name)


def conflicts(places: set[str]) -> list[str]:
    """Return the files that would have to be folders too."""
    folders = {place.rpartition("/")[0] for place in places}
    above = {"/".join(folder.split("/")[:n]) for folder in folders for n in range(1, 20)}
    return sorted(places & (folders | above))
