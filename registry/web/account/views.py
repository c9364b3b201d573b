"""A person's own pages: profile, requests they write, and tokens of their programs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from registry import selectors
from registry.actions import co_editors
from registry.actions.organization_proofs import open_proofs
from registry.enums import (
    END_STATES,
    WRITABLE_STATES,
    Role,
    State,
    Theme,
)
from registry.forms.account import ProfileForm, TokenForm
from registry.models import RegistrationRequest, Token, User
from registry.presenters.requests import pair_with_waiting
from registry.selectors import CurrentTurn, raise_registry_version
from registry.template import PAGES
from registry.web.step_view import get_signed_in_user

ROLE_LABELS_BY_VALUE: dict[str, str | Promise] = {str(role.value): role.label for role in Role}


@login_required
@require_http_methods(["GET", "POST"])
def show_account(request: HttpRequest) -> HttpResponse:
    """Show who I am here and what I take part in, and let me change how I am called and told."""
    person = get_signed_in_user(request)
    said = {name: getattr(person, name) for name in ProfileForm.base_fields}
    form = ProfileForm(request.POST or None, initial=said)
    if form.is_valid():
        for name, value in form.cleaned_data.items():
            setattr(person, name, value)
        with transaction.atomic():
            person.save(update_fields=list(form.cleaned_data))
            # The name stands on public pages.
            raise_registry_version()
        messages.success(request, _("Saved."))
        return redirect("account:index")
    context = {
        "form": form,
        "roles": [ROLE_LABELS_BY_VALUE.get(role, role) for role in sorted(person.roles)],
        "invitations": co_editors.invitations_open_to(person),
        "organizations": person.delegated_by.order_by("name"),
        "proofs": open_proofs(person.proofs.select_related("organization")),
        "co_edited": person.co_edited_requests.order_by("-created_at"),
        "themes": Theme.choices,
    }
    return render(request, "my_account/index.html", context)


@dataclass(frozen=True, slots=True)
class OwnRequest:
    """A request of mine: whose turn it is, and what I can do about it."""

    registration_request: RegistrationRequest
    waiting: CurrentTurn
    next_step: str | Promise
    url: str


NEXT_ACTIONS: dict[State, str | Promise] = {
    State.DRAFT: gettext_lazy("Go on writing"),
    State.CHANGES_REQUESTED: gettext_lazy("Answer, and send the next round"),
    State.DECLINED: gettext_lazy("Read why, and change the text"),
    State.ADVISORY: gettext_lazy("Weigh the advice"),
}


@login_required
@require_GET
def list_own_requests(request: HttpRequest) -> HttpResponse:
    """List the requests I write: those that wait for me first, then the others, then the ends."""
    person = get_signed_in_user(request)
    written = selectors.requests_written_by(person).for_lists().order_by("-state_since", "-pk")
    every = [build_own_request(each, waiting) for each, waiting in pair_with_waiting(list(written))]
    groups = [
        (_("Your turn"), select_in_states(every, WRITABLE_STATES)),
        (
            _("With others"),
            select_in_states(every, frozenset(State) - WRITABLE_STATES - END_STATES),
        ),
        (_("At an end"), select_in_states(every, END_STATES)),
    ]
    context = {
        "invitations": co_editors.invitations_open_to(person),
        "groups": [group for group in groups if group[1]],
        "nav_current": "mine",
    }
    return render(request, "my_account/requests.html", context)


def select_in_states(every: Sequence[OwnRequest], states: frozenset[State]) -> list[OwnRequest]:
    """Return those in one of `states`, drafts first."""
    found = [each for each in every if each.registration_request.state in states]
    return sorted(found, key=lambda each: each.registration_request.state != State.DRAFT)


def build_own_request(
    registration_request: RegistrationRequest, waiting: CurrentTurn
) -> OwnRequest:
    """Return the request with what its writer does next: the editor for text, else its page."""
    state = State(registration_request.state)
    if state in {State.DRAFT, State.CHANGES_REQUESTED}:
        url = reverse("requests:edit", args=[registration_request.slug, PAGES[0].slug])
    else:
        url = registration_request.get_absolute_url()
    return OwnRequest(registration_request, waiting, NEXT_ACTIONS.get(state, ""), url)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_tokens(request: HttpRequest) -> HttpResponse:
    """List my tokens, and make one more, which is shown this once."""
    person = get_signed_in_user(request)
    form, made = TokenForm(request.POST or None), ""
    if form.is_valid():
        made = make_token_from_form(person, form)
        form = TokenForm()
    context = {"form": form, "made": made, "tokens": Token.objects.filter(user=person)}
    return render(request, "tokens/index.html", context)


@transaction.atomic
def make_token_from_form(person: User, form: TokenForm) -> str:
    """Make the token that the valid form asks for, and return it as the program will show it.

    What the first of two clicks made nobody has read, so the second puts another in its place.
    """
    said = form.cleaned_data
    Token.objects.filter(user=person, form_key=said["key"]).delete()
    taken = Token.objects.filter(form_key=said["key"]).exists()
    _token, shown = Token.objects.create(
        user=person,
        expiry=form.lifetime,
        name=said["name"],
        form_key=uuid.uuid4() if taken else said["key"],
    )
    return str(shown)


@login_required
@require_POST
def post_token_revocation(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Take a token back; a second click finds nothing left to do."""
    Token.objects.filter(user=get_signed_in_user(request), form_key=key).delete()
    messages.success(request, _("Revoked. Programs that use this token are refused from now on."))
    return redirect("account:tokens")
