"""What is left out of the log, so that whoever runs the site sees what is wrong with it."""

from __future__ import annotations

import logging
from http import HTTPStatus


class RefusalFilter(logging.Filter):
    """Makes one line, a warning, of a request that was refused for what the client sent.

    Django logs some as errors, with the way through the code: a host that is none of ours, a body
    that is no form. Anybody can send those, as often as they like.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the line pass, without what says nothing of a fault of ours."""
        status = getattr(record, "status_code", None)
        if status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record.exc_info = None
            if record.levelno > logging.WARNING:
                record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True
