"""Publishing several requests together, because one document registers all of their NIDs."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from registry import workflow
from registry.models import Event, RegistrationRequest, User
from registry.workflow.events import write_events_last
from registry.workflow.step import ActionRefused, ConcurrentChange


def publish_together(
    chosen: Sequence[tuple[RegistrationRequest, int]],
    *,
    actor: User,
    references: Sequence[str],
    iana_reference: str = "",
) -> list[Event]:
    """Publish requests, each at the revision seen, and return the events: all or none.

    Each takes the step *register* with all its conditions, and its event names the others. Raises
    what that step raises, with the reference of the request that caused it; nothing is published
    then.
    """
    if len({each.pk for each, _seen in chosen}) < 2:
        raise ActionRefused(_("Choose at least two requests; one is published on its own page."))
    together = sorted(each.reference for each, _seen in chosen)
    events = []
    with transaction.atomic(), write_events_last():
        # In the same order for everyone, so that two registrars do not deadlock.
        for registration_request, seen in sorted(chosen, key=lambda pair: pair[0].pk):
            try:
                event = workflow.perform(
                    registration_request,
                    "register",
                    actor=actor,
                    seen=seen,
                    references=list(references),
                    iana_reference=iana_reference,
                    together=together,
                )
            except ActionRefused as refusal:
                words = _("%(reference)s: %(refusal)s Nothing was published.")
                told = {"reference": registration_request.reference, "refusal": refusal}
                is_late = isinstance(refusal, ConcurrentChange)
                raise (ConcurrentChange if is_late else ActionRefused)(words % told) from refusal
            events.append(event)
    return events
