"""Namespaces, to read."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import viewsets
from rest_framework.serializers import BaseSerializer

from registry import queries
from registry.api.pagination import Pages
from registry.api.serializers import NamespaceDetailSerializer, NamespaceSerializer
from registry.models import Namespace
from registry.urn import nid as nids


class NamespaceViewSet(viewsets.ReadOnlyModelViewSet[Namespace]):
    """The registered namespaces by NID, in any case; open to everyone."""

    pagination_class = Pages
    lookup_field = "nid"
    lookup_url_kwarg = "nid"

    def get_queryset(self) -> QuerySet[Namespace]:
        """Return all namespaces, with what is shown of them."""
        return queries.listed()

    def get_object(self) -> Namespace:
        """Return the namespace that the address names, in upper or lower case."""
        found = self.get_queryset().filter(nid=nids.canonical(self.kwargs["nid"])).first()
        if found is None:
            raise Http404
        return found

    def get_serializer_class(self) -> type[BaseSerializer[Namespace]]:
        """Return what a list shows of each, or what there is of one."""
        return NamespaceDetailSerializer if self.detail else NamespaceSerializer
