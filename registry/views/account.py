"""What is mine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from registry import queries
from registry.choices import ENDS, WRITABLE, Role, State, Turn
from registry.forms.account import ProfileForm
from registry.models import RegistrationRequest
from registry.pages.course import with_turns
from registry.template import PAGES
from registry.views.acting import signed_in

ROLES: dict[str, str | Promise] = {str(role.value): role.label for role in Role}


@login_required
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """Show who I am here, and let me change my name."""
    person = signed_in(request)
    form = ProfileForm(request.POST or None, initial={"name": person.name})
    if form.is_valid():
        person.name = form.cleaned_data["name"]
        person.save(update_fields=["name"])
        messages.success(request, _("Your name is saved."))
        return redirect("account:index")
    roles = [ROLES.get(role, role) for role in sorted(person.roles)]
    return render(request, "mine/index.html", {"form": form, "roles": roles})


@dataclass(frozen=True, slots=True)
class Mine:
    """A request of mine: whose turn it is, and what I can do about it."""

    registration_request: RegistrationRequest
    turn: Turn
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
    written = queries.written_by(signed_in(request)).for_lists().order_by("-state_since", "-pk")
    every = [mine(each, turn) for each, turn in with_turns(list(written))]
    groups = [
        (_("Your turn"), in_states(every, WRITABLE)),
        (_("With others"), in_states(every, frozenset(State) - WRITABLE - ENDS)),
        (_("At an end"), in_states(every, ENDS)),
    ]
    context = {"groups": [group for group in groups if group[1]], "nav_current": "mine"}
    return render(request, "mine/requests.html", context)


def in_states(every: Sequence[Mine], states: frozenset[State]) -> list[Mine]:
    """Return those in one of `states`, drafts first."""
    found = [each for each in every if each.registration_request.state in states]
    return sorted(found, key=lambda each: each.registration_request.state != State.DRAFT)


def mine(registration_request: RegistrationRequest, turn: Turn) -> Mine:
    """Return the request with what its writer does next: the editor for text, else its page."""
    state = State(registration_request.state)
    if state in {State.DRAFT, State.CHANGES_REQUESTED}:
        url = reverse("requests:edit", args=[registration_request.slug, PAGES[0].slug])
    else:
        url = registration_request.get_absolute_url()
    return Mine(registration_request, turn, NEXT.get(state, ""), url)
