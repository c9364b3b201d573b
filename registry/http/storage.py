"""Storage of static files: how they are named, made small and served."""

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
"""The folders of the style and script that we write; what others wrote comes as they ship it."""

MINIFIERS: Final[dict[str, Callable[[str], str]]] = {
    ".css": rcssmin.cssmin,
    ".js": rjsmin.jsmin,
}


def is_minified(name: str) -> bool:
    """Whether the static file of this name is one that is served without comments."""
    path = PurePosixPath(name)
    return path.parts[0] in OURS and path.suffix in MINIFIERS


@dataclass(frozen=True)
class MinifyingSource:
    """Where style and script lie, opened without their comments and spare space."""

    storage: Storage

    def open(self, name: str, mode: str = "rb") -> ContentFile[bytes]:
        """Return the file as it is to be served."""
        with self.storage.open(name) as file:
            text = file.read().decode("utf-8")
        return ContentFile(MINIFIERS[PurePosixPath(name).suffix](text).encode("utf-8"), name)


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Names each file by its content, the modules that our script imports too.

    What is named so is minified first, and has a `.gz` and a `.br` beside it. The file of the plain
    name stays as it was written: no page links to it.
    """

    support_js_module_import_aggregation = True

    def post_process(
        self, paths: dict[str, tuple[Any, str]], *args: Any, **options: Any
    ) -> Iterator[Any]:
        """Hash and compress what was collected, ours from its minified form."""
        small = {
            name: (MinifyingSource(source), path) if is_minified(name) else (source, path)
            for name, (source, path) in paths.items()
        }
        yield from super().post_process(small, *args, **options)  # type: ignore[no-untyped-call]
