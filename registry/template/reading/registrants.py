"""Who registers a namespace, and whom to write to, as people write it under Registrant."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from registry.template.reading.label_names import normalize_label


class ParsedRegistrant(NamedTuple):
    """The organization, the person or role to write to, and mail addresses; each may be empty."""

    organization: str = ""
    contact: str = ""
    emails: tuple[str, ...] = ()


def _collect_keys(written: str) -> frozenset[str]:
    return frozenset(normalize_label(each) for each in written.split(", "))


_ORGANIZATION_KEYS: Final = _collect_keys(
    "registering organization, registering organisation, registrant organization, organization,"
    " organisation, company, institution, registrant, registering authority,"
    " standards organization"
)
_CONTACT_KEYS: Final = _collect_keys(
    "designated contact, designated contacts, designated contact person, contact, contact person,"
    " contact name, contact information, attention, attn, role, coordinator"
)
_OTHER_KEYS: Final = _collect_keys(
    "address, postal address, postal, email, e mail, mail, phone, telephone, tel, fax, url, uri,"
    " web, web url, website, homepage, street, city, country, title, coordinates, mobile,"
    " designated contact email"
)
_KEYED: Final = re.compile(r"[-*+o•]? *(?P<key>[A-Za-z][\w /-]{1,40}?) *: *(?P<value>.*)")
_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}\b")
_NO_NAME: Final = re.compile(
    r"(?:https?:|www\.|\+?[0-9(][0-9() .-]{5,}|p\.? ?o\.? ?box|post office box|c/o\b|\S+@\S+$)"
    r"|[0-9]{1,5}[ ,]",
    re.I,
)
_ADDRESS_BEHIND: Final = re.compile(r", (?=[^,]*[0-9])|[,;] *(?=\S+@)|[,;] *$| <\S+@.*| \(.*@.*\)")
_COLLECTIVE: Final = re.compile(
    r"\b(?:inc|ltd|llc|gmbh|corp|co|ag|association|consortium|organi[sz]ation|forum|group|guild"
    r"|institute|university|society|agency|alliance|council|committee|commission|centre|center"
    r"|library|systems|networks?|union|office|bank|foundation|ministry|department|project|team"
    r"|laboratories|company|authority|standards|task force|federation|confederation|assembly"
    r"|co-?operative|archives?|museum|trust|initiative|partnership|bureau|academy|college|league"
    r"|registry|chamber|exchange)\b",
    re.I,
)
_JOB_TITLE: Final = re.compile(
    r"[\w /-]{0,40}\b(?:advis[eo]r|director|manager|officer|president|secretary|engineer|editor"
    r"|chair(?:man|woman|person)?|librarian|professor|architect|analyst|consultant|curator"
    r"|specialist|scientist)(?: general)?(?:, *|$)",
    re.I,
)
_PERSON: Final = re.compile(r"(?:(?:Dr|Mr|Ms|Mrs|Prof)\.? )?[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3}")
_MAX_LENGTH: Final = 200
_ORGANIZATION: Final = "organization"
_CONTACT: Final = "contact"
_AFFILIATION: Final = "affiliation"
_PLAIN: Final = "plain"


def parse_registrant(value: str) -> ParsedRegistrant:
    """The parsed Registrant; if it begins with a person, the organization is below."""
    named: dict[str, str] = {}
    plain: list[str] = []
    part = ""
    for line in value.split("\n"):
        kind, written = _read_line(line, part, named)
        if kind in (_ORGANIZATION, _CONTACT):
            part = kind
        if kind == _PLAIN and written:
            plain.append(written)
        elif kind and written:
            named.setdefault(kind, written)
    contact = named.get(_CONTACT, "")
    organization = named.get(_ORGANIZATION, "")
    if not organization and not any(map(_COLLECTIVE.search, plain)):
        organization = named.get(_AFFILIATION, "")
    if not organization and _COLLECTIVE.search(contact) and not plain:
        organization, contact = contact, ""
    if not organization and plain:
        organization = _choose_collective(plain, contact)
        is_person = organization != plain[0] and _PERSON.fullmatch(plain[0])
        contact = contact or (plain[0] if is_person else "")
    emails = tuple(dict.fromkeys(_EMAIL.findall(value)))
    return ParsedRegistrant(organization[:_MAX_LENGTH], contact[:_MAX_LENGTH], emails)


def _read_line(line: str, part: str, named: dict[str, str]) -> tuple[str, str]:
    """What a line names, and the name, where `part` is what the lines above are about."""
    bare = line.strip(" -*+•\t")
    keyed = _KEYED.fullmatch(line.strip())
    key = normalize_label(keyed["key"] if keyed else bare)
    written = _cut_address(keyed["value"] if keyed else "")
    if key in _ORGANIZATION_KEYS:
        return _ORGANIZATION, written
    if key in _CONTACT_KEYS:
        return _CONTACT, written
    if keyed and key == "affiliation":
        return _AFFILIATION, written
    if keyed and key == "name":
        return (_ORGANIZATION if part == _ORGANIZATION else _CONTACT), written
    if (keyed and key in _OTHER_KEYS) or not bare or _NO_NAME.match(bare):
        return "", ""
    if not part:
        return _PLAIN, _cut_address(bare)
    return ("", "") if part in named else (part, _cut_address(bare))


def _choose_collective(plain: list[str], contact: str) -> str:
    """The first line, unless that is a person and an organization is named soon below."""
    first = plain[0]
    if _COLLECTIVE.search(first) or not _PERSON.fullmatch(first):
        return first
    return next((each for each in plain[1:3] if _COLLECTIVE.search(each)), "" if contact else first)


def _cut_address(written: str) -> str:
    """A name without a job title before it, or a postal or mail address after it."""
    title = _JOB_TITLE.match(written.strip())
    if title and not _COLLECTIVE.search(title[0]):
        written = written.strip()[title.end() :]
    return _ADDRESS_BEHIND.split(written.strip(), maxsplit=1)[0].strip(" ,;-<")
