"""What the journal is told of each act of an administrator."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest

from registry import journal
from registry.models import Organization, User
from registry.row_digests import NEW, digest_row, key_of

UNTOLD = frozenset({"email"})
"""What the journal, which is kept for ever, says only of that it changed."""


def note(
    request: HttpRequest,
    subject: models.Model,
    verb: str,
    data: dict[str, Any],
    rows: dict[str, str | None],
) -> None:
    """Write one line of the journal, in the transaction of the change."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    journal.append(subject, actor=request.user, verb=verb, data=data, rows=rows)


def changed(form: forms.ModelForm[Any]) -> dict[str, dict[str, Any]]:
    """Return the fields that `form` changed, with what they said before and say now."""
    return {
        name: {}
        if name in UNTOLD
        else {"from": spelled(before(form, name)), "to": spelled(form.cleaned_data[name])}
        for name in form.changed_data
    }


def rows_of(row: models.Model) -> dict[str, str | None]:
    """Return a row and its digest, as the journal takes them, where lines tell of such rows."""
    return {key_of(row): digest_row(row)} if isinstance(row, Organization) else {}


def rows_saved(form: forms.ModelForm[Any], *, is_new: bool) -> dict[str, str | None]:
    """Return the row that `form` saved and its digest before, where lines tell of such rows."""
    if is_new or not isinstance(form.instance, Organization):
        return dict.fromkeys(rows_of(form.instance), NEW)
    was = copy.copy(form.instance)
    columns = {column.name for column in was._meta.concrete_fields}
    for name in columns & form.initial.keys():
        setattr(was, name, form.initial[name])
    return rows_of(was)


def before(form: forms.ModelForm[Any], name: str) -> Any:
    """Return what a field said before it was changed, a related row as that row."""
    field, value = form.fields[name], form.initial.get(name)
    is_one = isinstance(field, forms.ModelChoiceField) and not isinstance(
        field, forms.ModelMultipleChoiceField
    )
    return field.to_python(value) if is_one and value else value


def said(obj: models.Model, names: Iterable[Any]) -> dict[str, Any]:
    """Return what a row says in the fields that are edited here."""
    form = forms.models.model_to_dict(obj, fields=[str(name) for name in names])
    return {name: spelled(value) for name, value in form.items() if name not in UNTOLD}


def spelled(value: Any) -> Any:
    """Return a value as the journal can keep it."""
    if isinstance(value, models.QuerySet | list | tuple):
        return sorted(str(each) for each in value)
    if isinstance(value, models.Model | date):
        return str(value)
    return value
