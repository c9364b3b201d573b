"""What `manage.py check` says of the settings that Django's own checks do not know."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Warning as CheckWarning

logger = logging.getLogger(__name__)
UNTRUSTED_PROXY: Final = (
    "A request came with X-Forwarded-For, and REGISTRY_TRUSTED_PROXIES is 0: if a proxy stands "
    "before the registry, limits count everybody behind it as one."
)
HINT: Final = (
    "Set REGISTRY_TRUSTED_PROXIES to the number of proxies that add to the header. If there is "
    "none, a client wrote it, which does no harm: delete {file}."
)


def forwarded_for_file() -> Path:
    """Return the file that says that the header was seen."""
    return Path(settings.DATA_DIR) / "x-forwarded-for-seen"


def note_forwarded_for() -> None:
    """Write down that the header was seen, for commands that never see a request."""
    try:
        forwarded_for_file().touch()
    except OSError as error:
        logger.warning("This could not be written down for manage.py check: %s", error)


def check_forwarded_for(**_asked: Any) -> list[CheckMessage]:
    """Warn where a proxy seems to stand before the registry that the settings do not know of."""
    file = forwarded_for_file()
    if settings.REGISTRY_TRUSTED_PROXIES or not file.exists():
        return []
    return [CheckWarning(UNTRUSTED_PROXY, hint=HINT.format(file=file), id="registry.W001")]
