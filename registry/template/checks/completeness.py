"""Whether every question is answered, the document can be found, and the registrant be reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import (
    count_words,
    is_mere_pointer,
    join_words,
)
from registry.template.fields import (
    DOCUMENTATION_FIELD,
    FIELDS,
    ORDER,
    REVISION_INFORMATION_FIELD,
    Field,
    field,
)
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_NO_ANSWER: Final = re.compile(r"n\.?[ /]?a\.?|(?:not|none) applicable\.?|[-–—.?…]+", re.I)
_BARE_NONE: Final = re.compile(r"(?:none|no|nothing|nil)\.?", re.I)
_NONE_WITH_REASON: Final = re.compile(r"none\s*(?:[.,;:(–—-]|because\b|since\b|as\b|$)", re.I)
_ADDRESS: Final = "://"


def sections_are_filled_in(template: Template, context: Context) -> Iterator[Finding]:
    """Each required section says something, and each question has an answer (Appendix A; 6.2)."""
    for each in map(field, ORDER):
        text = template[each.name].strip()
        if context.requires(each) and not text:
            yield _report_empty(each, context)
        elif context.requires(each) and each.rows > 1 and is_mere_pointer(text, context.host):
            yield build_finding(
                each.name,
                "section.pointer",
                Severity.BLOCK,
                f"{each.label} only points elsewhere, which is no answer: {quote_excerpt(text)}.",
                "Say what holds for your namespace, or point to a document of your own.",
            )


def not_applicable_is_no_answer(template: Template, context: Context) -> Iterator[Finding]:
    """A required section is not dismissed with "n/a" or a dash."""
    for each in FIELDS:
        text = template[each.name].strip()
        if context.requires(each) and _says_only(_NO_ANSWER, text):
            yield build_finding(
                each.name,
                "answer.not-applicable",
                context.unfinished,
                f"{each.label} says only “{text}”, and an answer is required.",
                "Answer in a sentence. If there is nothing to tell, say what you considered.",
            )


def documentation_points_somewhere(template: Template, context: Context) -> Iterator[Finding]:
    """Having no document needs a reason (ours); on the fast track it is not allowed (6.3)."""
    text = template.documentation.strip()
    if context.is_fast_track and _NONE_WITH_REASON.match(text) and _ADDRESS not in text:
        yield build_finding(
            "documentation",
            "documentation.specification",
            Severity.BLOCK,
            "Documentation names no specification, and the fast track requires one.",
            "Point to the specification, or ask for the community path instead.",
            "RFC 8141, section 6.3",
        )
    elif _says_only(_BARE_NONE, text):
        yield build_finding(
            "documentation",
            "documentation.reason",
            Severity.WARN,
            f"Documentation says only “{text}”.",
            "Point to a stable document, or write none and the reason.",
            "RFC 8141, section 6.2",
        )


def _says_only(pattern: re.Pattern[str], text: str) -> bool:
    return len(text) <= 20 and pattern.fullmatch(text) is not None


def _report_empty(each: Field, context: Context) -> Finding:
    if each is REVISION_INFORMATION_FIELD:
        return build_finding(
            each.name,
            "revision.empty",
            Severity.BLOCK,
            "Revision Information is empty, and a revision has to say what changed.",
            "Describe what is different from the version before, and why.",
        )
    if each is DOCUMENTATION_FIELD and context.is_fast_track:
        return build_finding(
            each.name,
            "documentation.specification",
            Severity.BLOCK,
            "Documentation is empty, and the fast track requires a specification.",
            "Point to the specification, or ask for the community path instead.",
            "RFC 8141, section 6.3",
        )
    if each.choices:
        return build_finding(
            each.name,
            "question.unanswered",
            Severity.BLOCK,
            f"The question “{each.label}” has no answer.",
            each.guidance[0],
        )
    return build_finding(
        each.name,
        "section.empty",
        Severity.BLOCK,
        f"{each.label} is empty.",
        each.guidance[0],
    )


_NONE: Final = re.compile(r"\s*(?:none|no|nothing|nil|n/?a)\b", re.I)
_MOVING: Final = re.compile(
    r"\bwiki\b|/wiki/|docs\.google\.|drive\.google\.|dropbox\.com|onedrive|sharepoint|notion\.so"
    r"|github\.com/\S{1,200}/(?:blob|tree)/(?:main|master|trunk|develop)\b"
    r"|(?:github|gitlab)\.com/[\w.-]{1,80}/[\w.-]{1,80}/?(?=[\s>).,]|$)"
    r"|raw\.githubusercontent\.com/\S{1,200}/(?:main|master)/|/latest\b|\bwork in progress\b"
    r"|\blatest version\b|\bintranet\b|//localhost|\bdraft-[a-z0-9-]{3,80}-latest\b",
    re.I,
)
_FOUND: Final = re.compile(
    r"https?://|\burn:|\bdoi\b|10\.[0-9]{4,9}/|\bRFC ?[0-9]{3,5}|\bISBN\b|\bISSN\b|\bISO\b|\bIEC\b"
    r"|\bITU-?T?\b|\bdraft-[a-z0-9]|\b(?:part|no\.?|number|edition|version|standard) ?[0-9]"
    r"|\b(?:1[89]|20)[0-9]{2}\b",
    re.I,
)


def documentation_stays_as_it_is(template: Template, context: Context) -> Iterator[Finding]:
    """A page that is rewritten from time to time documents nothing for long (6.2)."""
    match = _MOVING.search(template.documentation)
    if match:
        yield build_finding(
            "documentation",
            "documentation.moving",
            Severity.WARN,
            f"Documentation points to something that changes or moves: “{match[0][:40]}”.",
            "Point to a dated edition, a release or a tag of it.",
            "RFC 8141, section 6.2",
        )


_CLOSED_BOOK: Final = re.compile(
    r"\b(?:available|provided|obtained|sent|supplied)\b[^.;]{0,30}\b(?:on|upon) (?:\w+ )?request\b"
    r"|\b(?:internal|confidential|unpublished|private|members?[- ]only|restricted)\b[^.;]{0,20}"
    r"\b(?:documents?|documentation|specifications?|manuals?|papers?|guides?)\b"
    r"|\b(?:not|nor) (?:yet )?(?:public|published|publicly available|available to the public)\b"
    r"|\b(?:will|is to|to) be (?:written|published|released|made available|provided)\b"
    r"|\bin preparation\b|\bforthcoming\b|\bunder development\b",
    re.I,
)
_DRAFT: Final = re.compile(r"\bdraft-[a-z0-9]+(?:-[a-z0-9]+)+|\binternet[- ]drafts?\b", re.I)


def documentation_can_be_read(template: Template, context: Context) -> Iterator[Finding]:
    """Potential users can read about the names, now and later (Appendix A)."""
    text = template.documentation
    closed, draft = _CLOSED_BOOK.search(text), _DRAFT.search(text)
    if closed:
        yield build_finding(
            "documentation",
            "documentation.closed",
            Severity.WARN,
            f"Documentation is not there for everybody to read: {quote_excerpt(closed[0])}.",
            "Publish it, or put what users of the names need into this text.",
        )
    elif draft:
        yield build_finding(
            "documentation",
            "documentation.draft",
            Severity.NOTE,
            f"Documentation points to an Internet-Draft, {quote_excerpt(draft[0])}, which expires.",
            "Point to what it becomes once published, or to a stable copy.",
        )


def documentation_can_be_found(template: Template, context: Context) -> Iterator[Finding]:
    """A reference has an address, a number or at least a year (Appendix A)."""
    text = template.documentation
    if text.strip() and not _NONE.match(text) and not _FOUND.search(text):
        yield build_finding(
            "documentation",
            "documentation.vague",
            Severity.NOTE,
            "Documentation gives neither an address nor a number or a year.",
            "Add an address where the document will stay, its edition and its date.",
        )


_MAIL: Final = re.compile(r"([\w.+-]{1,64})@((?:[\w-]{1,63}\.){1,6}[a-z]{2,63})", re.I)
_SITE: Final = re.compile(r"https?://((?:[\w-]{1,63}\.){1,6}[a-z]{2,63})", re.I)
_NOT_A_NAME: Final = re.compile(
    r"https?://\S+|[\w.+-]{1,64}@\S*|[0-9+]+"
    r"|\b(?:contact|mail|e-?mail|phone|telephone|tel|fax|address|web)\b",
    re.I,
)
_FREE: Final = frozenset(
    "163.com aol.com free.fr gmail.com gmx.de gmx.net googlemail.com hotmail.com icloud.com"
    " live.com mail.ru me.com msn.com outlook.com proton.me protonmail.com qq.com t-online.de"
    " web.de yahoo.com yandex.ru ymail.com".split()
)
_PERSONAL: Final = re.compile(r"[a-z]{2,20}[._][a-z]{2,20}(?:[0-9]{0,4})|[a-z]\.[a-z]{2,20}", re.I)
_GIVEN_OR_FAMILY: Final = re.compile(r"\b[A-Z][a-zà-ÿ]{2,20}(?:-[A-Z][a-zà-ÿ]{1,20})?\b")
_MAX_INITIALS: Final = 3
_ROLE: Final = re.compile(
    r"admin|board|contact|council|desk|editor|help|iana|identifier|info|mail|name|number|office"
    r"|post|regist|role|secret|service|standard|support|team|tech|urn|web",
    re.I,
)
# In these countries organizations register below a label of two or three letters.
_SECOND: Final = re.compile(r"(?:ac|co|com|edu|gov|ne|net|or|org)\.[a-z]{2}", re.I)
_BODY: Final = re.compile(
    r"standard|scien|society|academy|recogni[sz]|intergovernmental|treaty|learned|union of", re.I
)


def registrant_has_a_name(template: Template, context: Context) -> Iterator[Finding]:
    """An address alone does not say whose it is (Appendix A)."""
    text = template.registrant
    if text and count_words(_NOT_A_NAME.sub(" ", text), 2) < 2:
        yield build_finding(
            "registrant",
            "registrant.name",
            Severity.WARN,
            "Registrant does not seem to name an organization.",
            "Give its full name, and what it is.",
        )


def mailbox_outlives_a_person(template: Template, context: Context) -> Iterator[Finding]:
    """Mail will still reach the holder of the post in ten years (ours, for 5.1)."""
    mails = _find_mails(template)
    free = [domain for _, domain in mails if domain in _FREE]
    if free and len(free) == len(mails):
        yield build_finding(
            "registrant",
            "registrant.free-mail",
            Severity.WARN,
            f"Mail can be sent to {free[0]} only, which gives addresses to anybody.",
            "Give an address under a domain of the organization.",
            "RFC 8141, section 5.1",
        )
    elif mails and all(_is_of_a_person(local, domain, template) for local, domain in mails):
        local, domain = mails[0]
        yield build_finding(
            "registrant",
            "registrant.person",
            Severity.NOTE,
            f"{quote_excerpt(f'{local}@{domain}')} looks like the address of one person.",
            "Give a shared mailbox as well, which stays when people change.",
            "RFC 8141, section 5.1",
        )


_NAMED_CONTACT: Final = re.compile(
    r"\b(?i:contact|attn|attention|name|person|in charge)\b[^\n:]{0,20}:[ \t]*"
    r"(?:(?:Dr|Mr|Ms|Mrs|Prof)\.?[ ])?([A-Z][\w’'-]{1,20}(?:[ ][A-Z]\.)?[ ][A-Z][\w’'-]{1,20})"
    r"[ \t]*(?=[,<(\n]|$)"
)
_BODIES: Final = re.compile(
    r"associat|alliance|authorit|bank|bureau|committee|compan|consorti|cooperat|corp|council|desk"
    r"|federation|forum|foundation|gmbh|group|inc\b|institut|librar|limited|ltd|office|organi[sz]"
    r"|society|standard|team|trust|union|universit|board",
    re.I,
)


def a_person_is_not_the_only_contact(template: Template, context: Context) -> Iterator[Finding]:
    """A person's name and number alone reach nobody once that person has left (ours, for 5.1)."""
    match = _NAMED_CONTACT.search(template.registrant)
    if match and not _find_mails(template) and not _BODIES.search(match[1]):
        yield build_finding(
            "registrant",
            "registrant.person",
            Severity.NOTE,
            f"{quote_excerpt(match[1])} seems to be the only contact, and is one person.",
            "Give a shared mailbox as well, which stays when people change.",
            "RFC 8141, section 5.1",
        )


def mail_belongs_to_the_organization(template: Template, context: Context) -> Iterator[Finding]:
    """The mail domain is that of the website, if one is given (ours)."""
    sites = sorted({_find_domain(host) for host in _SITE.findall(template.registrant)})
    mails = sorted({_find_domain(domain) for _, domain in _find_mails(template)})
    if sites and mails and not set(sites) & set(mails):
        yield build_finding(
            "registrant",
            "registrant.domain",
            Severity.NOTE,
            f"Mail goes to {join_words(mails[:3])}, and the site is at {join_words(sites[:3])}.",
            "Say how the two belong together, or give an address under the domain of the site.",
            "local rule",
        )


def fast_track_is_claimed(template: Template, context: Context) -> Iterator[Finding]:
    """On the fast track the registrant says what kind of body it is (Appendix A; 6.3)."""
    if context.is_fast_track and template.registrant and not _BODY.search(template.registrant):
        yield build_finding(
            "registrant",
            "registrant.body",
            Severity.WARN,
            "Registrant does not say that it is a standards body or a scientific society.",
            "Say which it is, and where that is recognized.",
        )


def _find_mails(template: Template) -> list[tuple[str, str]]:
    found = _MAIL.findall(template.registrant)[:100]
    return [(local, domain.lower()) for local, domain in found]


def _is_of_a_person(local: str, domain: str, template: Template) -> bool:
    """Whether a mailbox is named after a person, by its form or by a name next to it."""
    if _ROLE.search(local):
        return False
    if _PERSONAL.fullmatch(local):
        return True
    bare = re.sub(r"[^a-z]", "", local.lower())
    words = (
        each.lower().replace("-", "") for each in _GIVEN_OR_FAMILY.findall(template.registrant)
    )
    return any(
        word in bare and word not in domain and len(bare) - len(word) <= _MAX_INITIALS
        for word in words
    )


def _find_domain(host: str) -> str:
    labels = host.lower().split(".")
    return ".".join(labels[-3 if _SECOND.fullmatch(".".join(labels[-2:])) else -2 :])


_CONTACT_MAIL: Final = re.compile(r"[\w+-]@[\w-]+\.\w")
_PHONE: Final = re.compile(r"\+[0-9][0-9 ().-]{6}|\b[0-9]{2,5}[ ()/.-]+[0-9]{2,4}[ .-]?[0-9]{2}")
_POSTAL: Final = re.compile(
    r"\b(?:street|str\.|strasse|straße|road|avenue|lane|square|rue|via|calle|p\.? ?o\.? ?box)\b"
    r"|(?:^|,)[ \t]*(?:[A-Z]{1,2}-)?[0-9]{4,6}[ ]+[^\W\d_]{2}",
    re.I | re.M,
)
_CONTACTS: Final = (_CONTACT_MAIL, _PHONE, _POSTAL)


def registrant_can_be_reached(template: Template, context: Context) -> Iterator[Finding]:
    """Somebody can be written to or called (Appendix A)."""
    text = template.registrant
    if text and not any(pattern.search(text) for pattern in _CONTACTS):
        yield build_finding(
            "registrant",
            "registrant.contact",
            Severity.WARN,
            "Registrant gives no email address, telephone number or postal address.",
            "Add an email address, best a shared one that stays when people change.",
        )
