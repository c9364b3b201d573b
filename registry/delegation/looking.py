"""Looking for the secret of a proof where only the organization can have put it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from registry.choices import ProofMethod
from registry.delegation.domains import domain_of, is_within
from registry.fetching import FetchError, Limits, fetch, texts_at
from registry.models import Proof
from registry.workflow.step import Refused

LABEL: Final = "_urn-registry"
FIELD: Final = "urn-registry-proof"
LIMITS: Final = Limits(octets=4_096, seconds=10, redirects=3)
OK: Final = 200


def name_of_record(proof: Proof) -> str:
    """Return the name that has to carry the record."""
    return f"{LABEL}.{proof.domain}"


def record_of(proof: Proof) -> str:
    """Return what the record has to say."""
    return f"{FIELD}={proof.secret}"


def address_of_file(proof: Proof) -> str:
    """Return where the file has to be."""
    return settings.REGISTRY_PROOF_FILE.format(domain=proof.domain)


def in_names(proof: Proof) -> str:
    """Say that the record is there; raise `Refused` with what is there instead."""
    name = name_of_record(proof)
    try:
        found = texts_at(name)
    except FetchError as error:
        raise Refused(str(error)) from None
    if is_among(record_of(proof), found):
        return _("a TXT record at %(name)s") % {"name": name}
    if not found:
        words = _("There is no TXT record at %(name)s yet. Name servers may take a while.")
        raise Refused(words % {"name": name})
    raise Refused(
        _("The TXT record at %(name)s says something else: %(found)s")
        % {"name": name, "found": shown(found)}
    )


def in_file(proof: Proof) -> str:
    """Say that the file is there; raise `Refused` with what is there instead."""
    address = address_of_file(proof)
    try:
        answer = fetch(address, limits=LIMITS, accept="text/plain")
    except FetchError as error:
        raise Refused(str(error)) from None
    if not is_within(answer.target.host, domain_of(proof.organization)):
        words = _("%(address)s leads away to %(host)s, which is not of this domain.")
        raise Refused(words % {"address": address, "host": answer.target.host})
    if answer.status != OK:
        words = _("%(address)s answers with the status %(status)d instead of a file.")
        raise Refused(words % {"address": address, "status": answer.status})
    lines = answer.body.decode("utf-8", "replace").split()
    if is_among(proof.secret, lines):
        return _("a file at %(address)s") % {"address": address}
    raise Refused(
        _("The file at %(address)s says something else: %(found)s")
        % {"address": address, "found": shown(lines)}
    )


def is_among(secret: str, found: Iterable[str]) -> bool:
    """Whether `secret` is among what was found; the time it takes does not tell how near it was."""
    wanted = secret.encode()
    return any(secrets.compare_digest(wanted, text.strip().encode()) for text in found)


def shown(found: Iterable[str]) -> str:
    """Return the beginning of what was found, in quotes."""
    return f"“{' '.join(found)[:80]}”"


FINDERS: Final[Mapping[ProofMethod, Callable[[Proof], str]]] = {
    ProofMethod.DNS: in_names,
    ProofMethod.FILE: in_file,
}
