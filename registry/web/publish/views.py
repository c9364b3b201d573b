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
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import enums, permissions, selectors, workflow
from registry.actions import reports
from registry.actions.letter_preview import LetterPreview, preview_letters
from registry.enums import State, VerbKind
from registry.forms.contact import ReportAnswerForm
from registry.forms.steps import ChangesForm, StepForm, build_step_form
from registry.http.redirects import is_own_path
from registry.models import Event, RegistrationRequest, Report, User
from registry.presenters import review_queue
from registry.presenters.facts import Amendment
from registry.presenters.publication import EntryPreview
from registry.presenters.reviewers import STAKE_REASONS
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent
from registry.selectors.events import list_latest_amendments
from registry.selectors.imported_records import (
    count_doubtful_records,
    namespaces_without_text,
)
from registry.selectors.publication import list_other_obstacles
from registry.selectors.review_queue import annotate_stake
from registry.selectors.shown_states import find_shown_state
from registry.web.step_view import (
    find_public_request,
    get_signed_in_user,
    pop_stashed_form,
    require_sign_in,
    take_step,
)
from registry.workflow import VERBS, ActionRefused, Transition
from registry.workflow.step import Step

READY_REQUESTS_PER_PAGE: Final = 50
MAX_LATEST_PUBLICATIONS: Final = 10
STASHED_PUBLICATION_FIELDS: Final = (
    "references",
    "contact",
    "iana_reference",
    "last_version",
    "last_version_source",
    "proof",
    "comment",
)
FormsByVerb = dict[str, StepForm]


@login_required
@require_http_methods(["GET", "HEAD"])
def list_ready_requests(request: HttpRequest) -> HttpResponse:
    """List what is waiting for the registrar, and what was published last."""
    person = get_signed_in_user(request)
    require_registrar(person)
    waiting = annotate_stake(person, selectors.publishable_requests()).select_related(
        "organization", "namespace"
    )
    page = Paginator(waiting, READY_REQUESTS_PER_PAGE).get_page(request.GET.get("page"))
    latest = selectors.latest_versions().select_related("registration_request__organization")
    in_review = RegistrationRequest.objects.filter(state=State.IN_REVIEW).order_by("-state_since")
    context = {
        "page": page,
        "rows": review_queue.build_office_rows(page, explain_other_publication),
        "latest": latest[:MAX_LATEST_PUBLICATIONS],
        "amended": list_latest_amendments()[:MAX_LATEST_PUBLICATIONS],
        "open_reports": reports.open_reports().count(),
        "doubtful_readings": count_doubtful_records(),
        "without_text": namespaces_without_text().count(),
        "in_review": review_queue.pair_with_obstacles(
            in_review.select_related("organization", "namespace")[:MAX_LATEST_PUBLICATIONS]
        ),
    }
    return render(request, "publish/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD"])
def list_reports(request: HttpRequest) -> HttpResponse:
    """List readers' reports: open ones, and the last closed."""
    require_registrar(get_signed_in_user(request))
    waiting = reports.open_reports().select_related("author")
    page = Paginator(waiting, READY_REQUESTS_PER_PAGE).get_page(request.GET.get("page"))
    closed = Report.objects.filter(closed_at__isnull=False).order_by("-closed_at")
    context = {"page": page, "closed": closed.select_related("closed_by")[:MAX_LATEST_PUBLICATIONS]}
    return render(request, "publish/reports.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one report, to answer and close it."""
    person = get_signed_in_user(request)
    require_registrar(person)
    report = get_object_or_404(Report.objects.select_related("author", "closed_by"), pk=pk)
    form = ReportAnswerForm(request.POST if request.method == "POST" else None)
    status, letters = 200, None
    if form.is_valid():
        said = {"actor": person, "answer": form.cleaned_data["answer"]}
        try:
            if "preview" in request.POST:
                letters = reports.preview_answer(report, **said)
            else:
                reports.close_report(report, **said)
                messages.success(request, _("The report is closed."))
                return redirect("publish:reports")
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
            status = 409
    path = report.page if is_own_path(report.page) else ""
    context = {"report": report, "form": form, "links_to": path, "letters": letters}
    return render(request, "publish/report.html", context, status=status)


def require_registrar(person: User) -> None:
    """Refuse people who are not registrars, and tell them who may."""
    if not permissions.is_registrar(person):
        raise PermissionDenied(
            _("Only the registrar can register. Your account does not have that role.")
        )


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in(*STASHED_PUBLICATION_FIELDS)
def show_publication(request: HttpRequest, reference: str) -> HttpResponse:
    """Show a request: what publishing it means, the confirmation, and asking for changes."""
    person, registration_request = find_request_as_publisher(request, reference)
    if request.method == "POST":
        return post_publication(request, person, registration_request)
    forms = build_publication_forms(registration_request, person, typed=pop_stashed_form(request))
    return render_publication(request, person, registration_request, forms)


def find_request_as_publisher(
    request: HttpRequest, reference: str
) -> tuple[User, RegistrationRequest]:
    """Return the person publishing and the public request; 404 without one, 403 for others.

    If every registrar has a stake in it, the standards body's spokespeople publish it.
    """
    person, registration_request = find_public_request(request, reference, lambda _person: None)
    if not permissions.may_publish(person, registration_request):
        require_registrar(person)
    return person, registration_request


def explain_no_publication(registration_request: RegistrationRequest, person: User) -> str:
    """Return why the registrar cannot publish a request, or nothing if they can."""
    if registration_request.state == State.REGISTERED:
        return _("It is registered.")
    if registration_request.state != State.APPROVED:
        state = find_shown_state(open_case(registration_request))
        return _("The registrar does not have it now: its state is “%(state)s”.") % {"state": state}
    return explain_other_publication(permissions.name_stake(person, registration_request))


def explain_other_publication(stake: str) -> str:
    """Return why the person does not publish the request, or nothing if they have no stake."""
    if not stake:
        return ""
    return _("%(reason)s Another registrar publishes it.") % {"reason": STAKE_REASONS[stake]}


def build_publication_forms(
    registration_request: RegistrationRequest,
    person: User,
    posted: Any = None,
    typed: Mapping[str, str] | None = None,
) -> FormsByVerb:
    """Return the page's forms by verb, the posted one filled in."""
    verb = posted.get("verb") if posted else ""
    return {
        each.verb: make(
            registration_request,
            each,
            person,
            posted if verb == each.verb else None,
            initial=typed or {},
        )
        for each in workflow.available_transitions(registration_request, person)
        if (make := PUBLICATION_FORM_BUILDERS.get(each.verb))
    }


def build_register_form(
    registration_request: RegistrationRequest,
    transition: Transition,
    person: User,
    posted: Any,
    initial: Mapping[str, Any],
) -> StepForm:
    """Return the form that publishes; an entry is pre-filled with its known documents."""
    if not registration_request.changes_facts:
        initial = {
            "references": EntryPreview.of(open_case(registration_request)).references(),
            **initial,
        }
    return build_step_form(registration_request, transition, person, posted, initial=initial)


def build_changes_form(
    registration_request: RegistrationRequest,
    transition: Transition,
    person: User,
    posted: Any,
    initial: Mapping[str, Any],
) -> StepForm:
    """Return the form that asks for changes, adapted to this page."""
    return ChangesForm(
        posted,
        registration_request=registration_request,
        transition=transition,
        actor=person,
        initial=initial,
        auto_id="changes_%s",
    )


PUBLICATION_FORM_BUILDERS: Final[dict[str, Callable[..., StepForm]]] = {
    "register": build_register_form,
    "request_changes": build_changes_form,
}


def post_publication(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Publish or ask for changes, or show the page again with what prevents it."""
    verb = request.POST.get("verb", "")
    forms: FormsByVerb = {}

    def build_form() -> StepForm | HttpResponse:
        forms.update(build_publication_forms(registration_request, person, request.POST))
        if verb not in forms:
            if words := explain_no_publication(registration_request, person):
                raise PermissionDenied(words)
            raise BadRequest("A form of this page says what is to be done.")
        if "preview" in request.POST and verb == "request_changes" and forms[verb].is_valid():
            return preview_changes(request, person, forms)
        return forms[verb]

    def render_page(form: StepForm, status: int) -> HttpResponse:
        # The refused attempt may have changed the objects: read them again.
        found = find_request_as_publisher(request, registration_request.reference)
        return render_publication(request, *found, forms, status)

    return take_step(
        request,
        registration_request,
        [verb],
        build_form=build_form,
        render_page=render_page,
        redirect_after=partial(redirect_after_publication, request),
        back=reverse("publish:detail", args=[registration_request.slug]),
    )


def preview_changes(
    request: HttpRequest, person: User, forms: FormsByVerb
) -> StepForm | HttpResponse:
    """Preview the letter that asking for changes would write; the form if refused."""
    form = forms["request_changes"]
    reference = form.registration_request.reference
    try:
        letters = preview_letters(lambda: form.perform(person))
    except ActionRefused as refusal:
        form.add_refusal(refusal)
        return form
    # Trying and rolling back has changed the objects: read them again.
    found = find_request_as_publisher(request, reference)
    return render_publication(request, *found, forms, letters=letters)


def redirect_after_publication(request: HttpRequest, event: Event) -> HttpResponse:
    """Say what was done, where the result can be seen."""
    messages.success(request, describe_publication(event))
    if nid := event.data.get("nid"):
        return redirect("namespaces:detail", nid)
    is_registrar = permissions.is_registrar(get_signed_in_user(request))
    return redirect("publish:index" if is_registrar else "direction:index")


def describe_publication(event: Event) -> str:
    """Describe what was done, with the identifier and version assigned."""
    if not enums.is_verb_of_kind(event.verb, VerbKind.PUBLICATION):
        return _("Changes to %(subject)s are asked for.") % {"subject": event.subject}
    if "after" in event.data and not event.data["nid"]:
        return _("Published: the organization has its new name.")
    if "after" in event.data:
        words = _("Published: what the registry says of urn:%(nid)s has changed.")
        return words % {"nid": event.data["nid"]}
    told = {"nid": event.data["nid"], "version": event.data["version"]}
    return _("Registered: urn:%(nid)s, version %(version)d.") % told


def render_publication(
    request: HttpRequest,
    person: User,
    registration_request: RegistrationRequest,
    forms: FormsByVerb,
    status: int = 200,
    *,
    letters: LetterPreview | None = None,
) -> HttpResponse:
    """Draw the page of a request: to be published or changed, or why it cannot be.

    `letters` are those that asking for changes would write, if a preview was requested.
    """
    case = open_case(registration_request)
    context: dict[str, Any] = {
        "registration_request": registration_request,
        "transitions": VERBS,
        "missing_consent": find_missing_consent(case),
        "obstacles": list_other_obstacles(case),
        "letters": letters,
        "request_changes": None,
        **forms,
    }
    if words := explain_no_publication(registration_request, person):
        context["why_not"] = words
        return render(request, "publish/detail.html", context, status=status)
    if registration_request.changes_facts:
        amendment = Amendment.of(case)
        context["asked"] = amendment
        return render(request, "publish/facts.html", context, status=status)
    entry, register = EntryPreview.of(case), forms["register"]
    typed = register.cleaned_data.get("references") if register.is_bound else None
    obstacle = register.transition.obstacle(Step(registration_request, person))
    context |= {
        "entry": entry,
        "lines": entry.lines(typed or entry.references()),
        "obstacle": "" if entry.unknown_version else obstacle,
    }
    return render(request, "publish/detail.html", context, status=status)
