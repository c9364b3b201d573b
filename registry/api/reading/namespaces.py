"""Namespaces, their versions, their history and their resolution services, to read."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Case, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import queries
from registry.api.asked import DatedAsked, FieldsAsked, ListAsked, asked_with, moment_asked
from registry.api.door import Door, site_of
from registry.api.listing import Key, chosen, listed, part_of, part_of_rows
from registry.api.narrowing import narrowed
from registry.api.parameters import NID, READING, in_path
from registry.api.problems import refusals, refuse_invalid
from registry.api.shapes.namespaces import (
    NamespaceDetailShape,
    NamespaceShape,
    PublishedTextShape,
    VersionShape,
)
from registry.api.shapes.shape import list_of
from registry.choices import Kind, Status
from registry.forms.filter_form import CHOICES
from registry.forms.filters import NamespaceFilter
from registry.models import Namespace, Registration
from registry.pages import told
from registry.pages.told.namespaces import namespace_then_told, namespace_then_whole
from registry.queries.past import Moment, namespace_then, namespaces_then
from registry.urn import nid as nids

NUMBER: Final = in_path("number", "Of the version.")
NOBODY_KNOWN: Final = Case(When(registrant=None, then=Value(1)), default=Value(0))
DAY_UNKNOWN: Final = Case(When(registered_on="", then=Value(1)), default=Value(0))
REGISTRANT: Final = Coalesce("registrant__name", Value(""))
ORDERS: Final = {
    "nid": (Key("nid"),),
    "-nid": (Key("nid", descends=True),),
    "registrant": (Key(NOBODY_KNOWN), Key(REGISTRANT), Key("nid")),
    "-registrant": (Key(NOBODY_KNOWN), Key(REGISTRANT, descends=True), Key("nid")),
    "registered": (Key(DAY_UNKNOWN), Key("registered_on"), Key("nid")),
    "-registered": (Key(DAY_UNKNOWN), Key("registered_on", descends=True), Key("nid")),
}
"""The orders of the page: what is not known comes last either way."""


class NamespacesAsked(ListAsked, DatedAsked):
    """What the list of namespaces can be asked with: the filters of its page."""

    q = serializers.CharField(
        required=False, max_length=200, help_text="Words, organization or reference."
    )
    kind = serializers.MultipleChoiceField(choices=Kind.choices, required=False)
    status = serializers.MultipleChoiceField(choices=Status.choices, required=False)
    has = serializers.MultipleChoiceField(choices=list(CHOICES["has"]), required=False)
    since = serializers.CharField(required=False, help_text="Registered in this year or later.")
    until = serializers.CharField(required=False, help_text="Registered in this year or before.")
    sort = chosen(ORDERS, "nid")


class NamespaceAsked(FieldsAsked, DatedAsked):
    """What one namespace can be asked with."""


class NamespacesView(Door):
    """The registered namespaces."""

    @extend_schema(
        operation_id="namespaces",
        parameters=[NamespacesAsked],
        responses={200: list_of(NamespaceShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the registered namespaces, narrowed and sorted as on their page."""
        asked = asked_with(NamespacesAsked, request)
        if moment := moment_asked(asked, "kind", "status", "page_size", "cursor"):
            return listed_then(request, asked, moment)
        found = NamespaceFilter(request._request.GET)
        refuse_invalid(found.form)
        rows: QuerySet[Namespace] = found.qs
        site = site_of(request)
        part = part_of(rows, ORDERS, asked, "nid")
        return listed(request, part, lambda each: told.namespace_listed(each, site), NamespaceShape)


class NamespaceView(Door):
    """One namespace."""

    @extend_schema(
        operation_id="namespace",
        parameters=[NID, NamespaceAsked],
        responses={200: NamespaceDetailShape, **refusals(*READING)},
    )
    def get(self, request: Request, nid: str) -> Response:
        """Read a namespace: its facts, its versions, and the text of the one in force."""
        moment = moment_asked(asked_with(NamespaceAsked, request))
        site = site_of(request)
        namespace = namespace_of(nid)
        row = (
            whole_then(namespace, moment, site)
            if moment
            else told.namespace_told(namespace, queries.published(namespace), site)
        )
        return Response(narrowed(request, [row], NamespaceDetailShape)[0])


class VersionsView(Door):
    """The versions of a namespace."""

    @extend_schema(
        operation_id="versions",
        parameters=[NID, ListAsked],
        responses={200: list_of(VersionShape), **refusals(*READING)},
    )
    def get(self, request: Request, nid: str) -> Response:
        """List the published versions of a namespace, the newest first."""
        asked = asked_with(ListAsked, request)
        found = namespace_of(nid).registrations.select_related("namespace")
        site = site_of(request)
        part = part_of(found, {"-number": (Key("number", descends=True),)}, asked, "-number")
        return listed(
            request, part, lambda each: told.registration_listed(each, site), VersionShape
        )


class VersionView(Door):
    """One version of a namespace."""

    @extend_schema(
        operation_id="version",
        parameters=[NID, NUMBER, FieldsAsked],
        responses={200: PublishedTextShape, **refusals(*READING)},
    )
    def get(self, request: Request, nid: str, number: int) -> Response:
        """Read one version, in force or not; what it says never changes."""
        asked_with(FieldsAsked, request)
        row = told.registration_told(version_of(nid, number), site_of(request))
        return Response(narrowed(request, [row], PublishedTextShape)[0])


def whole_then(namespace: Namespace, moment: Moment, site: str) -> dict[str, Any]:
    """Return a namespace as it was."""
    then = namespace_then(namespace.nid, moment)
    if then is None:
        raise Http404(_("That namespace was not registered then."))
    return namespace_then_whole(then, site)


def listed_then(request: Request, asked: dict[str, Any], moment: Moment) -> Response:
    """List the namespaces that were registered, by NID; a cursor holds the last NID."""
    site = site_of(request)
    every = [
        each
        for each in namespaces_then(moment)
        if each.namespace.kind in (asked["kind"] or Kind.values)
        and (not asked["status"] or (each.has_facts and each.namespace.status in asked["status"]))
    ]
    part = part_of_rows(every, lambda each: each.namespace.nid, asked)
    return listed(request, part, lambda each: namespace_then_told(each, site), NamespaceShape)


def namespace_of(nid: str) -> Namespace:
    """Return the namespace of that NID, in any case."""
    found = queries.namespace_shown(nids.canonical(nid))
    if found is None:
        raise Http404(_("There is no registered namespace of that identifier."))
    return found


def version_of(nid: str, number: int) -> Registration:
    """Return one version of a namespace."""
    found = Registration.objects.filter(namespace=namespace_of(nid), number=number)
    version = found.select_related("namespace").first()
    if version is None:
        raise Http404(_("The namespace has no version of that number."))
    return version
