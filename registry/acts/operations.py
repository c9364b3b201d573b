"""The API of acts: operations, their input and their description, from each act and its form."""

from __future__ import annotations

from functools import cache
from inspect import getdoc
from typing import Any, ClassVar, cast

from django import forms
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry.acts import Act, Resource
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import InputSerializer, YesNoField, clean_form
from registry.api.openapi import IF_MATCH_PARAMETER
from registry.api.problems import describe_problems
from registry.api.views import get_site_url, require_person, validate_input
from registry.api.viewsets import RegistryViewSet
from registry.serializers.base import build_url


def make_input_field(field: forms.Field, *, is_kept: bool) -> serializers.Field[Any, Any, Any, Any]:
    """Return the member of JSON input for a field of a form, which judges what is sent.

    One that `is_kept` stays as it is if it is left out.
    """
    about: dict[str, Any] = {
        "required": field.required and not is_kept,
        "help_text": f"{field.label} {field.help_text}".strip(),
        "error_messages": {"required": str(field.error_messages["required"])},
    }
    if isinstance(field, forms.ChoiceField):
        choices: list[Any] = list(cast("Any", field.choices))
        if {value for value, _label in choices} == {"yes", "no"}:
            return YesNoField(**about)
        return serializers.ChoiceField(choices, **about)
    if isinstance(field, forms.DateField):
        return serializers.DateField(**about)
    return serializers.CharField(allow_blank=True, trim_whitespace=False, **about)


@cache
def make_input_serializer(act: Act[Any]) -> type[InputSerializer]:
    """Return the input of an act: the fields of its form."""

    class ActInputSerializer(InputSerializer):
        def get_fields(self) -> dict[str, Any]:
            fields = act.form.base_fields.items()
            return {name: make_input_field(field, is_kept=act.corrects) for name, field in fields}

    ActInputSerializer.__name__ = f"{act.verb.title().replace('_', '')}InputSerializer"
    ActInputSerializer.__doc__ = str(act.button)
    return ActInputSerializer


class ActViewSet(ListModelMixin, RegistryViewSet):
    """A resource with its acts: creating is POST to the list, others are POST to `<id>/<name>/`.

    `present` makes of a row what the serializer takes.
    """

    resource: ClassVar[Resource[Any]]
    permission_classes = [IsAuthenticatedOrReadOnly]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for act in cls.resource.acts:
            operation = make_operation(act, cls)
            setattr(cls, operation.__name__, operation)

    def get_queryset(self) -> QuerySet[Any]:
        parts = {name: part for name, part in self.kwargs.items() if name != "pk"}
        return self.resource.find_rows(self.request.user, **parts)

    def respond(self, row: Any, status: int = 200) -> Response:
        """Return a row, with the mark that changes when it does if an act needs it."""
        headers = {}
        if any(act.needs_mark for act in self.resource.acts):
            headers["ETag"] = make_etag(self.resource.mark(row))
        if status == 201 and hasattr(self, "retrieve"):
            site = get_site_url(self.request)
            headers["Location"] = build_url(site, f"api:{self.basename}-detail", row.pk)
        return Response(self.get_serializer(self.present(row)).data, status, headers=headers)

    def present(self, row: Any) -> Any:
        return row


def make_operation(act: Act[Any], of: type[ActViewSet]) -> Any:
    """Return the method of a viewset for an act."""
    resource = act.resource

    def operate(self: ActViewSet, request: Request, **parts: Any) -> Response:
        actor = require_person(request)
        subject: tuple[Any, ...] = ()
        if not act.creates:
            subject = (self.get_object(),)
        elif resource.find_parent:
            subject = (resource.find_parent(**parts),)
        if not act.by(actor):
            raise PermissionDenied(str(act.refusal))
        seen = resource.mark(*subject) if act.needs_mark else None
        if seen is not None:
            require_if_match(request, seen)
        kept = act.list_values(*subject) if act.corrects else {}
        sent = kept | validate_input(make_input_serializer(act), request)
        row = act(*subject, actor=actor, seen=seen, **clean_form(act.form(sent)))
        if act.deletes:
            return Response(status=204)
        return self.respond(self.get_queryset().get(pk=row.pk), 201 if act.creates else 200)

    operate.__name__ = "create" if act.creates else act.name
    if act.corrects:
        operate.__name__ = "partial_update"
    operate.__doc__ = act.change.__doc__
    responses: Any = of.serializer_class
    if not act.creates and not act.needs_mark:
        answer = {204: None} if act.deletes else {200: responses}
        responses = {**answer, **describe_problems(412)}
    return extend_schema(
        operation_id=f"{resource.noun}_{act.verb.partition('_')[0]}",
        description=getdoc(act.change),
        parameters=[IF_MATCH_PARAMETER] if act.needs_mark else [],
        request=make_input_serializer(act) if act.form.base_fields else None,
        responses=responses,
    )(operate if act.creates or act.corrects else action(detail=True, methods=["post"])(operate))
