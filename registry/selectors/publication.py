"""May this text, for this namespace, by these people, be registered at this moment?

One function answers (docs/process.md, May be published). Approving, reporting, directing,
requesting registration and registering call it; pages, the queue and the API show its current
answer.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry.enums import LIVE_STATES, PAUSABLE_STATES, RequestPath, State, Turn
from registry.models import (
    Event,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    Round,
    User,
)
from registry.models.namespace import read_whole_version
from registry.permissions import remember_fact
from registry.selectors.actors import find_void_decision
from registry.selectors.appeals import explain_stay, find_stay_end
from registry.selectors.findings import find_version_in_force, list_text_findings
from registry.selectors.held_nids import explain_held_nid
from registry.selectors.holder_consent import (
    explain_consent_once_sent,
    find_last_round,
    find_missing_consent,
    list_people_who_can_give_word,
)
from registry.selectors.nids import expected_informal_nid
from registry.selectors.withdrawals import explain_returning_rival
from registry.template import Template, number
from registry.urn import Severity


class ObstacleKind(enum.StrEnum):
    """What prevents publication; it says whose turn it is to remove it."""

    TEXT = "text"
    """A hard rule is broken, the NID is taken, or a finding blocks: the registrant's."""
    HOLDER = "holder"
    """The consent of the namespace's holder is missing: theirs."""
    HELD_NID = "held_nid"
    """The NID is held: the standards body's, which hears appeals against that."""
    RECOGNITION = "recognition"
    """The body is not recognised for the fast track: the standards body's."""
    STAY = "stay"
    """The approval is under appeal: the standards body's."""
    RETURNING = "returning"
    """A withdrawn rival can still come back: nobody's, some days have to pass."""
    DECISION = "decision"
    """Who approved or reported it has become a party since: the lead's, who takes them off."""


MENDABLE_OBSTACLES: Final = frozenset(
    {ObstacleKind.TEXT, ObstacleKind.HOLDER, ObstacleKind.HELD_NID, ObstacleKind.RECOGNITION}
)
"""What the registrant's side can mend: the text, the identifier, the path, or by asking."""

NID_HELD_BACK: Final = gettext_lazy("The identifier is held back")
UNDER_APPEAL: Final = gettext_lazy("The approval is under appeal")
RIVAL_CAN_RETURN: Final = gettext_lazy("A withdrawn rival can still come back")
DECISION_VOID: Final = gettext_lazy("The decision does not count any more")
NOT_RECOGNISED: Final = gettext_lazy("The body is not recognised for the fast track")


@dataclass(frozen=True, slots=True)
class PublicationObstacle:
    """One reason why the last round cannot be registered now; `label` is for lists."""

    kind: ObstacleKind
    message: str
    label: str | Promise


def list_publication_obstacles(
    registration_request: RegistrationRequest,
) -> tuple[PublicationObstacle, ...]:
    """Return why the last round cannot be registered now; empty if it can be.

    Also empty for a request that was never sent or has ended.
    """
    if State(registration_request.state) not in LIVE_STATES:
        return ()
    last = find_last_round(registration_request)
    if last is None:
        return ()
    return remember_fact(
        (list_publication_obstacles, registration_request.pk, registration_request.revision),
        lambda: tuple(_find_obstacles(registration_request, last)),
    )


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


def list_other_obstacles(registration_request: RegistrationRequest) -> list[str]:
    """Return the obstacles in sentences, except the holder's consent, which is shown separately."""
    return [
        each.message
        for each in list_publication_obstacles(registration_request)
        if each.kind != ObstacleKind.HOLDER
    ]


def list_obstacles_once_sent(
    registration_request: RegistrationRequest, person: User
) -> tuple[PublicationObstacle, ...]:
    """Return what others have yet to give if `person` sends the draft as it is.

    What the text itself lacks is in its findings, which are shown separately.
    """
    found = (
        (ObstacleKind.HOLDER, explain_consent_once_sent(registration_request, person)),
        (ObstacleKind.RECOGNITION, explain_missing_recognition(registration_request)),
    )
    return tuple(PublicationObstacle(kind, message, message) for kind, message in found if message)


def _find_obstacles(
    registration_request: RegistrationRequest, last: Round
) -> Iterator[PublicationObstacle]:
    text = preview_published_text(registration_request, last)
    for message in list_blocking_messages(registration_request, text, last.facts):
        yield PublicationObstacle(ObstacleKind.TEXT, message, message)
    if held := explain_nid_held_back(registration_request, text):
        yield PublicationObstacle(ObstacleKind.HELD_NID, held, NID_HELD_BACK)
    if missing := find_missing_consent(registration_request):
        yield PublicationObstacle(ObstacleKind.HOLDER, str(missing), missing.label)
    if unrecognised := explain_missing_recognition(registration_request):
        yield PublicationObstacle(ObstacleKind.RECOGNITION, unrecognised, NOT_RECOGNISED)
    if stay := explain_stay(registration_request):
        yield PublicationObstacle(ObstacleKind.STAY, stay, UNDER_APPEAL)
    if returning := explain_returning_rival(registration_request):
        yield PublicationObstacle(ObstacleKind.RETURNING, returning, RIVAL_CAN_RETURN)
    if void := find_void_decision(registration_request):
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
    obstacles = list_publication_obstacles(registration_request)
    return any(each.kind in MENDABLE_OBSTACLES for each in obstacles)


def find_pausing_turn(registration_request: RegistrationRequest) -> Turn | None:
    """Return whom all others wait for, since only their answer is missing; None if nobody.

    That is the holder of the namespace, the registrar if the registry knows nobody who speaks for
    it, or the standards body if it has yet to answer whether it recognises the body, while the
    NID is held, or while an appeal holds up the registration.
    """
    if registration_request.state not in PAUSABLE_STATES:
        return None
    missing = find_missing_consent(registration_request)
    is_asked = has_pending_recognition(registration_request)
    is_stayed = find_stay_end(registration_request) is not None
    if not (missing or is_asked or is_stayed or is_nid_held_back(registration_request)):
        return None
    obstacles = {each.kind for each in list_publication_obstacles(registration_request)}
    if ObstacleKind.TEXT in obstacles:
        return None
    if not missing and ObstacleKind.RECOGNITION in obstacles and not is_asked:
        # The body has not asked for recognition yet: that is missing too, and up to them.
        return None
    if missing is None:
        return Turn.STANDARDS_BODY
    if not missing.awaits_word or list_people_who_can_give_word(registration_request):
        return Turn.HOLDER
    # The registrar sees to the consent then, and the deadline for publishing keeps running.
    return None if registration_request.state == State.APPROVED else Turn.REGISTRAR


def is_nid_held_back(registration_request: RegistrationRequest) -> bool:
    """Whether the requested NID of a new formal namespace is currently held."""
    if registration_request.namespace_id or registration_request.is_informal:
        return False
    return bool(explain_held_nid(registration_request.nid))


def has_pending_recognition(registration_request: RegistrationRequest) -> bool:
    """Whether the standards body has yet to say that it recognises the body for the fast track."""
    return bool(explain_missing_recognition(registration_request)) and awaits_recognition(
        find_deciding_body(registration_request)
    )


def awaits_recognition(body: Organization) -> bool:
    """Whether the standards body has yet to answer `body`; a page queries it once."""
    return remember_fact(
        (awaits_recognition, body.pk),
        lambda: body.recognitions.filter(is_granted=None).exists(),
    )


def q_recognition_may_be_pending() -> Q:
    """Return a condition for all requests of `has_pending_recognition`, and hardly any others."""
    pending = Recognition.objects.filter(is_granted=None)
    asked = pending.filter(
        Q(organization=OuterRef("organization")) | Q(organization=OuterRef("namespace__registrant"))
    )
    return Q(Exists(asked), path=RequestPath.FAST_TRACK)


def list_blocking_messages(
    registration_request: RegistrationRequest, template: Template, facts: Mapping[str, Any]
) -> list[str]:
    """Return what breaks a hard rule in a text as it would be registered."""
    found = list_text_findings(registration_request, template, facts=facts, publishing=True)
    return [finding.message for finding in found if finding.severity is Severity.BLOCK]


def find_deciding_body(registration_request: RegistrationRequest) -> Organization:
    """Return the organization that the fast track requires to be recognised (RFC 8141, section
    6.3).

    For a registered namespace that is its holder, not the organization making the request.
    """
    namespace = registration_request.namespace
    holder = namespace.registrant if namespace else None
    return holder or registration_request.organization


def explain_missing_recognition(registration_request: RegistrationRequest) -> str:
    """Say that the fast track is for recognised bodies, if this is not one (6.3)."""
    if registration_request.path != RequestPath.FAST_TRACK or registration_request.changes_facts:
        return ""
    body = find_deciding_body(registration_request)
    if body.is_recognised:
        return ""
    return _(
        "%(organization)s has not been recognised for the fast track yet. The standards body "
        "decides on that. RFC 8141, section 6.3."
    ) % {"organization": body}


def explain_nid_held_back(registration_request: RegistrationRequest, template: Template) -> str:
    """Say that the NID a new formal namespace would have is held; empty if it is not.

    What is registered stays so: a hold only bars new namespaces.
    """
    if registration_request.namespace_id or registration_request.is_informal:
        return ""
    return explain_held_nid(template["nid"])


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


def preview_published_text(
    registration_request: RegistrationRequest, last: Round | None = None
) -> Template:
    """Return what registering would publish now; another registration may take the number first.

    `last` is the last round, if the caller already has it.
    """
    last = last or registration_request.rounds.sent().latest("number")
    namespace = registration_request.namespace
    version = find_version_in_force(namespace).next_number if namespace else 1
    nid = ""
    if awaits_informal_number(registration_request):
        nid = remember_fact((expected_informal_nid,), expected_informal_nid)
    return build_published_text(registration_request, last, nid, version)
