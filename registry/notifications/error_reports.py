"""Our own errors, mailed to the operator at most once an hour per kind."""

from __future__ import annotations

import hashlib
import logging
import threading
import traceback
from typing import Final

from django.conf import settings
from django.core.cache import cache
from structlog.contextvars import get_contextvars

from registry.database import OutageFilter, is_database_unavailable
from registry.key_paths import KeyFilter
from registry.notifications.outbox import write_account_letter

REPORT_INTERVAL: Final = 3_600
"""Seconds during which an error at one place is reported once; the log has every occurrence."""
MAX_REPORT_LENGTH: Final = 20_000


class ErrorReportHandler(logging.Handler):
    """Writes a letter about an error for the worker to send, so that no page waits for mail.

    It contains what the log says and never what a person sent. An error that cannot be stored, such
    as during a database outage, is in the log only.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.addFilter(OutageFilter())
        self.addFilter(KeyFilter())
        self.busy = threading.local()

    def emit(self, record: logging.LogRecord) -> None:
        """Write the letter, unless this error was just reported."""
        error = record.exc_info[1] if record.exc_info else None
        if getattr(self.busy, "is_writing", False) or is_database_unavailable(error):
            return
        self.busy.is_writing = True
        try:
            if cache.add(identify_fault(record), 1, REPORT_INTERVAL):
                write_report(record)
        except Exception:
            # The record itself is in the log already; a second one would only be about this.
            return
        finally:
            self.busy.is_writing = False


def identify_fault(record: logging.LogRecord) -> str:
    """Return the key under which errors count as the same: where they come from."""
    error = record.exc_info[1] if record.exc_info else None
    frames = traceback.extract_tb(error.__traceback__)[-1:] if error else []
    place = [f"{frame.filename}:{frame.lineno}" for frame in frames]
    told = repr((record.name, record.msg, type(error).__name__, place))
    return f"fault:{hashlib.sha256(told.encode()).hexdigest()}"


def write_report(record: logging.LogRecord) -> None:
    """Write a letter to each address that gets error reports."""
    text = "\n".join(describe_fault(record))[:MAX_REPORT_LENGTH]
    subject = f"[URN Namespace Registry] {record.levelname}: {record.getMessage()}"
    for address in settings.REGISTRY_ERROR_MAIL:
        write_account_letter(address, subject.splitlines()[0], text)


def describe_fault(record: logging.LogRecord) -> list[str]:
    """Return the lines of the letter.

    It names a request only by its id in the log and by the number that its page shows.
    """
    lines = [f"{record.levelname} {record.name}", record.getMessage(), ""]
    if number := getattr(getattr(record, "request", None), "error_number", ""):
        lines += [f"Error {number}", ""]
    if name := get_contextvars().get("request_id"):
        lines += [f"Request {name}", ""]
    if record.exc_info and record.exc_info[1]:
        # Leave out the values of variables: they may be confidential input.
        lines += traceback.format_tb(record.exc_info[2])
        lines.append(type(record.exc_info[1]).__name__)
    lines += ["", f"The same fault is told of once an hour; the log of {settings.SITE} has more."]
    return lines
