"""Proofs by domain: a code in a DNS record, in a file, or in a letter, that only its owner can use.

Asking for a proof creates a `Speaker` with a secret. It is given when the secret is found in a
letter to an address of the domain, in a DNS record or in a file on the website, and the domain was
not registered anew since it became the body's; where that cannot be found out, once an officer has
confirmed it. Nothing is checked unless the person asks.
"""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from registry import permissions
from registry.actions.speakers import (
    await_countersign,
    begin_speaking,
    create_row,
    find_open_row,
    lock_speaker,
)
from registry.background import PERSONAL_TASK_PRIORITY, enqueue_for_person, find_pending_subjects
from registry.enums import EvidenceKind, SpeakerBasis, SpeakerState
from registry.errors import RegistryError
from registry.models import Organization, Speaker, User
from registry.notifications import outbox
from registry.permissions import CLOCK
from registry.safe_http import FetchError, FetchLimits, fetch, look_up_texts
from registry.safe_http.rdap import find_registration_day
from registry.safe_http.targets import FetchTarget, parse_fetch_target
from registry.selectors import public_mail
from registry.selectors.holder_addresses import list_contact_addresses
from registry.workflow.step import ActionRefused, refuse_daily_limit

SHARED_HOSTS: Final = frozenset(
    {
        "blogspot.com",
        "bitbucket.io",
        "facebook.com",
        "github.com",
        "github.io",
        "gitlab.com",
        "gitlab.io",
        "herokuapp.com",
        "linkedin.com",
        "netlify.app",
        "pages.dev",
        "readthedocs.io",
        "sites.google.com",
        "sourceforge.io",
        "vercel.app",
        "weebly.com",
        "wixsite.com",
        "wordpress.com",
    }
)
"""Hosts at which everybody can have a site, so that one proves nothing."""


def find_website_host(organization: Organization) -> str:
    """Return the host of its website, as name servers know it, if that can prove anything.

    It can once the registrar has recorded it with its source, and since when the domain is the
    body's; not if that is after the first entry of a namespace that it holds. An IP address, a name
    with one label and a shared host belong to nobody in particular.
    """
    recorded = find_recorded_website(organization)
    target = read_website(organization.website) if recorded else None
    if recorded is None or target is None or target.literal or "." not in target.host:
        return ""
    if is_registered_anew(organization, recorded["since"]) or is_shared(target.host):
        return ""
    return target.host


def find_recorded_website(organization: Organization) -> dict[str, Any] | None:
    """Return what is recorded of its website, confirmed by a second officer where one is needed."""
    for entry in organization.evidence:
        is_website = entry["kind"] == EvidenceKind.WEBSITE and entry.get("since")
        if is_website and entry["value"] == organization.website and not entry.get("recorded_by"):
            return dict(entry)
    return None


def is_registered_anew(organization: Organization, since: str) -> bool:
    """Whether the domain is the body's only since after an entry of a namespace that it holds."""
    entered = organization.namespaces.exclude(registered_on="")
    return any(is_after(since, day) for day in entered.values_list("registered_on", flat=True))


def is_after(day: str, known: str) -> bool:
    """Whether a day is after another, which may be partial: a year, or a year and a month."""
    return day[: len(known)] > known


def is_shared(host: str) -> bool:
    """Whether everybody can have a site, or a mail address, at `host` or a parent of it."""
    labels = host.split(".")
    parents = {".".join(labels[start:]) for start in range(len(labels))}
    return bool(parents & SHARED_HOSTS) or public_mail.gives_addresses_to_public(host)


def find_website_domain(organization: Organization) -> str:
    """Return the domain of its website, without a leading `www`."""
    host = find_website_host(organization)
    bare = host.removeprefix("www.")
    return bare if "." in bare else host


def find_proof_domain(organization: Organization, basis: SpeakerBasis) -> str:
    """Return the domain to check; for a file that is the exact host of the website."""
    if basis == SpeakerBasis.FILE:
        return find_website_host(organization)
    return find_website_domain(organization)


def is_within_domain(host: str, domain: str) -> bool:
    """Whether `host` is `domain` or a subdomain of it."""
    return host == domain or host.endswith(f".{domain}")


def find_address_domain(address: str) -> str:
    """Return the domain of a mail address, as name servers know it; nothing for an odd one."""
    try:
        return address.rpartition("@")[2].encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def read_website(website: str) -> FetchTarget | None:
    try:
        return parse_fetch_target(website)
    except FetchError:
        return None


PROOF_RECORD_LABEL: Final = "_urn-registry"
PROOF_FIELD: Final = "urn-registry-proof"
PROOF_FETCH_LIMITS: Final = FetchLimits(octets=4_096, seconds=10, redirects=3)
STATUS_OK: Final = 200
RESERVED_DOMAIN: Final = "example"
"""Nobody can register a name in it (RFC 2606), and the demonstration's organizations have some."""


def build_proof_record_name(proof: Speaker) -> str:
    """Return the name that must have the DNS record."""
    return f"{PROOF_RECORD_LABEL}.{proof.domain}"


def build_proof_record(proof: Speaker) -> str:
    """Return the required content of the DNS record."""
    return f"{PROOF_FIELD}={proof.secret}"


def build_proof_file_url(proof: Speaker) -> str:
    """Return the required address of the file."""
    return settings.REGISTRY_PROOF_FILE.format(domain=proof.domain)


def find_secret_in_dns(proof: Speaker) -> str:
    """Return that the record was found; raise `RegistryError` with what was found instead."""
    name = build_proof_record_name(proof)
    found = look_up_texts(name)
    if contains_secret(build_proof_record(proof), found):
        return _("a TXT record at %(name)s") % {"name": name}
    if not found:
        words = _("There is no TXT record at %(name)s yet. Name servers may take a while.")
        raise ActionRefused(words % {"name": name}, code="no_record")
    raise ActionRefused(
        _("The TXT record at %(name)s says something else: %(found)s")
        % {"name": name, "found": quote_found(found)},
        code="other_record",
    )


def find_secret_in_file(proof: Speaker) -> str:
    """Return that the file was found; raise `RegistryError` with what was found instead."""
    address = build_proof_file_url(proof)
    answer = fetch(address, limits=PROOF_FETCH_LIMITS, accept="text/plain")
    if not is_within_domain(answer.target.host, proof.domain.removeprefix("www.")):
        words = _("%(address)s redirects to %(host)s, which is outside this domain.")
        raise ActionRefused(
            words % {"address": address, "host": answer.target.host}, code="other_site"
        )
    if answer.status != STATUS_OK:
        words = _("%(address)s answers with the status %(status)d instead of a file.")
        raise ActionRefused(words % {"address": address, "status": answer.status}, code="no_file")
    lines = answer.body.decode("utf-8", "replace").split()
    if contains_secret(proof.secret, lines):
        return _("a file at %(address)s") % {"address": address}
    raise ActionRefused(
        _("The file at %(address)s says something else: %(found)s")
        % {"address": address, "found": quote_found(lines)},
        code="other_file",
    )


def contains_secret(secret: str, found: Iterable[str]) -> bool:
    """Whether `secret` is among what was found, in constant time."""
    wanted = secret.encode()
    return any(secrets.compare_digest(wanted, text.strip().encode()) for text in found)


def quote_found(found: Iterable[str]) -> str:
    """Return the beginning of what was found, in quotes."""
    return f"“{' '.join(found)[:80]}”"


def describe_letter(proof: Speaker) -> str:
    """Return that the letter was answered, without which its proof is not checked."""
    return _("the answer to a letter to %(domain)s") % {"domain": proof.domain}


SECRET_FINDERS: Final[Mapping[SpeakerBasis, Callable[[Speaker], str]]] = {
    SpeakerBasis.DNS: find_secret_in_dns,
    SpeakerBasis.FILE: find_secret_in_file,
    SpeakerBasis.MAIL: describe_letter,
}


def describe_doubt(proof: Speaker) -> str:
    """Return why it is not certain that the domain is still the body's; empty if it is.

    Raises `ActionRefused` if it was registered anew since.
    """
    domain = proof.domain.removeprefix("www.")
    if settings.DEMONSTRATION and is_within_domain(domain, RESERVED_DOMAIN):
        return ""
    try:
        registered = find_registration_day(domain).isoformat()
    except FetchError as error:
        words = _("It is not known when %(domain)s was registered: %(reason)s")
        return words % {"domain": domain, "reason": error}
    known = find_day_of_domain(proof)
    if not known:
        words = _("%(domain)s was registered on %(day)s; since when it is theirs is not known.")
        return words % {"domain": domain, "day": registered}
    if is_after(registered, known):
        words = _(
            "%(domain)s was registered on %(day)s, later than %(known)s, by when it should have "
            "been the organization’s. A domain registered anew proves nothing. Choose a letter to "
            "an address at another domain, or write to the registrar, who can record evidence of "
            "another kind."
        )
        raise ActionRefused(
            words % {"domain": domain, "day": registered, "known": known}, code="registered_anew"
        )
    return ""


def find_day_of_domain(proof: Speaker) -> str:
    """Return since when, or by when, the domain is known to be the body's; empty if it is not.

    The website's is recorded. That of a published contact was theirs when the first entry was made.
    """
    organization = proof.organization
    assert organization is not None
    website, domain = find_recorded_website(organization), find_website_domain(organization)
    if website and domain and is_within_domain(proof.domain, domain):
        return str(website["since"])
    return min(organization.namespaces.values_list("registered_on", flat=True), default="")


OFFICE_MAILBOXES: Final = ("hostmaster", "postmaster")
"""Mailboxes of a domain's administrators (RFC 2142, section 5)."""


def list_proof_addresses(organization: Organization) -> list[str]:
    """Return the addresses whose letter proves that somebody speaks for the organization.

    The published contacts of what it holds, and the standard mailboxes of its domain; none at
    public mail providers.
    """
    domain = find_website_domain(organization)
    offices = [f"{box}@{domain}" for box in OFFICE_MAILBOXES] if domain else []
    contacts = list_contact_addresses(organization.namespaces.all())
    return [
        address
        for address in dict.fromkeys([*contacts, *offices])
        if not public_mail.gives_addresses_to_public(find_address_domain(address))
    ]


MAX_PROOF_ATTEMPTS: Final = 20
"""How often one proof can be checked."""
MAX_PROOFS_PER_DAY: Final = 5
"""How many proofs one person may start per day, and how many letters one address gets."""


def request_proof(
    organization: Organization, person: User, basis: SpeakerBasis, *, address: str = ""
) -> Speaker:
    """Return a proof to be given; if one is open already, that one.

    Raises `ActionRefused` if there is nothing to prove, or nothing to prove it by.
    """
    if not permissions.has_confirmed_address(person):
        raise ActionRefused(_("First confirm your own email address."), code="address_unconfirmed")
    if find_open_row(organization, person):
        raise ActionRefused(
            _("You already act for %(organization)s.") % {"organization": organization},
            code="already_delegate",
        )
    address = address.strip().lower() if basis == SpeakerBasis.MAIL else ""
    domain = find_address_domain(address) if address else find_proof_domain(organization, basis)
    if not domain:
        raise ActionRefused(
            _(
                "The registry does not know the website of %(organization)s. Ask the registrar "
                "to record it; then people can prove that they act for it."
            )
            % {"organization": organization},
            code="no_website",
        )
    if basis == SpeakerBasis.MAIL and address not in list_proof_addresses(organization):
        raise ActionRefused(
            _("Choose one of these addresses: %(known)s.")
            % {"known": ", ".join(list_proof_addresses(organization))},
            code="other_address",
        )
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        wanted = {"basis": basis, "address": address, "domain": domain}
        own = open_proofs(person.speaking.filter(organization=organization, **wanted))
        if begun := own.first():
            return begun
        by_domain = Speaker.objects.exclude(domain="")
        refuse_daily_limit(by_domain.filter(person=person), "asked_at", MAX_PROOFS_PER_DAY)
        if address:
            refuse_daily_limit(by_domain.filter(address=address), "asked_at", MAX_PROOFS_PER_DAY)
        proof = create_row(organization, person, basis, address=address, domain=domain)
        if address:
            outbox.write_direct_letter(
                "proof",
                {"proof": proof, "until": find_proof_expiry(proof)},
                why=_(
                    "Somebody with an account in the registry gave this address as your "
                    "organization's."
                ),
                key=f"proof:{proof.pk}",
                address=address,
            )
    return proof


def open_proofs(proofs: QuerySet[Speaker]) -> QuerySet[Speaker]:
    """Return the proofs that are neither given nor expired."""
    since = timezone.now() - datetime.timedelta(settings.REGISTRY_PROOF_DAYS)
    unseen = proofs.filter(state=SpeakerState.ASKED, evidence="", asked_at__gt=since)
    return unseen.exclude(domain="")


def find_proof_expiry(proof: Speaker) -> datetime.datetime:
    """Return until when the proof can be given."""
    return proof.asked_at + datetime.timedelta(settings.REGISTRY_PROOF_DAYS)


def confirm_proof(proof: Speaker, secret: str) -> None:
    """Have the worker accept the secret that came by mail; refuse a wrong one, or one too late."""
    if is_given(proof):
        return
    if proof.basis != SpeakerBasis.MAIL or not secrets.compare_digest(proof.secret, secret):
        raise ActionRefused(
            _("This link is not the one from the letter. Copy it again."), code="wrong_link"
        )
    enqueue_check(proof)


def request_proof_check(proof: Speaker) -> None:
    """Have the worker check for the secret; raise `RegistryError` if that is pointless now.

    The result is in the row: its state, or `looked_at` and `finding`.
    """
    if is_given(proof):
        return
    if proof.basis == SpeakerBasis.MAIL:
        raise ActionRefused(_("Open the link in the letter."), code="mailed")
    enqueue_check(proof)


def enqueue_check(proof: Speaker) -> None:
    """Have the worker check a proof, but not too often."""
    tried = Speaker.objects.filter(pk=proof.pk, attempts__lt=MAX_PROOF_ATTEMPTS)
    if not tried.update(attempts=F("attempts") + 1):
        raise ActionRefused(
            _("We have checked this too often. Ask for a new proof."), code="too_many_attempts"
        )
    enqueue_for_person(proof.person, check_proof_in_background, proof.pk)


def is_proof_check_pending(proof: Speaker) -> bool:
    """Whether the worker has yet to report a result."""
    return proof.pk in find_pending_subjects(check_proof_in_background)


@task(priority=PERSONAL_TASK_PRIORITY)
def check_proof_in_background(proof_id: int, *, person_id: int) -> str:
    """Check for the secret of a proof, and record the result; return it."""
    rows = Speaker.objects.select_related("organization", "person")
    proof = rows.get(pk=proof_id, person=person_id)
    if not proof.person.is_active:
        return "left alone"
    try:
        check_proof(proof)
    except RegistryError as refusal:
        finding = str(refusal)
    else:
        finding = ""
    Speaker.objects.filter(pk=proof.pk).update(looked_at=timezone.now(), finding=finding)
    return finding or "found"


def check_proof(proof: Speaker) -> None:
    """Check for the secret where it must be, and how old the domain is.

    Raises `RegistryError` with what was found instead. This contacts other servers, so it runs
    outside any transaction: they may be slow.
    """
    if not is_given(proof):
        evidence = SECRET_FINDERS[SpeakerBasis(proof.basis)](proof)
        record_proof(proof, evidence, describe_doubt(proof))


def is_given(proof: Speaker) -> bool:
    """Whether the proof is given; refuse one that is too old, ended, or for a former domain."""
    if proof.state == SpeakerState.ENDED:
        raise ActionRefused(_("This proof has been used. Ask for a new one."), code="used")
    if proof.state != SpeakerState.ASKED or proof.evidence:
        return True
    organization = proof.organization
    assert organization is not None
    if timezone.now() > find_proof_expiry(proof):
        raise ActionRefused(_("This request is too old. Ask for a new proof."), code="expired")
    if proof.basis == SpeakerBasis.MAIL:
        is_current = proof.address in list_proof_addresses(organization)
    else:
        is_current = proof.domain == find_proof_domain(organization, SpeakerBasis(proof.basis))
    if not is_current:
        raise ActionRefused(
            _("%(organization)s now has another website. Ask for a new proof.")
            % {"organization": organization},
            code="website_changed",
        )
    return False


def record_proof(proof: Speaker, evidence: str, doubt: str) -> None:
    """Record that the proof was given, once; its waiting period begins.

    Where there is doubt whose the domain is, an officer confirms it first.
    """
    with lock_speaker(proof) as row:
        if row.state != SpeakerState.ASKED or row.evidence:
            return
        if find_open_row(row.subject, row.person):
            raise ActionRefused(
                _("You already act for %(organization)s.") % {"organization": row.subject},
                code="already_delegate",
            )
        row.evidence = " ".join([f"{evidence}.", doubt]) if doubt else evidence
        if doubt:
            await_countersign(row, actor=CLOCK)
        else:
            begin_speaking(row, actor=row.person)
    proof.refresh_from_db()
