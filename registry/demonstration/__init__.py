"""The demonstration: a cast, sample organizations and sample requests, all fictional."""

from typing import Final

from django.conf import settings

from registry.demonstration.cast import CAST, PASSWORD, make_cast
from registry.demonstration.samples import make_samples

__all__ = ["CAST", "PASSWORD", "VENDOR_CONTENTS", "make_cast", "make_samples"]

VENDOR_CONTENTS: Final = settings.BASE_DIR / "static" / "vendor" / "contents.txt"
"""There once the front-end packages are."""
