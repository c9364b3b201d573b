"""The registrar's working screens: what is ready, and publishing one request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, rules, workflow
from registry.choices import State
from registry.forms.act import SOMETHING, StepForm
from registry.forms.publish import AmendForm, BounceForm, PublishForm, ReturnForm
from registry.models import Event, RegistrationRequest, User
from registry.pages import ready, workload
from registry.pages.entry import Entry
from registry.pages.facts import Amendment, latest_amendments
from registry.pages.next_step import STAKES
from registry.queries.holder import missing_holder_word
from registry.views.acting import (
    find_public,
    is_second_click,
    saw_an_older_revision,
    sign_in_first,
    signed_in,
    superseded,
    typed_before,
)
from registry.workflow import VERBS
from registry.workflow.step import Step

PAGE: Final = 50
LATEST: Final = 10
KEPT: Final = ("references", "last_version", "last_version_source", "proof", "comment")
Forms = dict[str, StepForm]


@login_required
@require_http_methods(["GET", "HEAD"])
def index(request: HttpRequest) -> HttpResponse:
    """What waits for the registrar, and what was published last."""
    person = signed_in(request)
    ask_for_the_registrar(person)
    waiting = workload.with_stake_of(person, queries.publishable()).select_related(
        "organization", "namespace"
    )
    page = Paginator(waiting, PAGE).get_page(request.GET.get("page"))
    latest = queries.latest_versions().select_related("registration_request__organization")
    in_review = RegistrationRequest.objects.filter(state=State.IN_REVIEW).order_by("-state_since")
    context = {
        "page": page,
        "rows": ready.rows(page, another_publishes),
        "latest": latest[:LATEST],
        "amended": latest_amendments()[:LATEST],
        "in_review": in_review.select_related("organization")[:LATEST],
    }
    return render(request, "publish/index.html", context)


def ask_for_the_registrar(person: User) -> None:
    """Refuse whoever is not the registrar, and say who may."""
    if not rules.is_registrar(person):
        raise PermissionDenied(
            _("Registering is for the registrar. Your account does not have that role.")
        )


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_first(*KEPT)
def detail(request: HttpRequest, reference: str) -> HttpResponse:
    """One request: what publishing it means, the confirmation, and the way back."""
    person, registration_request = find_public(request, reference, ask_for_the_registrar)
    if request.method == "POST":
        return act(request, person, registration_request)
    forms = forms_for(registration_request, person, typed=typed_before(request))
    return show(request, person, registration_request, forms)


def why_not(registration_request: RegistrationRequest) -> str:
    """Return why the registrar cannot publish a request, nothing where they can."""
    if registration_request.state == State.REGISTERED:
        return _("It is registered.")
    if registration_request.state != State.APPROVED:
        state = registration_request.get_state_display()
        return _("It is not with the registrar: its state is “%(state)s”.") % {"state": state}
    return another_publishes(vars(registration_request)["stake"])


def another_publishes(stake: str) -> str:
    """Return why the person does not publish the request, nothing where they have no stake."""
    if not stake:
        return ""
    return _("%(reason)s Another registrar publishes it.") % {"reason": STAKES[stake]}


def forms_for(
    registration_request: RegistrationRequest,
    person: User,
    posted: Any = None,
    typed: Mapping[str, str] | None = None,
) -> Forms:
    """Return the forms of the page by verb, that of the verb posted filled in."""
    offered = {each.verb for each in workflow.offers(registration_request, person)}
    verb = posted.get("verb") if posted else ""
    forms: Forms = {}
    for name, make in MAKERS.items():
        if name in offered:
            forms[name] = make(
                posted if verb == name else None,
                registration_request=registration_request,
                transition=VERBS[name],
                initial=typed or {},
            )
    return forms


def register_form(
    posted: Any, *, registration_request: RegistrationRequest, initial: Any, **asked: Any
) -> StepForm:
    """Return the form that publishes: an entry, or a change of facts."""
    asked |= {"registration_request": registration_request}
    if registration_request.changes_facts:
        amendment = Amendment.of(registration_request)
        return AmendForm(
            posted,
            asked=amendment.asked,
            needs_proof=bool(amendment.missing),
            initial=initial,
            **asked,
        )
    entry = Entry.of(registration_request)
    return PublishForm(
        posted,
        asked=entry.asked,
        needs_version=entry.needs_version,
        initial={"references": entry.references(), **initial},
        **asked,
    )


MAKERS: Final[dict[str, Callable[..., StepForm]]] = {
    "register": register_form,
    "bounce": partial(BounceForm, auto_id="bounce_%s"),
    "return": partial(ReturnForm, auto_id="return_%s"),
}


def act(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Publish or send back, or show the page again with what stands in the way."""
    if saw_an_older_revision(request, registration_request):
        return too_late(request, registration_request)
    verb = request.POST.get("verb", "")
    forms = forms_for(registration_request, person, request.POST)
    if verb not in forms:
        if words := why_not(registration_request):
            raise PermissionDenied(words)
        raise BadRequest("A form of this page says what is to be done.")
    form = forms[verb]
    if form.is_valid():
        said = {name: value for name, value in form.cleaned_data.items() if name != "confirmation"}
        try:
            event = workflow.perform(registration_request, verb, actor=person, **said)
        except workflow.Superseded:
            return too_late(request, registration_request)
        except workflow.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return recorded(request, event)
    # What was tried and refused may have left its marks on the objects: read them again.
    person, registration_request = find_public(
        request, registration_request.reference, ask_for_the_registrar
    )
    return show(request, person, registration_request, forms)


def too_late(request: HttpRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Say that somebody was faster, unless it was the same person's first click."""
    if is_second_click(request, registration_request, request.POST.get("verb", "")):
        return recorded(request, registration_request.events.latest("number"))
    back = reverse("publish:detail", args=[registration_request.slug])
    return superseded(request, registration_request, back)


def recorded(request: HttpRequest, event: Event) -> HttpResponse:
    """Say what was done, where it can be seen."""
    messages.success(request, outcome(event))
    nid = event.data.get("nid")
    return redirect("namespaces:detail", nid) if nid else redirect("publish:index")


def outcome(event: Event) -> str:
    """Return what was done, with the identifier and the version as they were assigned."""
    if event.verb in {"bounce", "return"}:
        return _("%(subject)s was sent back to the registrant.") % {"subject": event.subject}
    if "after" in event.data:
        words = _("Published: what the registry says of urn:%(nid)s has changed.")
        return words % {"nid": event.data["nid"]}
    told = {"nid": event.data["nid"], "version": event.data["version"]}
    return _("Registered: urn:%(nid)s, version %(version)d.") % told


def can_verify(registration_request: RegistrationRequest, person: User) -> bool:
    """Whether the word of the holder is missing, and it is for `person` to verify it."""
    step = Step(registration_request, person, SOMETHING)
    offered = {each.verb for each in workflow.offers(registration_request, person)}
    return (
        "verify_holder" in offered
        and bool(missing_holder_word(registration_request))
        and not VERBS["verify_holder"].obstacle(step)
    )


def show(
    request: HttpRequest, person: User, registration_request: RegistrationRequest, forms: Forms
) -> HttpResponse:
    """Draw the page of a request: to be published or sent back, or why it cannot be."""
    context = {
        "registration_request": registration_request,
        "transitions": VERBS,
        "missing_word": missing_holder_word(registration_request),
        "can_verify": can_verify(registration_request, person),
        **forms,
    }
    # The name of the verb is a word of Python's, and so is no name in the tests.
    context["returning"] = context.pop("return", None)
    if words := why_not(registration_request):
        return render(request, "publish/detail.html", context | {"why_not": words})
    if registration_request.changes_facts:
        amendment = Amendment.of(registration_request)
        return render(request, "publish/facts.html", context | {"asked": amendment})
    entry, register = Entry.of(registration_request), forms["register"]
    typed = register.cleaned_data.get("references") if register.is_bound else None
    obstacle = VERBS["register"].obstacle(Step(registration_request, person))
    context |= {
        "entry": entry,
        "lines": entry.lines(typed or entry.references()),
        "obstacle": "" if entry.needs_version else obstacle,
    }
    return render(request, "publish/detail.html", context)
