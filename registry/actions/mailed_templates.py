"""Mailed templates: they become drafts once the sender confirms them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.models import MailedTemplate, RegistrationRequest, Round
from registry.workflow import ActionRefused, drafts


def find_template_lifetime() -> datetime.timedelta:
    """Return how long a template waits for its sender."""
    return datetime.timedelta(days=settings.REGISTRY_MAILED_TEMPLATE_DAYS)


def find_template_expiry(mailed: MailedTemplate) -> datetime.datetime:
    """Return when an unconfirmed template is deleted."""
    return mailed.received_at + find_template_lifetime()


def find_mailed_template(key: str) -> MailedTemplate | None:
    """Return the mailed template with this key, unless it was disowned or deleted."""
    since = timezone.now() - find_template_lifetime()
    found = MailedTemplate.objects.select_related("registration_request").filter(key=key)
    mailed = found.first()
    is_over = mailed and mailed.registration_request is None and mailed.received_at <= since
    return None if is_over else mailed


def make_draft_of_template(
    mailed: MailedTemplate,
    start: Callable[[], RegistrationRequest],
    choose: Callable[[Round], Mapping[str, object]],
) -> RegistrationRequest:
    """Start a request whose draft has what `choose` takes from the template; return it.

    All or nothing: raises `ActionRefused` if the template became a draft already, or its sender
    disowned it.
    """
    with transaction.atomic():
        waiting = MailedTemplate.objects.select_for_update(no_key=True)
        held = waiting.filter(pk=mailed.pk, registration_request=None).first()
        if held is None:
            raise ActionRefused(_("A draft was made of this template already, or it is forgotten."))
        started = start()
        draft = started.draft
        assert draft is not None, "a request is started with a draft"
        if changes := choose(draft):
            drafts.save_draft(draft, changes, seen=draft.edition)
        held.registration_request = started
        held.text = held.address = held.subject = ""
        held.save()
    return started


def disown_mailed_template(mailed: MailedTemplate) -> None:
    """Delete a template that its supposed sender did not send."""
    MailedTemplate.objects.filter(pk=mailed.pk, registration_request=None).delete()


def delete_expired_templates(now: datetime.datetime) -> int:
    """Delete the templates that nobody confirmed in time; return how many."""
    waiting = MailedTemplate.objects.filter(registration_request=None)
    deleted, _rows = waiting.filter(received_at__lte=now - find_template_lifetime()).delete()
    return deleted
