"""Reads that pages, API and commands share."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import (
    DateTimeField,
    Exists,
    ExpressionWrapper,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import likeness
from registry.choices import WRITABLE, Path, Role, State
from registry.models import (
    Assignment,
    Namespace,
    Registration,
    RegistrationRequest,
    ReservedName,
    User,
)
from registry.models.namespace import NamespaceQuerySet
from registry.models.request import RequestQuerySet
from registry.template import Context, Template, check
from registry.urn import Finding, Severity, nid as nids

CONSIDER = "RFC 8141, section 5.1"
NOT_READ = ("rfc-month-memory", "none", "")


def visible_to(person: User | AnonymousUser) -> RequestQuerySet:
    """Return the requests `person` may know of: the public ones, and those they write."""
    public = RegistrationRequest.objects.public()
    if not isinstance(person, User):
        return public
    return RegistrationRequest.objects.filter(Q(pk__in=public) | Q(pk__in=written_by(person)))


def written_by(person: User) -> RequestQuerySet:
    """Return the requests that `person` started, or writes as delegate or co-editor."""
    return RegistrationRequest.objects.filter(
        Q(pk__in=RegistrationRequest.objects.filter(author=person))
        | Q(pk__in=RegistrationRequest.objects.filter(organization__delegates=person))
        | Q(pk__in=RegistrationRequest.objects.filter(co_editors=person))
    )


def editable_by(person: User) -> RequestQuerySet:
    """Return the requests whose text `person` may edit now."""
    return written_by(person).filter(state__in=WRITABLE)


def reviewable_by(person: User) -> RequestQuerySet:
    """Return the public requests that `person`, being an expert, may open for review."""
    if not person.has_role(Role.EXPERT, Role.LEAD):
        return RegistrationRequest.objects.none()
    return RegistrationRequest.objects.public()


def assigned_to(person: User) -> RequestQuerySet:
    """Return the requests on which `person` is an expert and has not stepped back."""
    mine = Assignment.objects.active().filter(registration_request=OuterRef("pk"), expert=person)
    return RegistrationRequest.objects.filter(Exists(mine))


def unassigned() -> RequestQuerySet:
    """Return the requests open to experts that nobody has taken."""
    taken = Assignment.objects.active().filter(registration_request=OuterRef("pk"))
    return RegistrationRequest.objects.filter(
        ~Exists(taken), state__in=[State.IN_REVIEW, State.ADVISORY]
    )


def publishable() -> RequestQuerySet:
    """Return the requests that wait for the registrar, the longest waiting first."""
    return RegistrationRequest.objects.filter(state=State.APPROVED).order_by("state_since")


def registered_nids() -> frozenset[str]:
    """Return every NID that was ever registered: none is ever freed."""
    return frozenset(Namespace.objects.values_list("nid", flat=True))


def held_by_others(registration_request: RegistrationRequest | None) -> RequestQuerySet:
    """Return the live, public requests that hold a NID, but for `registration_request`."""
    held = RegistrationRequest.objects.live().public().exclude(nid="").filter(namespace=None)
    return held.exclude(pk=registration_request.pk) if registration_request else held


def nid_findings(
    nid: str, registration_request: RegistrationRequest | None = None
) -> tuple[Finding, ...]:
    """Return what there is to say of `nid` for a new formal namespace.

    Blocks come from `registry.urn.nid.check`, the one home of the hard rules, which also
    decides at publishing; to consider are names it resembles (process guide, NIDs).
    """
    hard = nids.check(nid, registered_nids())
    return hard if hard else tuple(nid_considerations(nid, registration_request))


def nid_considerations(
    nid: str, registration_request: RegistrationRequest | None
) -> Iterable[Finding]:
    """Yield what people should weigh about a NID that breaks no hard rule."""
    canonical = nid.lower()
    for reserved in ReservedName.objects.filter(name=canonical):
        yield consider(
            "nid.reserved",
            _("“%(nid)s” is also on a list: %(list)s%(note)s.")
            % {
                "nid": nid,
                "list": reserved.get_list_display(),
                "note": f", {reserved.note}" if reserved.note else "",
            },
            _("Say under Interoperability why the two will not be mistaken for each other."),
        )
    others = held_by_others(registration_request).values_list("nid", "reference")
    held = dict(others)
    if canonical in held:
        yield consider(
            "nid.contended",
            _("Request %(reference)s asks for “%(nid)s” too.")
            % {"reference": held[canonical], "nid": nid},
            _("Both can go on; experts will ask the two of you to agree."),
        )
    for alike in likeness.near(canonical, registered_nids() | held.keys()):
        yield consider(
            "nid.near",
            _("Close to “%(nid)s”, %(where)s. %(reason)s.")
            % {
                "nid": alike.nid,
                "where": _("in request %s") % held[alike.nid]
                if alike.nid in held
                else _("which is registered"),
                "reason": alike.reason,
            },
            _("Choose a name that is not easily mistaken, or say why it will not be."),
        )


def consider(check_id: str, message: str, mend: str) -> Finding:
    """Return a finding about the NID that people weigh."""
    return Finding(check_id, Severity.WARN, message, CONSIDER, mend, "nid")


def findings(
    registration_request: RegistrationRequest, template: Template, *, publishing: bool = False
) -> tuple[Finding, ...]:
    """Return everything the machine has to say about `template` as a text of the request."""
    found = check(template, context(registration_request, publishing=publishing))
    asks_for_a_name = (
        registration_request.namespace_id is None and registration_request.path != Path.INFORMAL
    )
    if asks_for_a_name and not any(finding.section == "nid" for finding in found):
        found = (*nid_considerations(template["nid"], registration_request), *found)
    return found


def context(registration_request: RegistrationRequest, *, publishing: bool = False) -> Context:
    """Return what the checks of a template need to know of its request."""
    namespace = registration_request.namespace
    return Context(
        change=registration_request.change,
        path=registration_request.path,
        version=namespace.next_version if namespace else 1,
        taken=registered_nids() if namespace is None else frozenset(),
        today=timezone.now().date(),
        publishing=publishing,
    )


# The public pages and the API.


def listed() -> NamespaceQuerySet:
    """Return every namespace with what lists and the API show.

    `version` is the one in force, none where the text is not held here; `is_being_revised`
    says whether a public request would change it.
    """
    versions = Registration.objects.filter(namespace=OuterRef("pk")).order_by("-number")
    revisions = RegistrationRequest.objects.live().public().filter(namespace=OuterRef("pk"))
    return Namespace.objects.for_lists().annotate(
        version=Subquery(versions.values("number")[:1]), is_being_revised=Exists(revisions)
    )


def open_for_comment() -> RequestQuerySet:
    """Return the requests whose last round is open for comment today, the first to close first.

    `comments_close_at` is when that is.
    """
    invited = datetime.timedelta(settings.REGISTRY_COMMENT_DAYS)
    closing = ExpressionWrapper(Max("rounds__submitted_at") + invited, output_field=DateTimeField())
    return (
        RegistrationRequest.objects.for_lists()
        .annotate(comments_close_at=closing)
        .filter(
            state__in=[State.IN_REVIEW, State.ADVISORY],
            comments_close_at__date__gte=timezone.localdate(),
        )
        .order_by("comments_close_at", "pk")
    )


def latest_versions() -> QuerySet[Registration]:
    """Return the published versions, the newest first."""
    return Registration.objects.select_related("namespace").order_by("-registered_on", "-pk")


def latest_imported() -> NamespaceQuerySet:
    """Return the namespaces without a text whose day or month of registration was checked."""
    known = Namespace.objects.filter(registrations=None).exclude(registered_on="")
    remembered = Q(provenance__registered_source__in=NOT_READ)
    return known.exclude(remembered).order_by("-registered_on", "nid")


def open_requests_on(namespace: Namespace) -> RequestQuerySet:
    """Return the public requests that would change `namespace`."""
    return namespace.requests.live().public().order_by("created_at")


def asking_for(nid: str) -> RequestQuerySet:
    """Return the live, public requests for a new namespace of that NID."""
    return held_by_others(None).filter(nid=nid).select_related("organization")


def nids_near(text: str) -> list[likeness.Likeness]:
    """Return the registered and the requested NIDs that resemble `text`, the nearest first."""
    held = held_by_others(None).values_list("nid", flat=True)
    return likeness.near(text, registered_nids().union(held))
