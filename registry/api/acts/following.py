"""What a person follows."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry import following
from registry.api.door import OwnDoor, heard, person, refusals_told
from registry.api.parameters import KEY, WRITING, in_path
from registry.api.problems import refusals
from registry.api.said import Said
from registry.api.shapes.shape import Shape, maybe, whole
from registry.models import Watch
from registry.pages.told.written import moment


class FollowShape(Shape):
    """Something that is followed: a request, a NID, or everything where both are null."""

    id = whole()
    request = maybe("The reference of a request.")
    nid = maybe()
    since = serializers.DateTimeField()


class FollowSaid(Said):
    """What is to be followed; everything where neither is said."""

    request = serializers.CharField(required=False, max_length=14)
    nid = serializers.CharField(required=False, max_length=32)


class FollowsView(OwnDoor):
    """What whoever asks follows."""

    @extend_schema(operation_id="follows", responses={200: FollowShape(many=True), **refusals(401)})
    def get(self, request: Request) -> Response:
        """Read what you follow."""
        return Response([told(each) for each in following.followed_by(person(request))])

    @extend_schema(
        operation_id="follow",
        parameters=[KEY],
        request=FollowSaid,
        responses={201: FollowShape, **refusals(*WRITING)},
    )
    def post(self, request: Request) -> Response:
        """Follow a request, a NID or everything; letters go to your address."""
        somebody, said = person(request), heard(FollowSaid, request)
        if len(said) > 1:
            raise ValidationError(_("Name a request or a NID, and not both."))
        thing = following.thing_named(said.get("request", ""), said.get("nid", ""))
        if thing is None:
            words = _("There is nothing of that name to follow.")
            raise ValidationError({name: [words] for name in said})
        with refusals_told():
            watch = following.follow(somebody, thing)
        return Response(told(watch), 201)


class FollowView(OwnDoor):
    """One thing that is followed."""

    @extend_schema(
        operation_id="unfollow",
        parameters=[in_path("id", "Its id."), KEY],
        responses={204: None, **refusals(*WRITING)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Follow something no longer."""
        deleted, _rows = person(request).watches.filter(pk=pk).delete()
        if not deleted:
            raise Http404(_("You follow nothing of that id."))
        return Response(status=204)


def told(watch: Watch) -> dict[str, Any]:
    """Return something that is followed."""
    asked = watch.registration_request
    return {
        "id": watch.pk,
        "request": asked.reference if asked else None,
        "nid": watch.nid or None,
        "since": moment(watch.since),
    }
