"""Writing to the discussion of a request, moderating it, and the notes among experts."""

from __future__ import annotations

from django.contrib import messages as banners
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import rules
from registry.discussion import messages, moderation
from registry.forms.discussion import KEPT, CommentForm, HideForm, NoteForm, ShowForm
from registry.models import Message, RegistrationRequest, User
from registry.pages.discussion import Discussion, Said, with_people
from registry.rules import Person
from registry.views.acting import signed_in, typed_before
from registry.views.kept import keep_and_sign_in
from registry.views.origin import sent_from_here
from registry.views.requests import find
from registry.workflow import Refused


@sent_from_here
@require_http_methods(["GET", "POST"])
def comment(request: HttpRequest, reference: str) -> HttpResponse:
    """Write a public message; whoever is not signed in does that on the way."""
    registration_request = find(request, reference)
    if request.method == "POST" and not isinstance(request.user, User):
        return keep_and_sign_in(request, KEPT)
    form = comment_form(request, registration_request)
    if form.is_valid():
        try:
            message = messages.comment(
                registration_request, author=signed_in(request), **form.cleaned_data
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            banners.success(request, _("Your comment is public now."))
            return redirect(place_of(message))
    context = {
        "registration_request": registration_request,
        "form": form,
        "discussion": Discussion(registration_request, request.user),
        "answered": answered(form, registration_request, request.user),
    }
    return render(request, "discussion/comment.html", context)


def comment_form(request: HttpRequest, registration_request: RegistrationRequest) -> CommentForm:
    """Return the form with what was posted, or what was typed before the person signed in."""
    if request.method == "POST":
        return CommentForm(request.POST, registration_request=registration_request)
    asked = {name: request.GET[name] for name in ("answers", "section") if name in request.GET}
    return CommentForm(
        registration_request=registration_request, initial=asked | typed_before(request)
    )


def answered(
    form: CommentForm, registration_request: RegistrationRequest, reader: Person
) -> Said | None:
    """Return the message that is answered, as the reader sees it; none where none is."""
    number = str(form["answers"].value() or "")
    if not (number.isascii() and number.isdecimal() and len(number) < 9):
        return None
    message = with_people(registration_request.messages.public()).filter(number=number).first()
    return Said.to(reader, message) if message else None


def place_of(message: Message) -> str:
    """Return the address at which a public message stands."""
    return f"{message.registration_request.get_absolute_url()}#{message.anchor}"


@login_required
@require_http_methods(["GET", "POST"])
def hide(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Take a message from the eyes of readers, with a reason."""
    message = moderated(request, reference, number)
    form = HideForm(request.POST or None)
    if form.is_valid():
        moderation.hide(message, moderator=signed_in(request), **form.cleaned_data)
        banners.success(request, _("Readers see your name and reason instead of the message."))
        return redirect(place_of(message))
    return moderate(request, message, form)


@login_required
@require_http_methods(["GET", "POST"])
def show(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Let everybody read a message again."""
    message = moderated(request, reference, number)
    form = ShowForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        moderation.show(message, moderator=signed_in(request), **form.cleaned_data)
        banners.success(request, _("Everybody can read the message again."))
        return redirect(place_of(message))
    return moderate(request, message, form)


def moderated(request: HttpRequest, reference: str, number: int) -> Message:
    """Return the public message, for a moderator alone."""
    public = find(request, reference).messages.public()
    message = get_object_or_404(public.select_related("author", "hidden_by"), number=number)
    if not rules.may_moderate(signed_in(request)):
        raise PermissionDenied(moderation.for_moderators())
    return message


def moderate(request: HttpRequest, message: Message, form: HideForm | ShowForm) -> HttpResponse:
    """Show the message, and ask for the reason."""
    context = {
        "registration_request": message.registration_request,
        "said": Said(message),
        "hides": isinstance(form, HideForm),
        "form": form,
        "back": place_of(message),
    }
    return render(request, "discussion/moderate.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def notes(request: HttpRequest, reference: str) -> HttpResponse:
    """What experts write for each other about a request."""
    registration_request = find(request, reference)
    discussion = Discussion(registration_request, request.user)
    if not discussion.has_notes:
        raise PermissionDenied(messages.among_experts())
    form = NoteForm(request.POST or None)
    if form.is_valid():
        try:
            written = messages.note(
                registration_request, author=signed_in(request), **form.cleaned_data
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect(f"{reverse('review:notes', args=[reference])}#{written.anchor}")
    context = {
        "registration_request": registration_request,
        "discussion": discussion,
        "form": form,
    }
    return render(request, "discussion/notes_page.html", context)
