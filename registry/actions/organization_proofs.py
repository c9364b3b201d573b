"""How people prove that they act for an organization: by its domain, its website or its mail."""

from __future__ import annotations

import datetime
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from registry import assurance, permissions
from registry.actions.delegate_changes import begin_claim, holds_namespace
from registry.background import PERSONAL_TASK_PRIORITY, enqueue_for_person, find_pending_subjects
from registry.enums import LIVE_STATES, ProofMethod, SpeakerBasis, SpeakerEnd
from registry.errors import RegistryError
from registry.journal.row_digests import (
    NEW_ROW,
    build_row_key,
    digest_row,
    digest_stored_rows,
)
from registry.models import Organization, Proof, RegistrationRequest, Speaker, User
from registry.notifications import outbox
from registry.safe_http import FetchError, FetchLimits, fetch, look_up_texts
from registry.safe_http.targets import FetchTarget, parse_fetch_target
from registry.selectors import holder_consent, public_mail
from registry.selectors.holder_addresses import list_contact_addresses
from registry.workflow import holder_words
from registry.workflow.drafts import list_consents
from registry.workflow.events import record_event, write_events_last
from registry.workflow.holder_signs import answer_search, find_search, note_sign_of_holder
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange, refuse_daily_limit


def find_website_host(organization: Organization) -> str:
    """Return the host of its website, as name servers know it, or nothing if it is unsuitable.

    An IP address, or a name with one label, belongs to nobody in particular.
    """
    target = read_website(organization.website)
    return target.host if target and not target.literal and "." in target.host else ""


def find_website_domain(organization: Organization) -> str:
    """Return the domain of its website, without a leading `www`."""
    host = find_website_host(organization)
    bare = host.removeprefix("www.")
    return bare if "." in bare else host


def find_proof_domain(organization: Organization, method: ProofMethod) -> str:
    """Return the domain to check; for a file that is the exact host of the website."""
    return (
        find_website_host(organization)
        if method == ProofMethod.FILE
        else find_website_domain(organization)
    )


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


def build_proof_record_name(proof: Proof) -> str:
    """Return the name that must have the DNS record."""
    return f"{PROOF_RECORD_LABEL}.{proof.domain}"


def build_proof_record(proof: Proof) -> str:
    """Return the required content of the DNS record."""
    return f"{PROOF_FIELD}={proof.secret}"


def build_proof_file_url(proof: Proof) -> str:
    """Return the required address of the file."""
    return settings.REGISTRY_PROOF_FILE.format(domain=proof.domain)


def find_secret_in_dns(proof: Proof) -> str:
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


def find_secret_in_file(proof: Proof) -> str:
    """Return that the file was found; raise `RegistryError` with what was found instead."""
    address = build_proof_file_url(proof)
    answer = fetch(address, limits=PROOF_FETCH_LIMITS, accept="text/plain")
    if not is_within_domain(answer.target.host, find_website_domain(proof.organization)):
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


SECRET_FINDERS: Final[Mapping[ProofMethod, Callable[[Proof], str]]] = {
    ProofMethod.DNS: find_secret_in_dns,
    ProofMethod.FILE: find_secret_in_file,
}


def set_website(
    organization: Organization, website: str, *, actor: User, seen: str, source: str = ""
) -> None:
    """Enter the website of an organization, replacing `seen`; doing it twice counts once.

    For a holder of a namespace a source is required, since the people who run the website can come
    to act for it.
    """
    with transaction.atomic():
        body = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
        if not permissions.may_set_website(reload_person(actor)):
            raise ActionRefused(
                _("Only the registrar can enter the website of an organization."),
                code="not_registrar",
            )
        if body.website == website and source.strip() in ("", body.website_source):
            return
        if body.website != seen:
            raise ConcurrentChange(
                _("Somebody entered %(website)s meanwhile.") % {"website": body.website or "—"},
                code="superseded",
            )
        if not source.strip() and holds_namespace(body):
            raise ActionRefused(_("Say where the website is known from."), code="no_source")
        rows: dict[str, str | None] = {build_row_key(body): digest_row(body)}
        before, body.website = body.website, website
        body.website_source = source.strip()
        body.save(update_fields=["website", "website_source"])
        data = {
            "organization": str(body),
            "organization_id": body.pk,
            "before": before,
            "website": website,
            "source": body.website_source,
        }
        record_event(body, actor=actor, verb="say_website", data=data, rows=rows)


MAX_PROOFS_PER_DAY: Final = 5
"""How many proofs one person may start per day, and how many letters one address gets."""


def refuse_needless_proof(
    organization: Organization, person: User, registration_request: RegistrationRequest | None
) -> None:
    """Refuse if the person may not ask, or already acts for the organization."""
    if not permissions.has_confirmed_address(person):
        raise ActionRefused(_("First confirm your own email address."), code="address_unconfirmed")
    if registration_request:
        refuse_unneeded_consent(organization, registration_request)
    elif permissions.is_delegate_of(person, organization) and not is_renewal_due(
        organization, person
    ):
        raise ActionRefused(
            _("You already act for %(organization)s.") % {"organization": organization},
            code="already_delegate",
        )


def refuse_missing_domain(wanted: Mapping[str, Any]) -> None:
    """Refuse if the organization's domain is unknown, or the address is at another."""
    domain = wanted["domain"]
    if not domain:
        raise ActionRefused(
            _(
                "The registry does not know the website of %(organization)s. Ask the registrar "
                "to enter it; then people can prove that they act for it."
            )
            % {"organization": wanted["organization"]},
            code="no_website",
        )
    if wanted["method"] == ProofMethod.MAIL:
        refuse_unfit_address(wanted["organization"], wanted["address"], domain)


OFFICE_MAILBOXES: Final = ("hostmaster", "postmaster")
"""Mailboxes of a domain's administrators (RFC 2142, section 5)."""


def list_proof_addresses(organization: Organization) -> list[str]:
    """Return the addresses that can prove who acts for a holder of a namespace.

    Its published contacts, and the standard mailboxes of its domain; none at public mail providers.
    """
    domain = find_website_domain(organization)
    offices = [f"{box}@{domain}" for box in OFFICE_MAILBOXES] if domain else []
    contacts = list_contact_addresses(organization.namespaces.all())
    return [
        each
        for each in dict.fromkeys([*contacts, *offices])
        if not public_mail.gives_addresses_to_public(find_address_domain(each))
    ]


def refuse_unfit_address(organization: Organization, address: str, domain: str) -> None:
    """Refuse a letter to an address that would prove nothing."""
    if public_mail.gives_addresses_to_public(find_address_domain(address)):
        raise ActionRefused(
            _("Anybody can get an address at %(domain)s, so it proves nothing.")
            % {"domain": find_address_domain(address)},
            code="public_mail",
        )
    if holds_namespace(organization):
        known = list_proof_addresses(organization)
        if address not in known:
            raise ActionRefused(
                _("Choose one of these addresses: %(known)s.") % {"known": ", ".join(known)},
                code="other_address",
            )
    elif find_address_domain(address) != domain:
        raise ActionRefused(
            _("Give an address that ends in @%(domain)s.") % {"domain": domain}, code="other_domain"
        )


def refuse_unneeded_consent(
    organization: Organization, registration_request: RegistrationRequest
) -> None:
    """Refuse if the request has ended or does not need this organization's consent."""
    bodies = [each.organization for each in list_consents(registration_request)]
    if organization not in bodies or registration_request.state not in LIVE_STATES:
        raise ActionRefused(
            _("%(reference)s does not need the support of %(organization)s.")
            % {"reference": registration_request.reference, "organization": organization},
            code="consent_not_needed",
        )


def refuse_too_many_proofs(person: User, address: str) -> None:
    """Refuse if somebody asks too often, or an address would get too many letters."""
    own = Proof.objects.filter(person=person).exclude(method=ProofMethod.WORD)
    refuse_daily_limit(own, "asked_at", MAX_PROOFS_PER_DAY)
    if address:
        letters = Proof.objects.filter(address=address)
        refuse_daily_limit(letters, "asked_at", MAX_PROOFS_PER_DAY)


def refuse_used_proof(proof: Proof) -> None:
    """Refuse a proof whose person was removed since: it cannot be used again."""
    organization = proof.organization
    if proof.effective_at is None:
        return
    if not proof.registration_request and not permissions.is_delegate_of(
        proof.person, organization
    ):
        raise ActionRefused(_("This proof has been used. Ask for a new one."), code="used")


def refuse_expired_proof(proof: Proof) -> None:
    """Refuse a proof that is too old, for a former domain, or for something that has ended."""
    organization = proof.organization
    if timezone.now() > find_proof_expiry(proof):
        raise ActionRefused(_("This request is too old. Ask for a new proof."), code="expired")
    if not is_proof_domain_current(proof):
        raise ActionRefused(
            _("%(organization)s now has another website. Ask for a new proof.")
            % {"organization": organization},
            code="website_changed",
        )
    if proof.registration_request:
        refuse_unneeded_consent(organization, proof.registration_request)


def is_proof_domain_current(proof: Proof) -> bool:
    """Whether the domain or address of the proof is still the organization's."""
    organization = proof.organization
    if proof.address and holds_namespace(organization):
        return proof.address in list_proof_addresses(organization)
    return proof.domain == find_proof_domain(organization, ProofMethod(proof.method))


def open_proofs(proofs: QuerySet[Proof]) -> QuerySet[Proof]:
    """Return the proofs that are neither given nor expired."""
    since = timezone.now() - datetime.timedelta(settings.REGISTRY_PROOF_DAYS)
    return proofs.filter(proved_at=None, asked_at__gt=since)


def find_proof_expiry(proof: Proof) -> datetime.datetime:
    """Return until when the proof can be given."""
    return proof.asked_at + datetime.timedelta(settings.REGISTRY_PROOF_DAYS)


# Starting a proof creates a secret, for one person and one organization. The proof is given when
# the secret is found in a letter to an address of the domain, in a DNS record or in a file on the
# website. Nothing is checked unless the person asks.

MAX_PROOF_ATTEMPTS: Final = 20
"""How often one proof can be checked."""


def request_proof(
    organization: Organization,
    person: User,
    method: ProofMethod,
    *,
    address: str = "",
    registration_request: RegistrationRequest | None = None,
) -> Proof:
    """Return a proof to be given by `method`; if one is open already, that one.

    With a request it will count for that request only. Raises `ActionRefused` if there is nothing
    to prove.
    """
    refuse_needless_proof(organization, person, registration_request)
    wanted: dict[str, Any] = {
        "organization": organization,
        "person": person,
        "method": method,
        "address": address.strip().lower() if method == ProofMethod.MAIL else "",
        "domain": find_proof_domain(organization, method),
        "registration_request": registration_request,
    }
    if wanted["address"] and holds_namespace(organization):
        wanted["domain"] = find_address_domain(wanted["address"])
    refuse_missing_domain(wanted)
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if begun := open_proofs(Proof.objects.filter(**wanted)).first():
            return begun
        refuse_too_many_proofs(person, wanted["address"])
        return begin_proof(wanted)


def begin_proof(wanted: dict[str, Any]) -> Proof:
    """Create the proof, and write the letter if the method needs one."""
    proof = Proof.objects.create(**wanted, asked_at=timezone.now())
    if proof.method == ProofMethod.MAIL:
        context = {"proof": proof, "until": find_proof_expiry(proof)}
        why = _(
            "Somebody with an account in the registry gave this address as your organization's."
        )
        outbox.write_direct_letter(
            "proof", context, why=why, key=f"proof:{proof.pk}", address=proof.address
        )
    return proof


def confirm_proof(proof: Proof, secret: str) -> None:
    """Accept the secret that came by mail; raise `ActionRefused` if it is wrong or too late."""
    if proof.proved_at:
        refuse_used_proof(proof)
        return
    refuse_expired_proof(proof)
    if proof.method != ProofMethod.MAIL or not secrets.compare_digest(proof.secret, secret):
        raise ActionRefused(
            _("This link is not the one from the letter. Copy it again."), code="wrong_link"
        )
    record_proof(proof, _("the answer to a letter to %(domain)s") % {"domain": proof.domain})


def request_proof_check(proof: Proof) -> None:
    """Have the worker check for the secret; raise `RegistryError` if that is pointless now.

    The result is in the row: `proved_at`, or `looked_at` and `finding`.
    """
    if proof.proved_at:
        refuse_used_proof(proof)
        return
    refuse_expired_proof(proof)
    tried = Proof.objects.filter(pk=proof.pk, attempts__lt=MAX_PROOF_ATTEMPTS)
    if not tried.update(attempts=F("attempts") + 1):
        raise ActionRefused(
            _("We have checked this too often. Ask for a new proof."), code="too_many_attempts"
        )
    if proof.method == ProofMethod.MAIL:
        raise ActionRefused(_("Open the link in the letter."), code="mailed")
    enqueue_for_person(proof.person, check_proof_in_background, proof.pk)


def is_proof_check_pending(proof: Proof) -> bool:
    """Whether the worker has yet to report a result."""
    return proof.pk in find_pending_subjects(check_proof_in_background)


@task(priority=PERSONAL_TASK_PRIORITY)
def check_proof_in_background(proof_id: int, *, person_id: int) -> str:
    """Check for the secret of a proof, and record the result; return it."""
    asked = Proof.objects.select_related("organization", "person", "registration_request")
    proof = asked.get(pk=proof_id, person=person_id)
    if not proof.person.is_active:
        return "left alone"
    try:
        check_proof(proof)
    except RegistryError as refusal:
        finding = str(refusal)
    else:
        finding = ""
    Proof.objects.filter(pk=proof.pk).update(looked_at=timezone.now(), finding=finding)
    return finding or "found"


def check_proof(proof: Proof) -> None:
    """Check for the secret where it must be; raise `RegistryError` with what was found instead.

    This contacts other servers, so it runs outside any transaction: they may be slow.
    """
    if proof.proved_at:
        refuse_used_proof(proof)
        return
    refuse_expired_proof(proof)
    record_proof(proof, SECRET_FINDERS[ProofMethod(proof.method)](proof))


def give_consent(
    organization: Organization,
    registration_request: RegistrationRequest,
    *,
    actor: User,
    seen: int | None = None,
) -> Proof:
    """Let a speaker of the organization support the last round; doing it twice counts once.

    `seen` is the number of the round they read, by default the last. Raises `ConcurrentChange` if
    another was sent since: nobody supports a text they did not see.
    """
    if (
        not holder_consent.representatives_of(organization, registration_request)
        .filter(pk=actor.pk)
        .exists()
    ):
        raise ActionRefused(
            _("You do not act for %(organization)s.") % {"organization": organization},
            code="not_representative",
        )
    refuse_unneeded_consent(organization, registration_request)
    if registration_request.change in permissions.SECOND_OFFICER_CHANGES:
        assurance.require_confirmation(actor)
    with transaction.atomic():
        # A second click finds what the first did, and no round can be sent meanwhile.
        RegistrationRequest.objects.select_for_update(no_key=True).get(pk=registration_request.pk)
        last = registration_request.last_round
        if last is None:
            raise ActionRefused(_("There is no round to support yet."), code="no_round")
        if seen is not None and seen != last.number:
            raise ConcurrentChange(
                _("Round %(round)d was sent meanwhile. Read it before you support it.")
                % {"round": last.number},
                code="superseded",
            )
        given = Proof.objects.filter(
            organization=organization,
            person=actor,
            registration_request=registration_request,
            method=ProofMethod.WORD,
            proved_at__gte=last.submitted_at,
        )
        if found := given.first():
            return found
        proof = Proof.objects.create(
            organization=organization,
            person=actor,
            registration_request=registration_request,
            method=ProofMethod.WORD,
            asked_at=timezone.now(),
        )
        record_proof(proof, _("the word of a representative"))
        if registration_request.namespace:
            note_sign_of_holder(registration_request.namespace, actor=actor)
        holder_words.begin_confirmation(registration_request, actor)
    return proof


def record_proof(proof: Proof, found: str) -> None:
    """Record that the proof was given, and let the person act for the organization; once."""
    organization, registration_request = proof.organization, proof.registration_request
    with transaction.atomic():
        waiting = Proof.objects.filter(pk=proof.pk, proved_at=None)
        if not waiting.update(proved_at=timezone.now(), evidence=found):
            return
        proof.refresh_from_db()
        told = list(User.objects.speaking_for(organization).values_list("pk", flat=True))
        waits = needs_waiting(proof)
        rows: dict[str, str | None] = {}
        if not waits:
            rows = make_proof_effective(proof)
        rows[build_row_key(proof)] = NEW_ROW
        data: dict[str, Any] = {
            "organization": str(organization),
            "organization_id": organization.pk,
            "method": proof.method,
            "domain": proof.domain,
            "found": found,
        }
        if registration_request is None:
            data["people"] = told
        else:
            data |= find_proved_round(proof, registration_request)
        with write_events_last():
            subject = registration_request or organization
            record_event(subject, actor=proof.person, verb="prove", data=data, rows=rows)
            if waits:
                begin_claim(proof)
            if proof.method != ProofMethod.WORD:
                note_sign_of_body(proof)


def note_sign_of_body(proof: Proof) -> None:
    """End searches for the holder of what the body holds: its domain has answered."""
    by = _("It was proved by the domain %(domain)s.") % {"domain": proof.domain}
    for namespace in proof.organization.namespaces.all():
        if search := find_search(namespace):
            answer_search(search, actor=permissions.CLOCK, by=by)


def needs_waiting(proof: Proof) -> bool:
    """Whether the proof is delayed: it lets somebody new act for a holder of a namespace."""
    organization = proof.organization
    return (
        proof.method != ProofMethod.WORD
        and holds_namespace(organization)
        and not permissions.is_delegate_of(proof.person, organization)
    )


def make_proof_effective(proof: Proof) -> dict[str, str | None]:
    """Make the proof effective from now on, replacing its person's older ones.

    Returns the other rows that this changes, as `journal.append` takes them.
    """
    proof.effective_at = timezone.now()
    proof.save(update_fields=["effective_at"])
    if proof.registration_request_id is not None:
        return {}
    older = standing_delegate_proofs(proof.organization, proof.person).exclude(pk=proof.pk)
    rows = digest_stored_rows(older)
    older.update(lapsed_at=proof.effective_at)
    if not permissions.speaks_for(proof.person, proof.organization):
        speaker = Speaker.objects.put_in_effect(
            proof.person, SpeakerBasis(proof.method), organization=proof.organization
        )
        rows[build_row_key(speaker)] = NEW_ROW
    return rows


# Proofs expire. People are asked for a new one in time.


def standing_delegate_proofs(organization: Organization, person: User) -> QuerySet[Proof]:
    """Return the proofs by which `person` currently acts for the organization."""
    return Proof.objects.filter(
        organization=organization,
        person=person,
        registration_request=None,
        effective_at__isnull=False,
        lapsed_at=None,
    )


def find_renewal_days() -> datetime.timedelta:
    """Return how long before a proof expires a new one is requested."""
    return datetime.timedelta(settings.REGISTRY_PROOF_RENEWAL_DAYS)


def find_proof_lapse(proof: Proof) -> datetime.datetime | None:
    """Return when an effective proof expires; people asked late get more time."""
    if proof.effective_at is None or proof.method == ProofMethod.WORD:
        return None
    at = proof.effective_at + datetime.timedelta(settings.REGISTRY_PROOF_LIFETIME_DAYS)
    return max(at, proof.reminded_at + find_renewal_days()) if proof.reminded_at else at


def is_renewal_due(organization: Organization, person: User) -> bool:
    """Whether `person` must renew the proof by which they act for the organization."""
    held = standing_delegate_proofs(organization, person).order_by("effective_at").last()
    lapses = find_proof_lapse(held) if held else None
    return lapses is not None and timezone.now() >= lapses - find_renewal_days()


def tick_proofs(now: datetime.datetime) -> Counter[str]:
    """Request new proofs for those about to expire, and drop expired ones."""
    done: Counter[str] = Counter()
    lifetime = datetime.timedelta(settings.REGISTRY_PROOF_LIFETIME_DAYS)
    held = Proof.objects.filter(
        effective_at__lte=now - lifetime + find_renewal_days(), lapsed_at=None
    ).exclude(method=ProofMethod.WORD)
    for pk in held.values_list("pk", flat=True).order_by("pk"):
        with transaction.atomic():
            proof = Proof.objects.select_for_update(no_key=True).get(pk=pk)
            done += tick_proof(proof, now)
    return done


def tick_proof(proof: Proof, now: datetime.datetime) -> Counter[str]:
    """Request one proof again, or let it expire; its row is locked."""
    lapses, is_for_one_request = find_proof_lapse(proof), bool(proof.registration_request_id)
    if proof.lapsed_at or lapses is None:
        return Counter()
    acts = permissions.is_delegate_of(proof.person, proof.organization)
    if acts and not is_for_one_request and proof.reminded_at is None:
        proof.reminded_at = now
        proof.save(update_fields=["reminded_at"])
        outbox.write_direct_letter(
            "proof_renewal",
            {"proof": proof, "day": find_proof_lapse(proof)},
            why=_("You have proved to act for this organization."),
            key=f"proof-renewal:{proof.pk}",
            address=proof.person.email,
            person=proof.person,
        )
        return Counter(remind_proof=1)
    if now < lapses:
        return Counter()
    speakers = list(proof.organization.speakers.in_effect().filter(person=proof.person))
    rows = digest_stored_rows([proof, *speakers])
    proof.lapsed_at = now
    proof.save(update_fields=["lapsed_at"])
    organization, leaves = proof.organization, acts and not is_for_one_request
    told = list(User.objects.speaking_for(organization).values_list("pk", flat=True))
    if leaves:
        for speaker in speakers:
            speaker.finish(SpeakerEnd.UNANSWERED)
    data = {
        "organization": str(organization),
        "organization_id": organization.pk,
        "delegate": str(proof.person),
        "people": told,
    }
    # Nobody is told of the end of a proof that nobody acted by any more.
    record_event(
        organization,
        actor=permissions.CLOCK,
        verb="lapse_proof",
        data=data,
        rows=rows,
        is_silent=not leaves,
    )
    return Counter(lapse_proof=1)


def find_proved_round(proof: Proof, registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return the round that a proof for a request covers: the last, unless it came later.

    A proof requested before that round was sent only proves who the person is.
    """
    last = registration_request.last_round
    if last is None or last.submitted_at is None or last.submitted_at > proof.asked_at:
        return {}
    return {"round": last.number, "sha256": last.sha256}
