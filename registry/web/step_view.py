"""Taking a step from a working screen: who acts, on which revision, and what they are shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial, wraps
from typing import Final, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _

from registry.forms.steps import PostedStep
from registry.journal.event_messages import describe_event
from registry.models import Event, RegistrationRequest, User
from registry.web.form_stash import (
    clear_stashed_form,
    read_stashed_form,
    stash_and_sign_in,
)
from registry.workflow import VERBS, ActionRefused, ConcurrentChange

REVISION_PATTERN: Final = re.compile(r"[0-9]{1,9}")

ReferenceStepView = Callable[[HttpRequest, str], HttpResponse]
StepFormT = TypeVar("StepFormT", bound=PostedStep)


def get_signed_in_user(request: HttpRequest) -> User:
    """Return the person signed in; for views that only signed-in people reach."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def require_sign_in(*names: str) -> Callable[[ReferenceStepView], ReferenceStepView]:
    """Require sign-in before a view of one request, keeping the posted fields `names`."""

    def decorate(view: ReferenceStepView) -> ReferenceStepView:
        @wraps(view)
        def asked(request: HttpRequest, reference: str) -> HttpResponse:
            if isinstance(request.user, User):
                return view(request, reference)
            if request.method == "POST":
                return stash_and_sign_in(request, names)
            response: HttpResponse = redirect_to_login(request.get_full_path())
            return response

        return asked

    return decorate


def find_public_request(
    request: HttpRequest, reference: str, ask_for_the_role: Callable[[User], None]
) -> tuple[User, RegistrationRequest]:
    """Return the person and the public request; raise 404 if there is none.

    `ask_for_the_role` refuses people without the role. It runs last, so that nobody learns from it
    about requests they may not see.
    """
    person = get_signed_in_user(request)
    registration_request = get_object_or_404(
        RegistrationRequest.objects.public().select_related("organization", "namespace"),
        reference=reference.upper(),
    )
    ask_for_the_role(person)
    return person, registration_request


def pop_stashed_form(request: HttpRequest) -> dict[str, str]:
    """Return what was typed on this page before the person had to sign in, and forget it."""
    typed = read_stashed_form(request, request.path) or {}
    clear_stashed_form(request, request.path)
    return typed


def read_revision_seen(request: HttpRequest) -> int | None:
    """Return the revision shown on the page this was posted from.

    It is bounded, since Python raises `ValueError` for a number of 5,000 digits.
    """
    seen = request.POST.get("seen", "")
    return int(seen) if REVISION_PATTERN.fullmatch(seen) else None


def is_revision_outdated(request: HttpRequest, registration_request: RegistrationRequest) -> bool:
    """Whether somebody acted after the page this was posted from was drawn."""
    return read_revision_seen(request) not in {None, registration_request.revision}


def find_second_click(
    request: HttpRequest, registration_request: RegistrationRequest, verbs: Collection[str]
) -> Event | None:
    """Return the person's last step if this posts the same one again: a double click.

    The request is reread from the database: the first click may only just have finished.
    """
    registration_request.refresh_from_db()
    if read_revision_seen(request) != registration_request.revision - 1:
        return None
    # Only steps count: messages and the like may well come between two clicks.
    last = registration_request.events.filter(verb__in=VERBS).order_by("number").last()
    if last is None or last.actor_id != get_signed_in_user(request).pk:
        return None
    return last if last.verb in verbs else None


def take_step(
    request: HttpRequest,
    registration_request: RegistrationRequest,
    verbs: Collection[str],
    *,
    build_form: Callable[[], StepFormT | HttpResponse],
    render_page: Callable[[StepFormT, int], HttpResponse],
    redirect_after: Callable[[Event], HttpResponse],
    back: str = "",
) -> HttpResponse:
    """Take the posted step, one of `verbs`, or show why it cannot be taken.

    `build_form` returns the form with the posted data, or a response if there is no form to fill
    in; `render_page` draws the form's page with a status. If somebody else was faster, the person
    sees what was done instead: on a page that links to `back`, or without one on the form's page.
    The second of two clicks gets the same response as the first.
    """
    answer_latecomer = partial(
        answer_second_click_or_latecomer, request, registration_request, verbs, redirect_after, back
    )
    if is_revision_outdated(request, registration_request) and (answer := answer_latecomer()):
        return answer
    form = build_form()
    if isinstance(form, HttpResponse):
        return form
    if not form.is_valid():
        return render_page(form, 200)
    try:
        event = form.perform(get_signed_in_user(request))
    except ActionRefused as refusal:
        is_late = isinstance(refusal, ConcurrentChange)
        if is_late and (answer := answer_latecomer()):
            return answer
        form.add_refusal(refusal)
        return render_page(form, 409 if is_late else 200)
    return redirect_after(event)


def answer_second_click_or_latecomer(
    request: HttpRequest,
    registration_request: RegistrationRequest,
    verbs: Collection[str],
    redirect_after: Callable[[Event], HttpResponse],
    back: str,
) -> HttpResponse | None:
    """Answer a second click like the first; else show what was done, if there is a `back`."""
    if event := find_second_click(request, registration_request, verbs):
        return redirect_after(event)
    return show_superseded(request, registration_request, back) if back else None


def show_superseded(
    request: HttpRequest, registration_request: RegistrationRequest, back: str
) -> HttpResponse:
    """Say what somebody else did first, and show what was typed so that it can be copied."""
    context = {
        "message": describe_last_act(registration_request),
        "back": back,
        "yours": next(filter(None, map(request.POST.get, ("comment", "proof", "references"))), ""),
        "what": _("The text"),
    }
    return render(request, "409.html", context, status=409)


def describe_last_act(registration_request: RegistrationRequest) -> str:
    """Describe the last step, its author and its time, for somebody who came too late."""
    last = registration_request.events.filter(verb__in=VERBS).latest("number")
    return _(
        "Your action was not done. The last act: %(who)s %(what)s, %(when)s UTC. Read the "
        "request again, then decide."
    ) % {
        "who": last.actor_name,
        "what": describe_event(last),
        "when": date_format(last.at, "j F Y, H:i"),
    }
