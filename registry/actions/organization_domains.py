"""Which website and domain are an organization's own, and the secret of a proof found there."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import ProofMethod
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import Organization, Proof, User
from registry.safe_http import (
    FetchError,
    FetchLimits,
    fetch,
    look_up_texts,
)
from registry.safe_http.targets import FetchTarget, parse_fetch_target
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused, ConcurrentChange


def find_website_host(organization: Organization) -> str:
    """Return the host of its website, as name servers know it; nothing where it has no proper one.

    A number in place of a name, or a name of one label, is nobody's own.
    """
    target = read_website(organization.website)
    return target.host if target and not target.literal and "." in target.host else ""


def find_website_domain(organization: Organization) -> str:
    """Return the domain of its website, without the usual `www`."""
    host = find_website_host(organization)
    bare = host.removeprefix("www.")
    return bare if "." in bare else host


def find_proof_domain(organization: Organization, method: ProofMethod) -> str:
    """Return the domain that is asked: of a file the very host of the website."""
    return (
        find_website_host(organization)
        if method == ProofMethod.FILE
        else find_website_domain(organization)
    )


def is_within_domain(host: str, domain: str) -> bool:
    """Whether `host` is that of `domain`, or of a part of it."""
    return host == domain or host.endswith(f".{domain}")


def find_address_domain(address: str) -> str:
    """Return the domain of a mail address, as name servers know it; nothing for an odd one."""
    try:
        return address.rpartition("@")[2].encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def read_website(website: str) -> FetchTarget | None:
    """Return what the address of a website leads to."""
    try:
        return parse_fetch_target(website)
    except FetchError:
        return None


PROOF_RECORD_LABEL: Final = "_urn-registry"
PROOF_FIELD: Final = "urn-registry-proof"
PROOF_FETCH_LIMITS: Final = FetchLimits(octets=4_096, seconds=10, redirects=3)
STATUS_OK: Final = 200


def build_proof_record_name(proof: Proof) -> str:
    """Return the name that has to carry the record."""
    return f"{PROOF_RECORD_LABEL}.{proof.domain}"


def build_proof_record(proof: Proof) -> str:
    """Return what the record has to say."""
    return f"{PROOF_FIELD}={proof.secret}"


def build_proof_file_url(proof: Proof) -> str:
    """Return where the file has to be."""
    return settings.REGISTRY_PROOF_FILE.format(domain=proof.domain)


def find_secret_in_dns(proof: Proof) -> str:
    """Say that the record is there; raise `ActionRefused` with what is there instead."""
    name = build_proof_record_name(proof)
    try:
        found = look_up_texts(name)
    except FetchError as error:
        raise ActionRefused(str(error)) from None
    if contains_secret(build_proof_record(proof), found):
        return _("a TXT record at %(name)s") % {"name": name}
    if not found:
        words = _("There is no TXT record at %(name)s yet. Name servers may take a while.")
        raise ActionRefused(words % {"name": name})
    raise ActionRefused(
        _("The TXT record at %(name)s says something else: %(found)s")
        % {"name": name, "found": quote_found(found)}
    )


def find_secret_in_file(proof: Proof) -> str:
    """Say that the file is there; raise `ActionRefused` with what is there instead."""
    address = build_proof_file_url(proof)
    try:
        answer = fetch(address, limits=PROOF_FETCH_LIMITS, accept="text/plain")
    except FetchError as error:
        raise ActionRefused(str(error)) from None
    if not is_within_domain(answer.target.host, find_website_domain(proof.organization)):
        words = _("%(address)s leads away to %(host)s, which is not of this domain.")
        raise ActionRefused(words % {"address": address, "host": answer.target.host})
    if answer.status != STATUS_OK:
        words = _("%(address)s answers with the status %(status)d instead of a file.")
        raise ActionRefused(words % {"address": address, "status": answer.status})
    lines = answer.body.decode("utf-8", "replace").split()
    if contains_secret(proof.secret, lines):
        return _("a file at %(address)s") % {"address": address}
    raise ActionRefused(
        _("The file at %(address)s says something else: %(found)s")
        % {"address": address, "found": quote_found(lines)}
    )


def contains_secret(secret: str, found: Iterable[str]) -> bool:
    """Whether `secret` is among what was found; the time it takes does not tell how near it was."""
    wanted = secret.encode()
    return any(secrets.compare_digest(wanted, text.strip().encode()) for text in found)


def quote_found(found: Iterable[str]) -> str:
    """Return the beginning of what was found, in quotes."""
    return f"“{' '.join(found)[:80]}”"


SECRET_FINDERS: Final[Mapping[ProofMethod, Callable[[Proof], str]]] = {
    ProofMethod.DNS: find_secret_in_dns,
    ProofMethod.FILE: find_secret_in_file,
}


def set_website(organization: Organization, website: str, *, actor: User, seen: str) -> None:
    """Enter the website of an organization, in place of `seen`; done twice, once."""
    if not permissions.may_set_website(actor):
        raise ActionRefused(_("The website of an organization is entered by the registrar."))
    with transaction.atomic():
        body = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
        if body.website == website:
            return
        if body.website != seen:
            raise ConcurrentChange(
                _("Somebody entered %(website)s meanwhile.") % {"website": body.website or "—"}
            )
        rows: dict[str, str | None] = {build_row_key(body): digest_row(body)}
        before, body.website = body.website, website
        body.save(update_fields=["website"])
        data = {
            "organization": str(body),
            "organization_id": body.pk,
            "before": before,
            "website": website,
        }
        record_event(body, actor=actor, verb="say_website", data=data, rows=rows)
