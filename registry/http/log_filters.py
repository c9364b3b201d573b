"""What is left out of the log, so that operators see what is wrong with the site."""

from __future__ import annotations

import logging
from http import HTTPStatus


class RefusalFilter(logging.Filter):
    """Reduces the log of a request refused for what the client sent to one line, a warning.

    Django logs some as errors, with a traceback: a host that is not ours, a body that is no form.
    Anybody can send those, as often as they like.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the line pass, without parts that would suggest an error of ours."""
        status = getattr(record, "status_code", None)
        if status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record.exc_info = None
            if record.levelno > logging.WARNING:
                record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True
