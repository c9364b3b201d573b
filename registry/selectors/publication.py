"""May this text, for this namespace, by these people, be registered at this moment?

One function answers (docs/process.md, May be published). Approving, reporting, directing,
requesting registration and registering call it; pages, the queue and the API show its current
answer.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry.enums import (
    LIVE_STATES,
    PAUSABLE_STATES,
    ObstacleKind,
    State,
    Turn,
)
from registry.models import Event, Namespace, RegistrationRequest, Round, User
from registry.models.namespace import read_whole_version
from registry.permissions import is_complete_without_recognition
from registry.selectors.actors import map_void_decisions
from registry.selectors.appeals import explain_stay
from registry.selectors.base_versions import explain_old_base
from registry.selectors.case import RequestCase, open_case
from registry.selectors.consent import (
    PublicationObstacle,
    explain_consent_once_sent,
    find_missing_consent,
    list_people_who_can_consent,
)
from registry.selectors.findings import build_check_context, list_text_findings
from registry.selectors.held_nids import explain_hold
from registry.selectors.holder_addresses import find_addresses_in
from registry.selectors.withdrawals import explain_returning_rival
from registry.template import Context, Template, number
from registry.urn import Finding, Severity

MENDABLE_OBSTACLES: Final = frozenset(
    {
        ObstacleKind.TEXT,
        ObstacleKind.CONSENT,
        ObstacleKind.OBJECTION,
        ObstacleKind.HELD_NID,
        ObstacleKind.RECOGNITION,
    }
)
"""What the registrant's side can mend: the text, the identifier, the path, or by asking."""

CONSENT_OBSTACLES: Final = frozenset(
    {ObstacleKind.OBJECTION, ObstacleKind.CONSENT, ObstacleKind.WAITING}
)
"""What pages show in a note of its own."""
NID_HELD_BACK: Final = gettext_lazy("The identifier is held back")
UNDER_APPEAL: Final = gettext_lazy("The approval is under appeal")
RIVAL_CAN_RETURN: Final = gettext_lazy("A withdrawn rival can still come back")
DECISION_VOID: Final = gettext_lazy("The decision does not count any more")
WRITTEN_FROM_OLD_VERSION: Final = gettext_lazy("The text is not written from the last version")
NOT_RECOGNISED: Final = gettext_lazy("The body is not recognised for the fast track")


def list_publication_obstacles(case: RequestCase) -> tuple[PublicationObstacle, ...]:
    """Return why the last round cannot be registered now; empty if it can be.

    Also empty for a request that was never sent or has ended.
    """
    if State(case.request.state) not in LIVE_STATES or (last := case.last_round) is None:
        return ()
    return tuple(_find_obstacles(case, last))


def summarize_obstacles(
    obstacles: Iterable[PublicationObstacle],
) -> tuple[str | Promise, ...]:
    """Return `obstacles` in a few words each, for a line of a list; those of the text as one."""
    listed = list(obstacles)
    broken = [each for each in listed if each.kind == ObstacleKind.TEXT]
    labels = [each.label for each in listed if each.kind != ObstacleKind.TEXT]
    if len(broken) > 1:
        words = ngettext(
            "%(count)d rule is broken by the text",
            "%(count)d rules are broken by the text",
            len(broken),
        )
        return (words % {"count": len(broken)}, *labels)
    return (*(each.label for each in broken), *labels)


def list_other_obstacles(case: RequestCase) -> list[str]:
    """Return the obstacles in sentences, except consents and objections, shown separately."""
    return [
        each.message
        for each in list_publication_obstacles(case)
        if each.kind not in CONSENT_OBSTACLES
    ]


def list_obstacles_once_sent(
    case: RequestCase, person: User, draft: Round
) -> tuple[PublicationObstacle, ...]:
    """Return what prevents publication once `person` has sent `draft` as it is.

    What prevents sending it is in its findings.
    """
    hold = case.find_hold(draft.nid)
    found = (
        *((ObstacleKind.TEXT, each.message) for each in list_later_findings(case, draft)),
        (ObstacleKind.HELD_NID, explain_hold(hold) if hold else ""),
        (ObstacleKind.CONSENT, explain_consent_once_sent(case, person)),
        (ObstacleKind.RECOGNITION, explain_missing_recognition(case.request)),
        (ObstacleKind.RETURNING, explain_own_rival(case)),
    )
    return tuple(PublicationObstacle(kind, message, message) for kind, message in found if message)


def list_later_findings(case: RequestCase, draft: Round) -> tuple[Finding, ...]:
    """Return the findings on `draft` that do not prevent sending it, but prevent publication."""
    if case.request.changes_facts:
        return ()
    text = preview_published_text(case, draft).replace(date=timezone.now().date().isoformat())
    context = build_publication_context(case)
    sent = list_text_findings(
        case.request, draft.template, context=dataclasses.replace(context, publishing=False)
    )
    already = {(each.check, each.section) for each in sent if each.severity is Severity.BLOCK}
    return tuple(
        each
        for each in list_text_findings(case.request, text, context=context)
        if each.severity is Severity.BLOCK and (each.check, each.section) not in already
    )


def _find_obstacles(case: RequestCase, last: Round) -> Iterator[PublicationObstacle]:
    text = preview_published_text(case)
    for message in list_blocking_messages(case, text, last.facts):
        yield PublicationObstacle(ObstacleKind.TEXT, message, message)
    if outdated := explain_old_base(case.request, last, case.version_in_force):
        yield PublicationObstacle(ObstacleKind.TEXT, outdated, WRITTEN_FROM_OLD_VERSION)
    if hold := case.find_hold(text["nid"]):
        yield PublicationObstacle(ObstacleKind.HELD_NID, explain_hold(hold), NID_HELD_BACK)
    if missing := find_missing_consent(case):
        yield missing
    if unrecognised := explain_missing_recognition(case.request):
        yield PublicationObstacle(ObstacleKind.RECOGNITION, unrecognised, NOT_RECOGNISED)
    if stay := explain_own_stay(case):
        yield PublicationObstacle(ObstacleKind.STAY, stay, UNDER_APPEAL)
    if returning := explain_own_rival(case):
        yield PublicationObstacle(ObstacleKind.RETURNING, returning, RIVAL_CAN_RETURN)
    if void := case.batch.read(map_void_decisions).get(case.request.pk):
        words = describe_void_decision(void)
        yield PublicationObstacle(ObstacleKind.DECISION, words, DECISION_VOID)


def describe_void_decision(decision: Event) -> str:
    """Say that a decision does not count any more, and how the request goes on."""
    return _(
        "%(expert)s decided on it and has become a party to it since, so that decision does not "
        "count any more. The lead expert takes them off the request; then it is reviewed again."
    ) % {"expert": decision.actor_name}


def may_be_mended(registration_request: RegistrationRequest) -> bool:
    """Whether the office that has the request may ask for changes.

    Of what is approved only if the registrant can mend what prevents registration; a change of
    facts has been judged by nobody before.
    """
    if registration_request.state != State.APPROVED or registration_request.changes_facts:
        return True
    obstacles = list_publication_obstacles(open_case(registration_request))
    return any(each.kind in MENDABLE_OBSTACLES for each in obstacles)


def find_pausing_turn(case: RequestCase) -> Turn | None:
    """Return whom all others wait for, since only their answer is missing; None if nobody.

    That is a body whose consent is missing or that objects, the registrar if the registry knows
    nobody who speaks for it, or the standards body if it has yet to recognise the body, while the
    NID is held, or while an appeal holds up the registration.
    """
    state = case.request.state
    if state not in PAUSABLE_STATES or case.last_round is None:
        return None
    missing = find_missing_consent(case)
    is_standards_bodys = (
        awaits_recognition(case) or is_nid_held_back(case) or bool(explain_own_stay(case))
    )
    if not (missing or is_standards_bodys):
        return None
    obstacles = {each.kind for each in list_publication_obstacles(case)}
    if ObstacleKind.TEXT in obstacles:
        return None
    if not missing and ObstacleKind.RECOGNITION in obstacles and not awaits_recognition(case):
        # The body has not asked for recognition yet: that is missing too, and up to them.
        return None
    if missing is None:
        return Turn.STANDARDS_BODY
    if missing.kind != ObstacleKind.CONSENT or list_people_who_can_consent(case):
        return Turn.HOLDER
    # The registrar sees to the consent then, and the deadline for publishing keeps running.
    return None if state == State.APPROVED else Turn.REGISTRAR


def explain_own_stay(case: RequestCase) -> str:
    """Say until when an appeal keeps the request from being registered; empty if none does."""
    is_appealed = case.request.state == State.APPROVED and case.has_pending_appeal
    return explain_stay(case.request) if is_appealed else ""


def explain_own_rival(case: RequestCase) -> str:
    """Say which withdrawn rival can still come back; empty if none can."""
    return explain_returning_rival(case.request) if case.has_withdrawn_rival else ""


def is_nid_held_back(case: RequestCase) -> bool:
    """Whether the requested NID of a new formal namespace is currently held."""
    return case.find_hold(case.request.nid) is not None


def awaits_recognition(case: RequestCase) -> bool:
    """Whether the standards body has to say that it recognises the body for the fast track.

    That is so once the body has asked it, and when it took the recognition back of a body that has
    asked for registration: it recognises it again once asked, or asks for changes.
    """
    if is_complete_without_recognition(case.request):
        return True
    body = case.request.deciding_body
    return case.request.lacks_recognition and body.pk in case.batch.unanswered_recognitions


def list_blocking_messages(
    case: RequestCase, template: Template, facts: Mapping[str, Any]
) -> list[str]:
    """Return what breaks a hard rule in a text as it would be registered."""
    asked = case.request
    context = None if asked.changes_facts else build_publication_context(case)
    found = list_text_findings(asked, template, facts=facts, context=context)
    return [finding.message for finding in found if finding.severity is Severity.BLOCK]


def build_publication_context(case: RequestCase) -> Context:
    """Return what the checks of the text to be registered need to know about its request."""
    taken = frozenset() if case.request.namespace_id else case.batch.registered_nids
    return build_check_context(
        case.request, publishing=True, before=case.version_in_force, taken=taken
    )


def explain_missing_recognition(registration_request: RegistrationRequest) -> str:
    """Say that the fast track is for recognised bodies, if this is not one (6.3)."""
    if not registration_request.lacks_recognition:
        return ""
    return _(
        "%(organization)s has not been recognised for the fast track yet. The standards body "
        "decides on that. RFC 8141, section 6.3."
    ) % {"organization": registration_request.deciding_body}


def awaits_informal_number(registration_request: RegistrationRequest) -> bool:
    """Whether registering it takes an informal number."""
    return registration_request.is_informal and registration_request.namespace_id is None


def build_published_text(
    registration_request: RegistrationRequest, last: Round, nid: str, version: int | None
) -> Template:
    """Return the last round as it will be published: the number in place of `urn-N`, and the
    Version.
    """
    template = last.template
    if awaits_informal_number(registration_request):
        template = number(template, nid)
    return template.replace(version="" if version is None else str(version))


CONTACT_PARTS: Final = re.compile(r"(?<=[.;])\s+|\n\s*\n|\b(?=(?:Designated )?[Cc]ontact\b)")
"""Between sentences and paragraphs of a Registrant section, and before what is called a contact."""
CONTACT_LABEL: Final = re.compile(r"(?:Designated )?[Cc]ontact(?: person)?:?\s+")
WRAPPED_LINE: Final = re.compile(r"\s*\n\s*(?![\w ]{1,20}:)")
"""The end of a line that the next one continues, unless that begins with a label."""


def propose_contact(registrant: str) -> str:
    """Return the contact that a Registrant section gives: what it says beside a mail address."""
    parts = [each for each in CONTACT_PARTS.split(registrant) if any(find_addresses_in(each))]
    return "\n".join(
        WRAPPED_LINE.sub(" ", CONTACT_LABEL.sub("", each.strip(), count=1)).rstrip(".;")
        for each in parts
    )


def explain_unknown_version(namespace: Namespace | None) -> str:
    """Say why the registrar is asked for the last version; empty if it is known."""
    if namespace is None:
        return ""
    if sources := namespace.disagreeing_version_sources:
        return _(
            "The sources of the last version disagree: %(sources)s. Enter the last version, with "
            "its source; the next number comes after the highest."
        ) % {"sources": "; ".join(each.words for each in sources)}
    if namespace.next_version is None:
        return _("The last version of this namespace is not known: enter it with its source.")
    return ""


def explain_low_version(namespace: Namespace | None, said: str) -> str:
    """Say which source has a higher last version than `said`; empty if none has.

    A number in another source may have been used, and none is used twice.
    """
    number_said = read_whole_version(said)
    if namespace is None or number_said is None:
        return ""
    higher = [each for each in namespace.version_sources if each.number > number_said]
    if not higher:
        return ""
    highest = max(higher, key=lambda each: each.number)
    return _(
        "%(source)s, which is higher than %(said)s. The next number comes after the highest: "
        "enter %(number)d, or a higher one, with its source."
    ) % {
        "source": highest.words[:1].upper() + highest.words[1:],
        "said": said,
        "number": highest.number,
    }


def preview_published_text(case: RequestCase, draft: Round | None = None) -> Template:
    """Return what registering would publish now; another registration may take the number first.

    That is the last round, or `draft` once it is sent.
    """
    last = draft or case.last_round
    assert last is not None, "only what was sent is published"
    is_new = awaits_informal_number(case.request)
    nid = case.batch.informal_nid if is_new else ""
    return build_published_text(case.request, last, nid, case.version_in_force.next_number)
