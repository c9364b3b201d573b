"""Addresses in letters hold keys, which open what they are for: no log names them."""

from __future__ import annotations

import logging
import re
from typing import Final

MASK: Final = "[key]"
KEY_PATHS: Final = re.compile(
    r"(?<!/api/v1)(?P<key_place>/(?:"
    r"account/(?:follows/leave|follows/leave-all|invitations|templates)"
    r"|accounts/(?:confirm-email|password/reset/key(?!/done/))"
    r"|namespaces/[^/]+/(?:contact|search)"
    r"|officers/stop"
    r"|organizations/[^/]+/(?:changes/[^/]+/stop|prove/[^/]+)"
    r"|organizations/speakers/[^/]+/letter"
    r"|requests/(?:keep|[^/]+/object)"
    r")/)\S+"
)
"""Paths whose rest is a key; `deploy/nginx.conf` has the same."""


def mask_keys(text: str) -> str:
    """Return a path, or a line with one, without the key in it."""
    return KEY_PATHS.sub(rf"\g<key_place>{MASK}", text)


class KeyFilter(logging.Filter):
    """Masks keys in what is logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the line pass without keys."""
        if isinstance(record.msg, str):
            record.msg = mask_keys(record.msg)
        if isinstance(record.args, tuple):
            # One by one, since reports of errors tell them apart by the text without its arguments.
            record.args = tuple(
                mask_keys(each) if isinstance(each, str) else each for each in record.args
            )
        if isinstance(path := vars(record).get("path"), str):
            vars(record)["path"] = mask_keys(path)
        return True
