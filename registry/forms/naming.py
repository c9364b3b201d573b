"""Naming a namespace that is registered."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from registry import likeness
from registry.models import Namespace
from registry.urn import nid as nids


class NamespaceField(forms.Field):
    """A registered namespace, typed by its NID in any case, with or without `urn:`."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> Namespace | None:
        """Return the namespace, or say which registered ones look like what was typed."""
        typed = str(value or "").strip()
        if not typed:
            return None
        nid = nids.canonical(typed)
        nid = nid.removeprefix("urn:").removesuffix(":")
        namespace = Namespace.objects.filter(nid=nid[:33]).first() if nid.isascii() else None
        if namespace is None or namespace.nid != nid:
            raise ValidationError(unknown(typed, nid), code="unknown")
        return namespace


def unknown(typed: str, nid: str) -> str:
    """Say that no namespace is registered under what was typed, and which come close."""
    words = gettext("No namespace is registered as “%(typed)s”.") % {"typed": typed[:40]}
    registered = Namespace.objects.values_list("nid", flat=True)
    near = [alike.nid for alike in likeness.near(nid[:40], registered)][:2]
    if not near:
        return words + " " + gettext("Look it up among the namespaces.")
    return words + " " + gettext("Did you mean %(near)s?") % {"near": " ".join(near)}
