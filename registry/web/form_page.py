"""A page with one form and one action: shown, refused with what was typed, or done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from registry.errors import RegistryError
from registry.forms.speakers import SpeakerActForm, SubjectActForm
from registry.models import User
from registry.workflow import ActionRefused

ActForm = TypeVar("ActForm", SubjectActForm, SpeakerActForm)


@dataclass(frozen=True, slots=True)
class FormPage:
    """What surrounds the form: the title, the consequences, and where the person came from.

    `seen` is the mark of what they read, if the act needs it.
    """

    title: str
    lead: Sequence[str]
    button: str
    back: str
    crumbs: Sequence[tuple[str, str]] = ()
    seen: str = ""


def take_form(
    request: HttpRequest, page: FormPage, form: forms.Form, act: Callable[[], str], done: str = ""
) -> HttpResponse:
    """Act if the form is valid, report `done` and redirect to where `act` says; else show the page.

    A refused form is shown with what was typed and the status of the refusal.
    """
    status = 200
    if form.is_valid():
        try:
            where = act()
        except RegistryError as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            if done:
                messages.success(request, done)
            return redirect(where)
    context = {
        "title": page.title,
        "lead": page.lead,
        "button": page.button,
        "back": page.back,
        "crumbs": page.crumbs,
        "seen": page.seen,
        "form": form,
    }
    return render(request, "office/form.html", context, status=status)


def find_posted_form(forms: Sequence[ActForm], request: HttpRequest) -> ActForm | None:
    """Return the form whose button was pressed, of those that are open to the reader."""
    return next((form for form in forms if form.act == request.POST.get("act")), None)


def perform_form(form: SubjectActForm | SpeakerActForm, person: User) -> bool:
    """Do what the form says if it is valid; return whether it was done. A refusal is its error."""
    if not form.is_valid():
        return False
    try:
        form.perform(person)
    except ActionRefused as refusal:
        form.add_error(None, str(refusal))
        return False
    return True
