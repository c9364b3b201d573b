"""Which rows everybody may read, and who the people are that they speak of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Case, Expression, F, Model, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from registry.models import (
    Assignment,
    Message,
    RegistrationRequest,
    Remark,
    Round,
    Sighting,
    User,
)
from registry.queries.events import open_lines
from registry.queries.organizations import public_recognitions


def every(model: type[Model]) -> Callable[[], QuerySet[Any]]:
    """Return what gives all rows of a table."""
    return model._default_manager.all


def requests() -> QuerySet[RegistrationRequest]:
    """Return the requests that everybody may read."""
    return RegistrationRequest.objects.public()


def of_requests(model: type[Model]) -> Callable[[], QuerySet[Any]]:
    """Return what gives the rows of a table that belong to public requests."""
    return lambda: model._default_manager.filter(registration_request__in=requests())


def rounds() -> QuerySet[Round]:
    """Return the texts that were sent."""
    return Round.objects.sent()


def messages() -> QuerySet[Message]:
    """Return what was said for everybody; what a moderator hid keeps its place."""
    return Message.objects.public().filter(registration_request__in=requests())


def people() -> QuerySet[User]:
    """Return who did anything in public, or has it to do."""
    judging = Assignment.objects.filter(registration_request__in=requests())
    return User.objects.filter(
        shown_now()
        | Q(pk__in=open_lines().values("actor"))
        | Q(pk__in=messages().values("author"))
        | Q(pk__in=judging.values("expert"))
        | Q(pk__in=public_recognitions().values("asked_by"))
    )


def shown_now() -> Q:
    """Return for whom pages show the name that they have now."""
    remarks = Remark.objects.filter(registration_request__in=requests())
    return (
        Q(pk__in=requests().values("author"))
        | Q(pk__in=remarks.values("author"))
        | Q(pk__in=remarks.values("answered_by"))
        | Q(pk__in=messages().values("hidden_by"))
        | Q(pk__in=Sighting.objects.values("noted_by"))
        | Q(pk__in=public_recognitions().values("decided_by"))
    )


def name_in_public() -> Expression:
    """Return the name of an account that everybody knows: it may have another by now."""
    acts = open_lines().filter(actor=OuterRef("pk")).order_by("-number")
    words = messages().filter(author=OuterRef("pk")).order_by("-pk")
    last = Coalesce(
        Subquery(acts.values("actor_name")[:1]),
        Subquery(words.values("author_name")[:1]),
        F("name"),
    )
    return Case(When(shown_now(), then=F("name")), default=last)
