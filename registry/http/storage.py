"""Storage of static files: how they are named and served."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Names each file by its content, the modules that our script imports too."""

    support_js_module_import_aggregation = True
