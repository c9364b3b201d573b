"""Challenges of experts: who has one to answer, and until when it is up to the lead.

A side of a request challenges each expert once, by a message so marked. Until it is answered the
expert decides nothing: by the lead, or by the standards body after some days, or if the lead is the
one challenged, or there is none.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import REVIEW_STATES, MessageMark, Role
from registry.models import Assignment, Message, RegistrationRequest, User
from registry.models.dates import add_days
from registry.models.discussion import MessageQuerySet
from registry.permissions import Person

LEAD_ANSWER_DAYS: Final = 7


def list_open_challenges(requests: Iterable[RegistrationRequest]) -> MessageQuerySet:
    """Return the challenges that wait for an answer, of experts who are still on the request."""
    judged = [each for each in requests if each.state in REVIEW_STATES]
    on_it = Assignment.objects.active().filter(
        registration_request=OuterRef("registration_request"), expert=OuterRef("challenged")
    )
    answers = Message.objects.filter(answers=OuterRef("pk"), mark=MessageMark.ANSWER)
    found = Message.objects.public().filter(
        Exists(on_it),
        ~Exists(answers),
        registration_request__in=judged,
        mark=MessageMark.CHALLENGE,
    )
    return found.select_related("challenged", "registration_request").order_by(
        "registration_request", "number"
    )


def find_open_challenges(registration_request: RegistrationRequest) -> tuple[Message, ...]:
    """Return the challenges that wait for an answer on one request.

    Within `permissions.ask_each_fact_once` they are read once.
    """
    key = (find_open_challenges, registration_request.pk, registration_request.revision)
    return permissions.remember_fact(
        key, lambda: tuple(list_open_challenges([registration_request]))
    )


def find_lead_deadline(challenge: Message) -> datetime.datetime:
    """Return until when the lead answers a challenge; then the standards body does too."""
    return add_days(challenge.posted_at, LEAD_ANSWER_DAYS)


def is_for_standards_body(challenge: Message) -> bool:
    """Whether the standards body answers: the lead is challenged, or did not answer in time."""
    assert challenge.challenged, "a database constraint has every challenge name an expert"
    is_lead = challenge.challenged.groups.filter(name=Role.LEAD).exists()
    return is_lead or find_lead_deadline(challenge) <= timezone.now()


def may_answer_challenge(person: Person, challenge: Message) -> bool:
    """Whether `person` answers a challenge that is open: never the expert who is challenged."""
    registration_request = challenge.registration_request
    if person == challenge.challenged:
        return False
    if permissions.may_direct(person, registration_request):
        return is_for_standards_body(challenge) or not list_able_leads(challenge)
    is_leads = challenge.challenged is not None and not permissions.is_lead(challenge.challenged)
    return is_leads and permissions.may_lead(person, registration_request)


def list_able_leads(challenge: Message) -> list[User]:
    """Return the leads who can answer a challenge, whether or not they are in time."""
    leads = User.objects.filter(permissions.q_person_holds_role(Role.LEAD)).exclude(
        pk=challenge.challenged_id or 0
    )
    asked = challenge.registration_request
    return [each for each in leads if permissions.may_lead(each, asked)]


def describe_challenge(challenge: Message) -> str:
    """Say who has to answer a challenge, and until when."""
    told = {"expert": challenge.challenged, "author": challenge.author_name}
    if is_for_standards_body(challenge) or not list_able_leads(challenge):
        words = _(
            "%(author)s challenged %(expert)s, who decides nothing until the standards body has "
            "answered that in the discussion."
        )
        return words % told
    words = _(
        "%(author)s challenged %(expert)s, who decides nothing until the lead expert has answered "
        "that in the discussion; from %(day)s the standards body can answer too."
    )
    day = timezone.localdate(find_lead_deadline(challenge))
    return words % {**told, "day": f"{day:%-d %B %Y}"}


def find_side(person: Person, registration_request: RegistrationRequest) -> str:
    """Return the side of a request that `person` is on, empty for none."""
    if permissions.may_write(person, registration_request):
        return "registrant"
    return "holder" if permissions.is_on_holder_side(person, registration_request) else ""


def list_challengeable_experts(
    person: Person, registration_request: RegistrationRequest
) -> list[User]:
    """Return the experts on a request whom the side of `person` has not challenged yet."""
    side = find_side(person, registration_request)
    if not side or registration_request.state not in REVIEW_STATES:
        return []
    earlier = registration_request.messages.filter(mark=MessageMark.CHALLENGE)
    used = {
        each.challenged_id
        for each in earlier.select_related("author")
        if each.author and find_side(each.author, registration_request) == side
    }
    on_it = registration_request.assignments.active().select_related("expert")
    return [each.expert for each in on_it if each.expert_id not in used]


def list_message_marks(
    person: Person, registration_request: RegistrationRequest
) -> list[tuple[str, str]]:
    """Return as what `person` can write a message, besides a comment: value and label."""
    if not isinstance(person, User):
        return []
    found = [
        (f"{MessageMark.CHALLENGE}:{each.pk}", _("Challenge of %(expert)s") % {"expert": each})
        for each in list_challengeable_experts(person, registration_request)
    ]
    found += [
        (
            f"{MessageMark.ANSWER}:{each.number}",
            _("Answer to the challenge of %(expert)s") % {"expert": each.challenged},
        )
        for each in list_open_challenges([registration_request])
        if may_answer_challenge(person, each)
    ]
    if permissions.may_advise(person, registration_request):
        found.append((str(MessageMark.ADVICE), _("Advice, as an expert on the request")))
    return found
