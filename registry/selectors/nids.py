"""Which namespaces there are, and findings about NIDs."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_

from django.db.models import (
    BooleanField,
    Count,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Substr
from django.utils.translation import gettext as _

from registry.database import is_fit
from registry.enums import UNSUCCESSFUL_STATES, NamespaceKind, ReservedList, TableState
from registry.lookalikes import MAX_LOOKALIKES, find_lookalikes
from registry.models import (
    Counter,
    ImportedRecord,
    LocatorTable,
    Namespace,
    Provenance,
    Registration,
    RegistrationRequest,
    ReservedName,
    ResolutionService,
    Sighting,
)
from registry.models.namespace import NamespaceQuerySet
from registry.selectors.held_nids import explain_hold, find_hold
from registry.selectors.name_rules import q_has_rule
from registry.selectors.requests import requests_holding_nids
from registry.urn import Finding, Severity, nid as nids


def expected_informal_nid() -> str:
    """Return the identifier that the next informal namespace gets; it is reserved for nobody."""
    return nids.informal_nid(Counter.objects.expected(Counter.INFORMAL))


def registered_nids() -> frozenset[str]:
    """Return every NID that was ever registered: none is ever freed."""
    return share_nids(frozenset(Namespace.objects.values_list("nid", flat=True)))


@lru_cache(maxsize=1)
def share_nids(nids_read: frozenset[str]) -> frozenset[str]:
    """Return the NIDs as they were read first: remembered checks keep them, hundreds of times."""
    return nids_read


class NidLookup(Container[str]):
    """The NIDs that were ever registered, each looked up when needed."""

    def __init__(self) -> None:
        self._answers: dict[object, bool] = {}

    def __contains__(self, nid: object) -> bool:
        if nid not in self._answers:
            known = Namespace.objects.filter(nid=nid)
            self._answers[nid] = is_fit(nid) and known.exists()
        return self._answers[nid]


def find_namespace(nid: str) -> Namespace | None:
    """Return the namespace of a canonical NID with its facts; None if nobody registered it."""
    return Namespace.objects.for_lists().filter(nid=nid).first()


def list_versions(namespace: Namespace) -> list[Registration]:
    """Return the versions of a namespace with their texts, the newest first."""
    return list(namespace.registrations.order_by("-number"))


def namespaces_for_lists() -> NamespaceQuerySet:
    """Return every namespace with what lists and the API show.

    `version` is the one in force, None if none was published here; `is_imported` says whether a
    template was read from a document of record, `is_being_revised` whether a public request would
    change it.
    """
    versions = Registration.objects.filter(namespace=OuterRef("pk")).order_by("-number")
    # Most requests are for a new namespace: the index skips those.
    changes = RegistrationRequest.objects.filter(namespace__isnull=False).live().public()
    revisions = changes.filter(namespace=OuterRef("pk"))
    return Namespace.objects.for_lists().annotate(
        version=Subquery(versions.values("number")[:1]),
        is_imported=Exists(ImportedRecord.objects.filter(namespace=OuterRef("pk"))),
        is_being_revised=Exists(revisions),
    )


def namespaces_for_filters() -> NamespaceQuerySet:
    """Return what lists show with the fields for filtering: `has_text`, `has_rule`, `is_resolved`.

    A text was published here, or read from a document of record. Names of a namespace with a rule
    are checked; a namespace is resolved if a service in use or a locator table knows its names.
    """
    texts = Registration.objects.filter(namespace=OuterRef("pk"))
    records = ImportedRecord.objects.filter(namespace=OuterRef("pk"))
    services = ResolutionService.objects.in_use().filter(namespace=OuterRef("pk"))
    tables = LocatorTable.objects.filter(namespace=OuterRef("pk"), state=TableState.CURRENT)
    return namespaces_for_lists().annotate(
        has_text=ExpressionWrapper(
            Q(Exists(texts)) | Q(Exists(records)), output_field=BooleanField()
        ),
        has_rule=ExpressionWrapper(q_has_rule(), output_field=BooleanField()),
        is_resolved=ExpressionWrapper(
            Q(Exists(services)) | Q(Exists(tables)), output_field=BooleanField()
        ),
    )


def latest_versions() -> QuerySet[Registration]:
    """Return the published versions, the newest first."""
    return Registration.objects.select_related("namespace").order_by("-registered_on", "-pk")


def latest_imported_namespaces() -> NamespaceQuerySet:
    """Return the namespaces without a text whose day or month of registration was checked."""
    versions = Registration.objects.filter(namespace=OuterRef("pk"))
    known = Namespace.objects.filter(~Exists(versions)).exclude(registered_on="")
    remembered = Q(provenance__registered_source__in=Provenance.NOT_READ)
    return known.exclude(remembered).order_by("-registered_on", "nid")


LIKENESS_SOURCE = "RFC 8141, section 5.1"


def list_nid_findings(
    nid: str, registration_request: RegistrationRequest | None = None
) -> tuple[Finding, ...]:
    """Return the findings about `nid` for a new formal namespace.

    Blocking ones come from `registry.urn.nid.check`, the only place with the hard rules, which also
    decides at publication; names it resembles are to be considered (docs/process.md, NIDs).
    """
    hard = nids.check(nid, NidLookup())
    return hard if hard else tuple(list_nid_considerations(nid, registration_request))


def list_nid_considerations(
    nid: str, registration_request: RegistrationRequest | None
) -> Iterable[Finding]:
    """Yield what people should weigh about a NID that breaks no hard rule."""
    canonical = nid.lower()
    if hold := find_hold(canonical):
        yield Finding(
            "nid.held",
            Severity.WARN,
            explain_hold(hold),
            "local rule",
            _("Choose another, wait until then, or appeal to the standards body."),
            "nid",
        )
    for reserved in ReservedName.objects.filter(name=canonical):
        yield make_consideration(
            "nid.reserved",
            _("“%(nid)s” is also on a list: %(list)s%(note)s.")
            % {
                "nid": nid,
                "list": reserved.get_list_display(),
                "note": f", {reserved.note}" if reserved.note else "",
            },
            _("Say under Interoperability why the two will not be confused."),
        )
    yield from list_suggestive_parts(canonical)
    if canonical in GENERAL_WORDS:
        yield make_consideration(
            "nid.general",
            _("“%(nid)s” is a general word that many others could claim.") % {"nid": nid},
            _("Add something that distinguishes your names, or say why you may choose this word."),
        )
    yield from list_earlier_requests(canonical, registration_request)
    others = requests_holding_nids(registration_request).values_list("nid", "reference")
    if reference := dict(others.filter(nid=canonical)).get(canonical):
        yield make_consideration(
            "nid.contended",
            _("Request %(reference)s asks for “%(nid)s” too.")
            % {"reference": reference, "nid": nid},
            _("Both can go on; experts will ask the two of you to agree."),
        )
    if Sighting.objects.filter(nid=canonical).exists():
        yield make_consideration(
            "nid.sighted",
            _("“%(nid)s” was seen in use without registration.") % {"nid": nid},
            _(
                "If the names are yours, the request claims them. If not, say how they are told "
                "apart."
            ),
        )
    origins = map_nid_origins(registration_request)
    for alike in find_lookalikes(canonical, origins)[:MAX_LOOKALIKES]:
        yield make_consideration(
            "nid.near",
            _("Close to “%(nid)s”, %(where)s. %(reason)s.")
            % {
                "nid": alike.nid,
                "where": origins[alike.nid],
                "reason": alike.reason,
            },
            _("Choose a name that is not easily confused, or say why this one will not be."),
        )


def list_earlier_requests(
    nid: str, registration_request: RegistrationRequest | None
) -> Iterable[Finding]:
    """Yield the last request of somebody else for the NID that ended without registration."""
    earlier = RegistrationRequest.objects.public().filter(
        nid=nid, namespace=None, state__in=UNSUCCESSFUL_STATES
    )
    if registration_request:
        earlier = earlier.exclude(author=registration_request.author_id)
    if last := earlier.order_by("-state_since", "-pk").first():
        yield make_consideration(
            "nid.asked-before",
            _("Request %(reference)s by %(organization)s asked for “%(nid)s”: %(state)s.")
            % {
                "reference": last.reference,
                "organization": last.organization,
                "nid": nid,
                "state": last.get_state_display(),
            },
            _("Say what you have to do with it, or choose a name that nobody has asked for."),
        )


GENERAL_WORDS = frozenset(
    "account address agency archive arpa asset bank book catalog catalogue city code collection"
    " company content corporate country data dataset device document education energy entity event"
    " facility file finance global government group health home iana identifier image industry"
    " info information institute internet item label law library localhost location market media"
    " member message model music name names network news null number object open organization"
    " patent person place platform product project public publication record reference registry"
    " report research resource rfc school science security sensor social software standard"
    " standards station system test thing things ticket trade transport travel university user"
    " version video web world".split()
)
"""Words that belong to no community in particular, and names that programs give a meaning."""
COMMON_ENGLISH_CODES = frozenset({"and", "can", "per"})
"""Country codes of three letters that are everyday words."""
MIN_SUGGESTIVE_PART = 3


def list_suggestive_parts(nid: str) -> Iterable[Finding]:
    """Yield each part of a NID that suggests a country or another identifier system (5.1)."""
    parts = {part for part in nid.split("-") if len(part) >= MIN_SUGGESTIVE_PART}
    coded = Q(list__in=(ReservedList.COUNTRY, ReservedList.SYSTEM), name__in=parts - {nid})
    called = reduce(or_, (Q(list=ReservedList.COUNTRY, note__iexact=part) for part in parts), Q())
    called |= Q(list=ReservedList.COUNTRY, note__iexact=nid.replace("-", " "))
    found: dict[str, ReservedName] = {}
    for reserved in ReservedName.objects.filter(coded | called).order_by("list", "name"):
        part = reserved.name if reserved.name in parts else reserved.note.lower()
        if part not in COMMON_ENGLISH_CODES:
            found.setdefault(part, reserved)
    for part, reserved in found.items():
        yield make_consideration(
            "nid.suggests",
            _("“%(part)s” in it suggests %(what)s (%(list)s).")
            % {
                "part": part,
                "what": reserved.note or reserved.name,
                "list": reserved.get_list_display(),
            },
            _("Say what you have to do with it, or choose a name without it."),
        )


def map_nid_origins(registration_request: RegistrationRequest | None) -> dict[str, str]:
    """Return every NID that is requested, registered or seen in use, and where; one query.

    The NID of `registration_request` is left out.
    """
    requested = requests_holding_nids(registration_request).order_by()
    rows = requested.values_list(Value(0), "nid", "reference").union(
        Namespace.objects.order_by().values_list(Value(1), "nid", Value("")),
        Sighting.objects.order_by().values_list(Value(2), "nid", Value("")),
    )
    origins = ("", _("which is registered"), _("which is in use unregistered"))
    # The first origin of a NID counts, and the oldest request.
    return {
        nid: origins[rank] or _("in request %s") % reference
        for rank, nid, reference in sorted(rows, reverse=True)
    }


def make_consideration(check_id: str, message: str, mend: str) -> Finding:
    """Return a finding about the NID for people to weigh."""
    return Finding(check_id, Severity.WARN, message, LIKENESS_SOURCE, mend, "nid")


@dataclass(frozen=True, slots=True)
class SimilarNid:
    """A NID that resembles another: how, what it names, and where to read about it."""

    nid: str
    reason: str
    summary: str
    url: str
    is_registered: bool = False


def find_similar_nids(text: str, most: int = 10) -> list[SimilarNid]:
    """Return the registered, requested and sighted NIDs that resemble `text`, the nearest first."""
    alike = find_lookalikes(text, map_nid_origins(None))[:most]
    nearest = [each.nid for each in alike]
    subjects: dict[str, Namespace | RegistrationRequest | Sighting] = {
        **{each.nid: each for each in Sighting.objects.filter(nid__in=nearest)},
        **{each.nid: each for each in requests_holding_nids(None).filter(nid__in=nearest)},
        **Namespace.objects.in_bulk(nearest, field_name="nid"),
    }
    return [
        SimilarNid(
            each.nid,
            each.reason,
            summarize_nid(subject),
            subject.get_absolute_url(),
            isinstance(subject, Namespace),
        )
        for each in alike
        # A request may have ended since the NIDs were read.
        if (subject := subjects.get(each.nid))
    ]


def summarize_nid(subject: Namespace | RegistrationRequest | Sighting) -> str:
    """Return what a NID names; for one only seen in use, that it was."""
    if not isinstance(subject, Sighting):
        return subject.summary
    if subject.user_of_it:
        return _("in use without registration by %(who)s") % {"who": subject.user_of_it}
    return _("in use without registration")


def map_namespaces_by_nid(wanted: Iterable[str]) -> dict[str, Namespace]:
    """Return those of the canonical NIDs `wanted` that are registered, by NID."""
    return Namespace.objects.in_bulk(list(wanted), field_name="nid")


def find_neighbouring_namespaces(nid: str) -> tuple[list[Namespace], list[Namespace]]:
    """Return the namespaces before and after `nid` among those of its kind, if any."""
    number = nids.informal_number(nid)
    if number:
        informal = (
            namespaces_for_lists().filter(kind=NamespaceKind.INFORMAL).order_by("informal_number")
        )
        before = informal.filter(informal_number__lt=number).reverse()
        after = informal.filter(informal_number__gt=number)
    else:
        formal = namespaces_for_lists().filter(kind=NamespaceKind.FORMAL).order_by("nid")
        before, after = formal.filter(nid__lt=nid).reverse(), formal.filter(nid__gt=nid)
    return list(before[:1]), list(after[:1])


def count_namespaces_by_year() -> dict[str, int]:
    """Return how many namespaces were registered in each year; "" counts those of unknown year."""
    year = Namespace.objects.order_by().annotate(year=Substr("registered_on", 1, 4))
    return dict(year.values_list("year").annotate(Count("pk")))
