"""The mail addresses on record for the holders of namespaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email

from registry import permissions
from registry.models import Event, Namespace, Organization, User
from registry.selectors.imported_records import find_confirmed_addresses

MAX_ADDRESS_LENGTH: Final = 254
MAIL_ADDRESS_PATTERN: Final = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


def find_addresses_in(text: str) -> Iterator[str]:
    """Yield the mail addresses in a text, such as a contact."""
    for found in MAIL_ADDRESS_PATTERN.findall(text):
        address = found.rstrip(".")
        with suppress(ValidationError):
            validate_email(address)
            MaxLengthValidator(MAX_ADDRESS_LENGTH)(address)
            yield address


def list_contact_addresses(namespaces: Iterable[Namespace]) -> list[str]:
    """Return the published contacts of namespaces, each address once, in lower case."""
    found = (address for each in namespaces for address in find_addresses_in(each.contact))
    return list(dict.fromkeys(address.lower() for address in found))


def list_holder_addresses(namespace: Namespace) -> list[str]:
    """Return every address on record for the holder of `namespace`, in lower case.

    Its published contact, earlier contacts, the Registrant of its texts, the addresses of its
    record that the registrar confirmed, and the accounts of the people who speak for it.
    """
    texts = [namespace.contact]
    texts += namespace.registrations.order_by("-number").values_list("registrant", flat=True)
    for data in Event.objects.filter(namespace=namespace, data__has_key="before").values_list(
        "data", flat=True
    ):
        before = data["before"]
        if isinstance(before, dict):
            texts.append(str(before.get("contact") or ""))
    speaking = User.objects.filter(
        permissions.q_person_speaks_for_namespace(namespace), is_active=True
    )
    found = [address for text in texts for address in find_addresses_in(text)]
    found += find_confirmed_addresses(namespace)
    found += speaking.order_by("pk").values_list("email", flat=True)
    return list(dict.fromkeys(address.lower() for address in found))


def list_body_addresses(organization: Organization) -> list[str]:
    """Return every address on record for a body: for all that it holds, and its delegates'."""
    held = organization.namespaces.select_related("registrant").order_by("nid")
    found = [address for each in held for address in list_holder_addresses(each)]
    acting = User.objects.speaking_for(organization).filter(is_active=True).order_by("pk")
    found += [address.lower() for address in acting.values_list("email", flat=True)]
    return list(dict.fromkeys(found))
