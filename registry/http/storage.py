"""Storage of static files: how they are named, minified and served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

import rcssmin
import rjsmin
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS: Final = frozenset({"css", "js"})
"""The folders of our own styles and scripts; those of others are served as they ship them."""

# rjsmin misreads a template literal within another, and a regular expression after `=>`; our
# scripts have neither (tests/http/test_storage.py).
MINIFIERS: Final[dict[str, Callable[[str], str]]] = {
    ".css": rcssmin.cssmin,
    ".js": rjsmin.jsmin,
}


def is_minified(name: str) -> bool:
    """Whether the static file with this name is served minified."""
    path = PurePosixPath(name)
    return path.parts[0] in OURS and path.suffix in MINIFIERS


@dataclass(frozen=True)
class MinifyingSource:
    """The folder of styles and scripts, opened without their comments and extra whitespace."""

    storage: Storage

    def open(self, name: str, mode: str = "rb") -> ContentFile[bytes]:
        """Return the file as it is served."""
        with self.storage.open(name) as file:
            text = file.read().decode("utf-8")
        return ContentFile(MINIFIERS[PurePosixPath(name).suffix](text).encode("utf-8"), name)


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Names each file by its content, including the modules that our script imports.

    Files named this way are minified first, and get a `.gz` and a `.br` next to them. The file with
    the plain name stays as written: no page links to it.
    """

    support_js_module_import_aggregation = True

    def post_process(
        self, paths: dict[str, tuple[Any, str]], *args: Any, **options: Any
    ) -> Iterator[Any]:
        """Hash and compress the collected files, ours in minified form."""
        small = {
            name: (MinifyingSource(source), path) if is_minified(name) else (source, path)
            for name, (source, path) in paths.items()
        }
        yield from super().post_process(small, *args, **options)  # type: ignore[no-untyped-call]
