"""Appeals against decisions: what was appealed, how long it waits, and where it leads back to.

The standards body hears them (RFC 8126, sections 5.2.1 and 10). There is one appeal per decision;
others affected join it.
"""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import State, Words
from registry.models import Event, RegistrationRequest, User
from registry.selectors.appeals import (
    find_appeal,
    find_appealed_decision,
    has_lapsed,
    is_taken_up,
    list_appellants,
)
from registry.workflow.step import Step


def find_state_when_upheld(step: Step) -> State:
    """The state that was appealed from."""
    return State(require_appeal(step.registration_request).source)


def find_state_when_remanded(step: Step) -> State:
    """The state in which the appealed decision was taken."""
    decision = find_appealed_decision(step.registration_request)
    return State(decision.source) if decision else State.IN_REVIEW


def require_appeal(registration_request: RegistrationRequest) -> Event:
    """Return the current appeal, which must exist."""
    appeal = find_appeal(registration_request)
    assert appeal is not None, "an appealed request was appealed"
    return appeal


def not_taken_up_in_time(step: Step) -> Words:
    """An appeal of an approval delays publication by some days, unless it is taken up."""
    if has_lapsed(require_appeal(step.registration_request), timezone.now()):
        return ""
    return _("The standards body hears this appeal, or still has time to take it up.")


def appeal_of_others_only(step: Step) -> Words:
    """A new round ends other people's appeal of a decline, but no other appeal."""
    registration_request = step.registration_request
    if registration_request.state != State.APPEALED:
        return ""
    if require_appeal(registration_request).source != State.DECLINED:
        return _("The standards body hears an appeal. A new round can be sent once it has decided.")
    writers = User.objects.filter(permissions.q_person_may_write(registration_request))
    if list_appellants(registration_request).filter(pk__in=writers).exists():
        return _(
            "You have appealed yourself. The standards body decides first; or withdraw the request."
        )
    return ""


def not_taken_up(step: Step) -> Words:
    """An appeal is taken up only once."""
    if is_taken_up(require_appeal(step.registration_request)):
        return _("The standards body has already taken up this appeal.")
    return ""
