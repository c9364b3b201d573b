"""What is mine."""

from __future__ import annotations

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
from django.views.decorators.http import require_GET, require_http_methods

from registry import queries
from registry.choices import ENDS, WRITABLE, Role, State, Theme
from registry.delegation import co_editors
from registry.delegation.refusals import still_open
from registry.forms.account import ProfileForm
from registry.models import RegistrationRequest
from registry.pages.course import with_waiting
from registry.queries import Waiting, shown_anew
from registry.template import PAGES
from registry.views.acting import signed_in

ROLES: dict[str, str | Promise] = {str(role.value): role.label for role in Role}


@login_required
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """Show who I am here and what I take part in, and let me change how I am called and told."""
    person = signed_in(request)
    said = {name: getattr(person, name) for name in ProfileForm.base_fields}
    form = ProfileForm(request.POST or None, initial=said)
    if form.is_valid():
        for name, value in form.cleaned_data.items():
            setattr(person, name, value)
        with transaction.atomic():
            person.save(update_fields=list(form.cleaned_data))
            # The name stands on public pages.
            shown_anew()
        messages.success(request, _("Saved."))
        return redirect("account:index")
    context = {
        "form": form,
        "roles": [ROLES.get(role, role) for role in sorted(person.roles)],
        "invitations": co_editors.invitations_of(person),
        "organizations": person.delegated_by.order_by("name"),
        "proofs": still_open(person.proofs.select_related("organization")),
        "co_edited": person.co_edited_requests.order_by("-created_at"),
        "themes": Theme.choices,
    }
    return render(request, "mine/index.html", context)


@dataclass(frozen=True, slots=True)
class Mine:
    """A request of mine: whose turn it is, and what I can do about it."""

    registration_request: RegistrationRequest
    waiting: Waiting
    next_step: str | Promise
    url: str


NEXT: dict[State, str | Promise] = {
    State.DRAFT: gettext_lazy("Go on writing"),
    State.CHANGES_REQUESTED: gettext_lazy("Answer, and send the next round"),
    State.DECLINED: gettext_lazy("Read why, and change the text"),
    State.ADVISORY: gettext_lazy("Weigh the advice"),
}


@login_required
@require_GET
def requests(request: HttpRequest) -> HttpResponse:
    """List the requests I write: those that wait for me first, then the others, then the ends."""
    person = signed_in(request)
    written = queries.written_by(person).for_lists().order_by("-state_since", "-pk")
    every = [mine(each, waiting) for each, waiting in with_waiting(list(written))]
    groups = [
        (_("Your turn"), in_states(every, WRITABLE)),
        (_("With others"), in_states(every, frozenset(State) - WRITABLE - ENDS)),
        (_("At an end"), in_states(every, ENDS)),
    ]
    context = {
        "invitations": co_editors.invitations_of(person),
        "groups": [group for group in groups if group[1]],
        "nav_current": "mine",
    }
    return render(request, "mine/requests.html", context)


def in_states(every: Sequence[Mine], states: frozenset[State]) -> list[Mine]:
    """Return those in one of `states`, drafts first."""
    found = [each for each in every if each.registration_request.state in states]
    return sorted(found, key=lambda each: each.registration_request.state != State.DRAFT)


def mine(registration_request: RegistrationRequest, waiting: Waiting) -> Mine:
    """Return the request with what its writer does next: the editor for text, else its page."""
    state = State(registration_request.state)
    if state in {State.DRAFT, State.CHANGES_REQUESTED}:
        url = reverse("requests:edit", args=[registration_request.slug, PAGES[0].slug])
    else:
        url = registration_request.get_absolute_url()
    return Mine(registration_request, waiting, NEXT.get(state, ""), url)
