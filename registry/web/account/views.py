"""A person's own pages: profile, requests, tokens, follows, webhooks, and signing up."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from allauth.account import views
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import Case, When
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from registry import selectors, workflow
from registry.actions import account_security, co_editors, follows
from registry.actions.domain_proofs import open_proofs
from registry.actions.follows import FollowTarget, read_follow_target
from registry.enums import END_STATES, REGISTRANT_STATES, Role, State, Theme
from registry.errors import RegistryError
from registry.forms.account import (
    DeliveryPreferenceForm,
    ProfileForm,
    SignUpForm,
    TokenForm,
    WebhookForm,
)
from registry.http.csrf import trust_same_origin
from registry.journal.event_messages import describe_event
from registry.models import (
    Follow,
    Organization,
    RegistrationRequest,
    Token,
    User,
    Webhook,
    WebhookDelivery,
)
from registry.models.request import RequestQuerySet
from registry.notifications import webhooks
from registry.notifications.letters import find_signed_person
from registry.presenters.available_steps import map_editing_starts
from registry.presenters.requests import pair_with_waiting
from registry.rate_limits import find_network_prefix
from registry.selectors import CurrentTurn, raise_registry_version
from registry.selectors.turns import list_turns_to_consent
from registry.web.htmx import answer_polling, is_htmx_request
from registry.web.step_view import get_signed_in_user

OWN_REQUESTS_PER_PAGE: Final = 50
ROLE_LABELS_BY_VALUE: dict[str, str | Promise] = {str(role.value): role.label for role in Role}


@login_required
@require_http_methods(["GET", "POST"])
def show_account(request: HttpRequest) -> HttpResponse:
    """Show who I am here and what I take part in; let me change my name and how I am notified."""
    person = get_signed_in_user(request)
    said = {name: getattr(person, name) for name in ProfileForm.base_fields}
    form = ProfileForm(request.POST or None, initial=said, person=person)
    if form.is_valid():
        for name, value in form.cleaned_data.items():
            setattr(person, name, value)
        with transaction.atomic():
            person.save(update_fields=list(form.cleaned_data))
            # Public pages show the name.
            raise_registry_version()
        messages.success(request, _("Saved."))
        return redirect("account:index")
    context = {
        "form": form,
        "roles": [ROLE_LABELS_BY_VALUE.get(role, role) for role in sorted(person.roles)],
        "invitations": co_editors.invitations_open_to(person),
        "organizations": Organization.objects.spoken_for_by(person).order_by("name"),
        "proofs": open_proofs(person.speaking.select_related("organization")),
        "co_edited": person.co_edited_requests.order_by("-created_at"),
        "themes": Theme.choices,
    }
    return render(request, "my_account/index.html", context)


@dataclass(frozen=True, slots=True)
class OwnRequest:
    """One of my requests: whose turn it is, and what I can do about it."""

    registration_request: RegistrationRequest
    waiting: CurrentTurn
    next_step: str | Promise
    url: str
    is_written: bool = True
    """Whether I write it, or only speak for a body whose consent it needs."""


NEXT_ACTIONS: dict[State, str | Promise] = {
    State.DRAFT: gettext_lazy("Go on writing"),
    State.CHANGES_REQUESTED: gettext_lazy("Answer, and send the next round"),
    State.DECLINED: gettext_lazy("Read why, and change the text"),
    State.ADVISORY: gettext_lazy("Weigh the advice"),
}


CONSENT_OR_OBJECT: Final = gettext_lazy("Consent, or object")


@login_required
@require_GET
def list_own_requests(request: HttpRequest) -> HttpResponse:
    """List the requests I write or consent to: what waits for me, the others, then closed ones."""
    person = get_signed_in_user(request)
    written = order_own_requests(selectors.requests_written_by(person))
    keys = Paginator(written.values_list("pk", flat=True), OWN_REQUESTS_PER_PAGE)
    page = keys.get_page(request.GET.get("page"))
    # Details are read only for the requests on the page.
    found = RegistrationRequest.objects.for_lists().in_bulk(list(page))
    asked = [found[key] for key in page if key in found]
    starts = map_editing_starts(asked)
    to_consent = {each.case.request.pk: each for each in list_turns_to_consent(person)}
    every = [
        build_own_request(each, waiting, starts[each.pk])
        for each, waiting in pair_with_waiting(asked)
        if each.pk not in to_consent
    ]
    consents = [
        OwnRequest(asked, turn, CONSENT_OR_OBJECT, asked.get_absolute_url(), is_written=False)
        for turn in to_consent.values()
        for asked in [turn.case.request]
    ]
    groups = [
        (_("Your turn"), [*consents, *select_in_states(every, REGISTRANT_STATES)]),
        (
            _("With others"),
            select_in_states(every, frozenset(State) - REGISTRANT_STATES - END_STATES),
        ),
        (_("At an end"), select_in_states(every, END_STATES)),
    ]
    context = {
        "invitations": co_editors.invitations_open_to(person),
        "groups": [group for group in groups if group[1]],
        "page": page,
        "nav_current": "mine",
    }
    return render(request, "my_account/requests.html", context)


def order_own_requests(written: RequestQuerySet) -> RequestQuerySet:
    """Return requests in the order their author needs: drafts, what waits for them, closed ones."""
    place = Case(
        When(state=State.DRAFT, then=0),
        When(state__in=REGISTRANT_STATES, then=1),
        When(state__in=END_STATES, then=3),
        default=2,
    )
    return written.order_by(place, "-state_since", "-pk")


def select_in_states(every: Sequence[OwnRequest], states: frozenset[State]) -> list[OwnRequest]:
    """Return the requests in one of `states`."""
    return [each for each in every if each.registration_request.state in states]


def build_own_request(
    registration_request: RegistrationRequest, waiting: CurrentTurn, editing_start: str
) -> OwnRequest:
    """Return the request with its author's next page: the editor if text is due, else its page."""
    state = State(registration_request.state)
    is_edited = state in {State.DRAFT, State.CHANGES_REQUESTED}
    url = editing_start if is_edited else registration_request.get_absolute_url()
    return OwnRequest(registration_request, waiting, NEXT_ACTIONS.get(state, ""), url)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_tokens(request: HttpRequest) -> HttpResponse:
    """List my tokens, and create one, which is shown only this once."""
    person = get_signed_in_user(request)
    form, made = TokenForm(request.POST or None), ""
    if form.is_valid() and (made := make_token_from_form(request, person, form)):
        form = TokenForm()
    context = {"form": form, "made": made, "tokens": Token.objects.filter(user=person)}
    return render(request, "tokens/index.html", context)


def make_token_from_form(request: HttpRequest, person: User, form: TokenForm) -> str:
    """Return the token the valid form asks for, or nothing if it is refused."""
    said = form.cleaned_data
    try:
        return account_security.make_token(
            person,
            name=said["name"],
            scopes=said["scopes"],
            lifetime=form.lifetime,
            form_key=said["key"],
            network=find_network_prefix(request.META),
        )
    except account_security.TokenRefused as refusal:
        form.add_error("scopes", str(refusal))
        return ""


@login_required
@require_POST
def post_token_revocation(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Revoke a token; a second click has nothing left to do."""
    network = find_network_prefix(request.META)
    account_security.revoke_token(get_signed_in_user(request), key, network=network)
    messages.success(request, _("Revoked. Programs that use this token are refused from now on."))
    return redirect("account:tokens")


@login_required
@require_http_methods(["GET", "POST"])
def list_follows(request: HttpRequest) -> HttpResponse:
    """List what the person follows, and let them choose how often they get letters about it."""
    person = get_signed_in_user(request)
    form = DeliveryPreferenceForm(request.POST or None, initial={"delivery": person.delivery})
    if form.is_valid():
        person.delivery = form.cleaned_data["delivery"]
        person.save(update_fields=["delivery"])
        messages.success(request, _("Saved. It applies from now on."))
        return redirect("following:index")
    followed = [(watch, read_follow_target(watch)) for watch in follows.follows_of(person)]
    return render(request, "follows/index.html", {"form": form, "followed": followed})


@trust_same_origin
@require_http_methods(["GET", "POST"])
def show_new_follow(request: HttpRequest) -> HttpResponse:
    """Follow something. People who must sign in first come back to the page that asks."""
    thing = find_thing_to_follow(request.POST if request.method == "POST" else request.GET)
    if not isinstance(request.user, User):
        here = f"{reverse('following:new')}?{urlencode(thing.named)}"
        response: HttpResponse = redirect_to_login(here)
        return response
    if request.method == "GET":
        return render(request, "follows/new.html", {"thing": thing})
    try:
        follows.start_following(request.user, thing)
    except workflow.ActionRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("account_email")
    words = _("You now follow %(thing)s. Letters go to %(address)s.")
    messages.success(request, words % {"thing": thing, "address": request.user.email})
    return redirect(thing.url)


def find_thing_to_follow(given: QueryDict) -> FollowTarget:
    """Return what an address or a form names; raise `Http404` if it cannot be followed."""
    thing = follows.find_follow_target(given.get("request", ""), given.get("nid", ""))
    if thing is None:
        raise Http404
    return thing


@login_required
@require_POST
def post_stop_following(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop following something; doing so twice is no error."""
    watch = (
        get_signed_in_user(request)
        .follows.select_related("registration_request")
        .filter(pk=pk)
        .first()
    )
    if watch is None:
        messages.info(request, _("You had already stopped following it."))
        return redirect("following:index")
    thing = read_follow_target(watch)
    watch.delete()
    messages.success(request, _("You no longer follow %(thing)s.") % {"thing": thing})
    return redirect("following:index" if "listed" in request.POST else thing.url)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def leave_one_follow(request: HttpRequest, key: str) -> HttpResponse:
    """Stop following what a letter was about, without signing in (RFC 8058).

    Mail programs post here on one click; people who open the address are asked first. An unknown
    key was used before: nothing is sent for it any more, as intended.
    """
    watches = Follow.objects.select_related("registration_request").filter(key=key)
    return render_leave(request, list(watches))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def leave_all_follows(request: HttpRequest, word: str) -> HttpResponse:
    """Stop all follows of the person a daily letter went to, as `leave_one_follow` stops one."""
    person = find_signed_person(word)
    if person is None:
        raise Http404
    return render_leave(request, list(follows.follows_of(person)))


def render_leave(request: HttpRequest, watches: list[Follow]) -> HttpResponse:
    """Ask whether to end `watches`, or end them."""
    is_done = request.method == "POST" or not watches
    if request.method == "POST":
        Follow.objects.filter(pk__in=[watch.pk for watch in watches]).delete()
    context = {"things": [read_follow_target(watch) for watch in watches], "is_done": is_done}
    return render(request, "follows/leave.html", context)


DELIVERIES_PER_PAGE: Final = 25


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_webhooks(request: HttpRequest) -> HttpResponse:
    """List my webhooks, and add one."""
    person = get_signed_in_user(request)
    asked = {name: request.GET.get(name, "") for name in ("topic", "subject")}
    form = WebhookForm(request.POST or None, initial=asked)
    if form.is_valid():
        try:
            hook = webhooks.add_webhook(person, **form.asked)
        except RegistryError as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, _("Added. Give its secret to the program, and send a test."))
            return redirect(hook)
    context = {"form": form, "hooks": webhooks.webhooks_of(person)}
    return render(request, "webhooks/index.html", context)


@never_cache
@login_required
@require_GET
def show_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one webhook and its deliveries, newest first."""
    hook = find_own_webhook(request, pk)
    trial = webhooks.pending_trials(hook).first()
    if is_htmx_request(request):
        return answer_polling(is_over=trial is None)
    deliveries = hook.deliveries.select_related(
        "event__registration_request", "event__namespace"
    ).prefetch_related("tries")
    page = Paginator(deliveries, DELIVERIES_PER_PAGE).get_page(request.GET.get("page"))
    log = [
        (delivery, describe_event(delivery.event) if delivery.event else "") for delivery in page
    ]
    context = {"hook": hook, "page": page, "log": log, "trial": trial}
    return render(request, "webhooks/detail.html", context)


@login_required
@require_POST
def post_webhook_action(request: HttpRequest, pk: int, act: str) -> HttpResponse:
    """Act on a webhook, and redirect to it, or to the list if it is gone."""
    if act not in WEBHOOK_ACTIONS:
        raise Http404(act)
    person = get_signed_in_user(request)
    hook = webhooks.webhooks_of(person).filter(pk=pk).first()
    if hook is None and act == "remove":
        return redirect("hooks:index")  # The second of two clicks.
    hook = hook or find_own_webhook(request, pk)
    try:
        messages.success(request, WEBHOOK_ACTIONS[act](request, hook))
    except RegistryError as reason:
        messages.error(request, str(reason))
    return redirect("hooks:index") if act == "remove" else redirect(hook)


@login_required
@require_POST
def post_delivery_again(request: HttpRequest, pk: int, delivery: int) -> HttpResponse:
    """Deliver an event once more."""
    hook = find_own_webhook(request, pk)
    told = get_object_or_404(WebhookDelivery.objects.select_related("hook"), hook=hook, pk=delivery)
    try:
        webhooks.retry_delivery(told)
    except RegistryError as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, _("We are sending it again, with the same id."))
    return redirect(hook)


def find_own_webhook(request: HttpRequest, pk: int) -> Webhook:
    """Return a webhook of the person; other people's are not found."""
    return get_object_or_404(webhooks.webhooks_of(get_signed_in_user(request)), pk=pk)


def post_webhook_trial(request: HttpRequest, hook: Webhook) -> str:
    """Send a test delivery."""
    webhooks.send_trial(hook)
    return _("The test is on its way. The log shows the result.")


def post_webhook_rotation(request: HttpRequest, hook: Webhook) -> str:
    """Replace the secret, which somebody may have seen."""
    webhooks.rotate_secret(hook, seen=request.POST.get("seen", ""))
    return _("It has a new secret. The old one also signs for another day.")


def post_webhook_stop(request: HttpRequest, hook: Webhook) -> str:
    webhooks.stop_webhook(hook)
    return _("Stopped. It gets nothing.")


def post_webhook_start(request: HttpRequest, hook: Webhook) -> str:
    webhooks.start_webhook(hook)
    return _("Started. It gets everything from now on.")


def post_webhook_removal(request: HttpRequest, hook: Webhook) -> str:
    webhooks.remove_webhook(hook)
    return _("Removed.")


WEBHOOK_ACTIONS: Final[Mapping[str, Callable[[HttpRequest, Webhook], str]]] = {
    "trial": post_webhook_trial,
    "rotate": post_webhook_rotation,
    "stop": post_webhook_stop,
    "start": post_webhook_start,
    "remove": post_webhook_removal,
}


class SignUpView(views.SignupView):
    """allauth's page, with the account and its confirmation letter in one transaction."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Create the account; a second click is answered as for an address that already has one."""
        try:
            with transaction.atomic():
                if form.account_already_exists:
                    rehearse_sign_up(self.request, form)
                return super().form_valid(form)
        except IntegrityError:
            form.account_already_exists = True
        with transaction.atomic():
            return super().form_valid(form)


def rehearse_sign_up(request: HttpRequest, form: SignUpForm) -> None:
    """Create an account and roll it back, so that timing does not reveal that one exists."""
    address = f"{secrets.token_hex(16)}@nobody.invalid"
    with transaction.atomic():
        stand_in = User(name=form.cleaned_data["name"], email=address)
        stand_in.password = form.hashed_password
        stand_in.save()
        setup_user_email(request, stand_in, [EmailAddress(email=address)])
        transaction.set_rollback(True)
