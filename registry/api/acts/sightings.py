"""Sightings: read by everybody, noted and corrected by experts and the registrar."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules, sightings
from registry.api.asked import FieldsAsked, asked_with
from registry.api.door import Door, heard, person, refusals_told
from registry.api.parameters import EDITING, IF_MATCH, KEY, READING, WRITING
from registry.api.problems import refusals
from registry.api.reading.sightings import ID, SightingsAsked, every, shown, sighting_of
from registry.api.said import Said, Text, WhySaid, typed
from registry.api.seen import refuse_unseen
from registry.api.shapes.others import SightingShape
from registry.api.shapes.shape import list_of
from registry.forms.sightings import NewSightingForm, SightingForm, WithdrawForm
from registry.models import User


class SightingSaid(Said):
    """Where a NID was seen, and who uses it; what is left out stays as it is."""

    evidence = Text(help_text="Where it was seen; public.")
    user_of_it = Text(help_text="Who uses it; public.")
    address = Text(help_text="Their mail address; not public.")


class NewSightingSaid(SightingSaid):
    """The same, of a NID that is named first."""

    nid = Text()


class SightingsView(Door):
    """NIDs in use without registration."""

    @extend_schema(
        operation_id="sightings",
        parameters=[SightingsAsked],
        responses={200: list_of(SightingShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the NIDs that were seen in use without registration, the newest first."""
        return every(request)

    @extend_schema(
        operation_id="sighting_note",
        parameters=[KEY],
        request=NewSightingSaid,
        responses={201: SightingShape, **refusals(*WRITING)},
    )
    def post(self, request: Request) -> Response:
        """Note a NID seen in use, as an expert or the registrar."""
        actor = noting(request)
        said = typed(NewSightingForm(heard(NewSightingSaid, request)))
        del said["seen"]
        with refusals_told():
            noted = sightings.note(actor=actor, **said)
        return shown(request, noted.pk, 201)


class SightingView(Door):
    """One sighting."""

    @extend_schema(
        operation_id="sighting",
        parameters=[ID, FieldsAsked],
        responses={200: SightingShape, **refusals(*READING)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read a sighting."""
        asked_with(FieldsAsked, request)
        return shown(request, pk)

    @extend_schema(
        operation_id="sighting_correct",
        parameters=[ID, IF_MATCH, KEY],
        request=SightingSaid,
        responses={200: SightingShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Correct the sighting you saw."""
        actor, sighting = noting(request), sighting_of(pk)
        seen = sightings.edition(sighting)
        refuse_unseen(request, seen)
        stays = {name: getattr(sighting, name) for name in ("evidence", "user_of_it", "address")}
        said = typed(SightingForm({**stays, **heard(SightingSaid, request), "seen": seen}))
        with refusals_told():
            sightings.correct(sighting, actor=actor, **said)
        return shown(request, pk)


class NotifyView(Door):
    """The notice to those who use a NID."""

    @extend_schema(
        operation_id="sighting_notify",
        parameters=[ID, KEY],
        request=None,
        responses={200: SightingShape, **refusals(*WRITING, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write to those who use the NID how to register it; once."""
        actor, sighting = noting(request), sighting_of(pk)
        with refusals_told():
            sightings.notify(sighting, actor=actor)
        return shown(request, pk)


class WithdrawView(Door):
    """A sighting taken off the list."""

    @extend_schema(
        operation_id="sighting_withdraw",
        parameters=[ID, KEY],
        request=WhySaid,
        responses={204: None, **refusals(*WRITING, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a sighting off the list, with the reason; the journal keeps what it said."""
        actor, sighting = noting(request), sighting_of(pk)
        said = typed(WithdrawForm(heard(WhySaid, request)))
        with refusals_told():
            sightings.withdraw(sighting, actor=actor, reason=said["reason"])
        return Response(status=204)


def noting(request: Request) -> User:
    """Return who asks, if they note sightings."""
    actor = person(request)
    if not rules.may_note_sightings(actor):
        raise PermissionDenied(_("Sightings are noted by designated experts and the registrar."))
    return actor
