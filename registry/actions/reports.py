"""Readers' reports: written by anyone, read and answered by registrars only."""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions, rate_limits
from registry.actions.letter_preview import LetterPreview, preview_keyed_letter
from registry.models import Report, User
from registry.notifications.outbox import write_direct_letter
from registry.workflow import ActionRefused
from registry.workflow.perform import reload_person

REPORT_SPAN: Final = datetime.timedelta(hours=1)


def open_reports() -> QuerySet[Report]:
    """Return the open reports, oldest first."""
    return Report.objects.filter(closed_at__isnull=True).order_by("sent_at", "pk")


def add_report(
    *, text: str, page: str, name: str, address: str, author: User | None, network: str
) -> Report:
    """Save a report for the registrar. No mail goes to the address that it names.

    The same text from the same network within an hour is saved once. Raises `ActionRefused` if too
    many came from this network, or in total.
    """
    with transaction.atomic():
        since = timezone.now() - REPORT_SPAN
        if sent := Report.objects.filter(text=text, page=page, sent_at__gt=since).first():
            return sent
        for key, limit in (
            (f"report:{network}", settings.REGISTRY_REPORTS_PER_HOUR),
            ("report:all", settings.REGISTRY_REPORTS_PER_HOUR * 20),
        ):
            if not rate_limits.consume(key, limit, REPORT_SPAN):
                raise ActionRefused(
                    _("Too many reports arrived within an hour. Keep your text and send it later.")
                )
        return Report.objects.create(
            text=text, page=page, name=name, address=address, author=author, sent_at=timezone.now()
        )


def close_report(report: Report, *, actor: User, answer: str) -> Report:
    """Close a report; any answer is sent to the address it came with, once.

    Raises `ActionRefused` for people who are not registrars, for a closed report, and for an answer
    without an address.
    """
    answer = answer.strip()
    with transaction.atomic():
        held = Report.objects.select_for_update(no_key=True).get(pk=report.pk)
        if not permissions.is_registrar(reload_person(actor)):
            raise ActionRefused(_("Reports are answered by the registrar."))
        if held.closed_at:
            raise ActionRefused(_("Somebody closed this report in the meantime."))
        if answer and not held.address:
            raise ActionRefused(_("They left no address, so you cannot answer."))
        held.closed_at, held.closed_by, held.answer = timezone.now(), actor, answer
        held.save()
        if answer:
            write_direct_letter(
                "report_answer",
                {"report": held, "answer": answer},
                why=_("You wrote to the registry and left this address."),
                key=name_answer(held),
                address=held.address,
            )
    return held


def preview_answer(report: Report, *, actor: User, answer: str) -> LetterPreview:
    """Return the letter that closing a report with `answer` would send, without sending it.

    Raises `ActionRefused` as `close_report` does.
    """
    return preview_keyed_letter(
        lambda: close_report(report, actor=actor, answer=answer), name_answer(report)
    )


def name_answer(report: Report) -> str:
    """Return the key of the letter that answers a report."""
    return f"report:{report.pk}"
