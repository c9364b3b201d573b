"""What calls the lead expert: what nobody can decide, what is late, and what lies quiet."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.db.models import Case, Exists, OuterRef, Q, Value, When
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.choices import BEFORE_EXPERTS, State
from registry.models import Assignment, Conflict, Event
from registry.models.request import RequestQuerySet
from registry.models.review import AssignmentQuerySet
from registry.queries.standing import LEADING
from registry.reviewing.candidates import experts

CALLS: Final[Mapping[str, str | Promise]] = {
    "untaken": _("Nobody has taken it"),
    "stuck": _("Nobody on it can decide now"),
    "late": _("The promised date is past"),
    "quiet": _("Its experts have been silent for long"),
}


def calling_the_lead(requests: RequestQuerySet) -> RequestQuerySet:
    """Annotate `calls_the_lead`: why each waits for the lead, a key of `CALLS` or empty."""
    active = Assignment.objects.active().filter(registration_request=OuterRef("pk"))
    return requests.annotate(
        calls_the_lead=Case(
            When(~Q(state__in=BEFORE_EXPERTS), then=Value("")),
            When(~Exists(active), then=Value("untaken")),
            When(Q(~Exists(able()), state=State.IN_REVIEW), then=Value("stuck")),
            When(late(), then=Value("late")),
            When(quiet(), then=Value("quiet")),
            default=Value(""),
        )
    )


def able() -> AssignmentQuerySet:
    """Return who can still decide on the request of the outer query.

    Not whoever approved it already, left the role, or declared a conflict since.
    """
    conflicts = Conflict.objects.filter(
        expert=OuterRef("expert"), organization=OuterRef("registration_request__organization")
    )
    return Assignment.objects.undecided().filter(
        ~Exists(conflicts), registration_request=OuterRef("pk"), expert__in=experts()
    )


def late() -> Q:
    """Whether the day by which a decision was promised is over."""
    today = timezone.localdate()
    first = today - datetime.timedelta(settings.REGISTRY_DECISION_DAYS)
    by_default = Q(extended_to__isnull=True, state_since__date__lt=first)
    return Q(state=State.IN_REVIEW) & (Q(extended_to__lt=today) | by_default)


def quiet() -> Q:
    """Whether the experts on it did nothing for as long as the lead is told of that."""
    since = timezone.now() - datetime.timedelta(settings.REGISTRY_ESCALATION_DAYS["lead"])
    on_it = Assignment.objects.active().filter(
        registration_request=OuterRef("registration_request"), expert=OuterRef("actor")
    )
    heard = Event.objects.filter(
        Q(Exists(on_it)) | Q(verb__in=LEADING),
        registration_request=OuterRef("pk"),
        at__gt=since,
    )
    return Q(~Exists(heard), state=State.IN_REVIEW, state_since__lte=since)
