"""What an expert keeps about themselves: days away, and conflicts of interest that stand."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules
from registry.api.door import OwnDoor, heard, person, refusals_told
from registry.api.parameters import KEY, WRITING, in_path
from registry.api.problems import refusals
from registry.api.said import Said, Text, typed
from registry.api.shapes.shape import Shape, line, maybe, whole
from registry.forms.standing import AbsenceForm, ConflictForm
from registry.models import Absence, Conflict, User
from registry.pages.told.written import day, moment
from registry.reviewing import absences, conflicts

ID: Final = in_path("id", "Its id.")


class AbsenceShape(Shape):
    """Days on which an expert is away, both included."""

    id = whole()
    first_day = serializers.DateField()
    last_day = serializers.DateField()


class AbsenceSaid(Said):
    """From which day to which."""

    first_day = serializers.DateField()
    last_day = serializers.DateField()


class ConflictShape(Shape):
    """A conflict of interest that stands."""

    id = whole()
    organization = line()
    organization_id = whole()
    reason = maybe()
    declared_at = serializers.DateTimeField()


class ConflictSaid(Said):
    """With which organization."""

    organization = serializers.IntegerField(help_text="The id of the organization.")
    reason = Text(help_text="Public.")


class AbsencesView(OwnDoor):
    """Days away of whoever asks."""

    @extend_schema(
        operation_id="absences", responses={200: AbsenceShape(many=True), **refusals(401, 403)}
    )
    def get(self, request: Request) -> Response:
        """Read on which days you are away, as an expert."""
        return Response([absence_told(each) for each in absences.ahead(expert(request))])

    @extend_schema(
        operation_id="absence_note",
        parameters=[KEY],
        request=AbsenceSaid,
        responses={201: AbsenceShape, **refusals(*WRITING)},
    )
    def post(self, request: Request) -> Response:
        """Note days on which you are away; the rota passes you over on them."""
        somebody = expert(request)
        said = typed(AbsenceForm(heard(AbsenceSaid, request)))
        return Response(absence_told(absences.add(somebody, **said)), 201)


class AbsenceView(OwnDoor):
    """Some days away."""

    @extend_schema(
        operation_id="absence_end",
        parameters=[ID, KEY],
        responses={204: None, **refusals(*WRITING)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Take days away out again."""
        deleted, _rows = expert(request).absences.filter(pk=pk).delete()
        if not deleted:
            raise Http404(_("You noted no days of that id."))
        return Response(status=204)


class ConflictsView(OwnDoor):
    """Conflicts of interest of whoever asks."""

    @extend_schema(
        operation_id="conflicts", responses={200: ConflictShape(many=True), **refusals(401, 403)}
    )
    def get(self, request: Request) -> Response:
        """Read which conflicts of interest you declared, as an expert."""
        standing = expert(request).conflicts.select_related("organization")
        return Response([conflict_told(each) for each in standing])

    @extend_schema(
        operation_id="conflict_declare",
        parameters=[KEY],
        request=ConflictSaid,
        responses={201: ConflictShape, **refusals(*WRITING)},
    )
    def post(self, request: Request) -> Response:
        """Declare a conflict: no request of that organization is yours to judge."""
        somebody = expert(request)
        said = typed(ConflictForm(heard(ConflictSaid, request), expert=somebody))
        with refusals_told():
            declared = conflicts.declare(somebody, **said)
        return Response(conflict_told(declared), 201)


class ConflictView(OwnDoor):
    """One conflict of interest."""

    @extend_schema(
        operation_id="conflict_end",
        parameters=[ID, KEY],
        responses={204: None, **refusals(*WRITING)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """End a declared conflict; the journal keeps that there was one."""
        conflict = expert(request).conflicts.filter(pk=pk).first()
        if conflict is None:
            raise Http404(_("You declared no conflict of that id."))
        conflicts.end(conflict)
        return Response(status=204)


def expert(request: Request) -> User:
    """Return who asks, if they are an expert."""
    somebody = person(request)
    if not rules.is_expert(somebody):
        raise PermissionDenied(_("This is for designated experts."))
    return somebody


def absence_told(absence: Absence) -> dict[str, Any]:
    """Return some days away."""
    first, last = day(absence.first_day), day(absence.last_day)
    return {"id": absence.pk, "first_day": first, "last_day": last}


def conflict_told(conflict: Conflict) -> dict[str, Any]:
    """Return a conflict of interest."""
    return {
        "id": conflict.pk,
        "organization": conflict.organization.name,
        "organization_id": conflict.organization_id,
        "reason": conflict.reason or None,
        "declared_at": moment(conflict.declared_at),
    }
