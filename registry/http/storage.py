"""Storage of static files: how they are named and compressed."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Names each file by its content, including the modules that our script imports."""

    support_js_module_import_aggregation = True
