"""A page with one form and one act: shown, refused with what was typed, or done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from registry.errors import RegistryError


@dataclass(frozen=True, slots=True)
class FormPage:
    """What stands around the form: its title, what follows from it, and where one comes from."""

    title: str
    lead: Sequence[str]
    button: str
    back: str
    crumbs: Sequence[tuple[str, str]] = ()


def take_form(
    request: HttpRequest, page: FormPage, form: forms.Form, act: Callable[[], str], done: str
) -> HttpResponse:
    """Act once the form is valid, say `done` and go where `act` returns; else show the page.

    What is refused is shown with what was typed, under the status of the refusal.
    """
    status = 200
    if form.is_valid():
        try:
            where = act()
        except RegistryError as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, done)
            return redirect(where)
    context = {
        "title": page.title,
        "lead": page.lead,
        "button": page.button,
        "back": page.back,
        "crumbs": page.crumbs,
        "form": form,
    }
    return render(request, "office/form.html", context, status=status)
