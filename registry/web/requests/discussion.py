"""Writing to the discussion of a request, moderating it, and the notes between experts."""

from __future__ import annotations

from django.contrib import messages as banners
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from registry import permissions
from registry.actions import discussion, pending_comments
from registry.forms.remarks import (
    STASHED_COMMENT_FIELDS,
    CommentForm,
    HideMessageForm,
    NoteForm,
    ShowMessageForm,
)
from registry.http.csrf import trust_same_origin
from registry.models import Message, PendingComment, RegistrationRequest, User
from registry.presenters.discussion import (
    Discussion,
    DiscussionMessage,
    find_expert_notes,
)
from registry.web.form_stash import stash_and_sign_in
from registry.web.requests.views import find_visible_request
from registry.web.step_view import get_signed_in_user, pop_stashed_form
from registry.workflow import ActionRefused


@trust_same_origin
@require_http_methods(["GET", "POST"])
def post_comment(request: HttpRequest, reference: str) -> HttpResponse:
    """Write a public message; people who are not signed in do so on the way."""
    registration_request = find_visible_request(request, reference)
    if request.method == "POST" and not isinstance(request.user, User):
        return stash_and_sign_in(request, STASHED_COMMENT_FIELDS)
    form = build_comment_form(request, registration_request)
    wants_preview = "preview" in request.POST
    if form.is_valid() and not wants_preview:
        try:
            sent = pending_comments.send_comment(
                registration_request, author=get_signed_in_user(request), **form.cleaned_data
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            if isinstance(sent, PendingComment):
                return redirect(f"{registration_request.get_absolute_url()}#{sent.anchor}")
            banners.success(request, _("Your comment is public now."))
            return redirect(get_message_url(sent))
    context = {
        "registration_request": registration_request,
        "form": form,
        "discussion": Discussion(registration_request, request.user),
        "answered": find_message_to_answer(form, registration_request),
        "preview": form.cleaned_data["text"] if wants_preview and form.is_valid() else "",
    }
    return render(request, "discussion/comment.html", context)


@login_required
@require_POST
def post_take_back(request: HttpRequest, reference: str, key: int) -> HttpResponse:
    """Take back a comment that is not public yet, and return its text for editing."""
    registration_request = find_visible_request(request, reference)
    person = get_signed_in_user(request)
    pending = pending_comments.take_comment_back(registration_request, person, key)
    if pending is None:
        banners.info(request, _("The comment is public, or was taken back before."))
        return redirect(f"{registration_request.get_absolute_url()}#discussion")
    banners.success(request, _("Taken back. Nobody saw it, and nobody was told."))
    typed = {"text": pending.text, "section": pending.section, "mark": pending.mark}
    form = CommentForm(
        registration_request=registration_request,
        author=person,
        initial=typed | {"answers": pending.answers.number if pending.answers else None},
    )
    context = {
        "registration_request": registration_request,
        "form": form,
        "discussion": Discussion(registration_request, person),
        "answered": find_message_to_answer(form, registration_request),
    }
    return render(request, "discussion/comment.html", context)


def build_comment_form(
    request: HttpRequest, registration_request: RegistrationRequest
) -> CommentForm:
    """Return the form with what was posted, or what was typed before signing in."""
    if request.method == "POST":
        return CommentForm(
            request.POST, registration_request=registration_request, author=request.user
        )
    names = ("answers", "section", "mark")
    asked = {name: request.GET[name] for name in names if name in request.GET}
    return CommentForm(
        registration_request=registration_request,
        author=request.user,
        initial=asked | pop_stashed_form(request),
    )


def find_message_to_answer(
    form: CommentForm, registration_request: RegistrationRequest
) -> DiscussionMessage | None:
    """Return the message that is answered, or None."""
    number = str(form["answers"].value() or "")
    if not (number.isascii() and number.isdecimal() and len(number) < 9):
        return None
    message = registration_request.messages.public().with_people().filter(number=number).first()
    return DiscussionMessage.of(message) if message else None


def get_message_url(message: Message) -> str:
    """Return the address of a public message."""
    return f"{message.registration_request.get_absolute_url()}#{message.anchor}"


@login_required
@require_http_methods(["GET", "POST"])
def show_hide_message(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Hide a message from readers, with a reason."""
    message = find_moderated_message(request, reference, number)
    form = HideMessageForm(request.POST or None)
    if form.is_valid():
        discussion.hide_message(message, moderator=get_signed_in_user(request), **form.cleaned_data)
        banners.success(request, _("Readers see your name and reason instead of the message."))
        return redirect(get_message_url(message))
    return render_moderation(request, message, form)


@login_required
@require_http_methods(["GET", "POST"])
def show_unhide_message(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Show a message to everybody again."""
    message = find_moderated_message(request, reference, number)
    form = ShowMessageForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        discussion.unhide_message(
            message, moderator=get_signed_in_user(request), **form.cleaned_data
        )
        banners.success(request, _("Everybody can read the message again."))
        return redirect(get_message_url(message))
    return render_moderation(request, message, form)


def find_moderated_message(request: HttpRequest, reference: str, number: int) -> Message:
    """Return the public message, for moderators only."""
    public = find_visible_request(request, reference).messages.public()
    message = get_object_or_404(public.select_related("author", "hidden_by"), number=number)
    if not permissions.may_moderate(get_signed_in_user(request)):
        raise PermissionDenied(discussion.describe_moderators())
    return message


def render_moderation(
    request: HttpRequest, message: Message, form: HideMessageForm | ShowMessageForm
) -> HttpResponse:
    """Show the message, and ask for the reason."""
    context = {
        "registration_request": message.registration_request,
        "said": DiscussionMessage(message),
        "hides": isinstance(form, HideMessageForm),
        "form": form,
        "back": get_message_url(message),
    }
    return render(request, "discussion/moderate.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def show_expert_notes(request: HttpRequest, reference: str) -> HttpResponse:
    """Show what experts write for each other about a request."""
    registration_request = find_visible_request(request, reference)
    notes = find_expert_notes(request.user, registration_request)
    if notes is None:
        raise PermissionDenied(discussion.describe_note_readers())
    form = NoteForm(request.POST or None)
    if form.is_valid():
        try:
            written = discussion.add_note(
                registration_request, author=get_signed_in_user(request), **form.cleaned_data
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect(f"{reverse('review:notes', args=[reference])}#{written.anchor}")
    context = {
        "registration_request": registration_request,
        "notes": notes,
        "form": form,
    }
    return render(request, "discussion/notes_page.html", context)
