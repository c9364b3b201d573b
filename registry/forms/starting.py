"""From what was asked before a template is written to a request that is started."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.db import transaction

from registry import queries, recognition
from registry.forms.start import StartForm
from registry.models import Counter, Organization, RegistrationRequest, User
from registry.workflow import Refused, drafting


def form_with(*args: Any, **kwargs: Any) -> StartForm:
    """Return the form, given what it needs."""
    expected = f"urn-{Counter.objects.expected(Counter.INFORMAL)}"
    return StartForm(
        *args,
        expected=expected,
        check=queries.nid_findings,
        standing=recognition.standing_of,
        **kwargs,
    )


def start(author: User, form: StartForm) -> RegistrationRequest:
    """Start the request that the valid `form` asks for, and ask for recognition with it."""
    answers = form.cleaned_data
    with transaction.atomic():
        organization = Organization.objects.named(answers["organization"])
        if answers["statement"]:
            recognition.hold(organization)
        started = drafting.start(
            author=author,
            path=form.decided_path,
            organization=organization,
            summary=form.summary_given,
            nid=answers["nid"],
            namespace=answers["namespace"],
            change=form.change_asked,
            standards_action=bool(answers["standards_action"]),
            key=answers["key"],
        )
        if answers["statement"]:
            with suppress(Refused):  # Recognised this very moment: nothing is left to ask.
                recognition.ask(organization, author, answers["statement"])
    return started
