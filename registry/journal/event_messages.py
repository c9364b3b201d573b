"""The journal of a request in the words of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _, gettext_lazy, ngettext_lazy

from registry import enums
from registry.enums import (
    ChecklistChoice,
    MessageChannel,
    Role,
    State,
    UnapprovedState,
    Words,
)
from registry.models import Event, User
from registry.template.checklist import QUESTIONS, ChecklistQuestion

EVENT_PHRASES: dict[str, Words] = {
    "start": gettext_lazy("started the draft"),
    "declare_conflict": gettext_lazy("declared a conflict of interest with %(organization)s"),
    "end_conflict": gettext_lazy("ended the declared conflict with %(organization)s"),
    "remark": gettext_lazy("wrote remark %(remark)s, on round %(round)s"),
    "drop_remark": gettext_lazy("dropped remark %(remark)s"),
    "reopen_remark": gettext_lazy("opened remark %(remark)s again"),
    "comment": gettext_lazy("wrote message %(message)s of the discussion"),
    "advise": gettext_lazy("gave advice in message %(message)s of the discussion"),
    "challenge": gettext_lazy("challenged %(expert)s in message %(message)s of the discussion"),
    "answer_challenge": gettext_lazy(
        "answered the challenge of %(expert)s in message %(message)s of the discussion"
    ),
    "hide_message": gettext_lazy("hid message %(message)s of the discussion from readers"),
    "show_message": gettext_lazy("showed message %(message)s of the discussion again"),
    "invite": gettext_lazy("invited somebody to co-edit the request"),
    "invite_adviser": gettext_lazy("invited somebody to advise in public"),
    "take_invitation_back": gettext_lazy("took back an invitation to co-edit the request"),
    "keep": gettext_lazy(
        "said that the request goes on, by the button in a letter to the organization’s contact"
    ),
    "join": gettext_lazy("became a co-editor of the request"),
    "remove_co_editor": gettext_lazy("took %(co_editor)s off as co-editor"),
    "record_speaker": gettext_lazy("recorded evidence that %(delegate)s speaks for %(subject)s"),
    "countersign_speaker": gettext_lazy(
        "countersigned the evidence that %(delegate)s speaks for %(subject)s"
    ),
    "await_speaker": ngettext_lazy(
        "wrote to everybody on record that %(delegate)s is to speak for %(subject)s, %(days)s day "
        "after these letters have left unless somebody objects",
        "wrote to everybody on record that %(delegate)s is to speak for %(subject)s, %(days)s days "
        "after these letters have left unless somebody objects",
        "days",
    ),
    "await_removal": ngettext_lazy(
        "wrote to everybody on record that %(delegate)s is to speak for %(subject)s no longer, "
        "%(days)s day after these letters have left unless somebody objects",
        "wrote to everybody on record that %(delegate)s is to speak for %(subject)s no longer, "
        "%(days)s days after these letters have left unless somebody objects",
        "days",
    ),
    "add_speaker": gettext_lazy("put into effect that %(delegate)s speaks for %(subject)s"),
    "stop_speaker": gettext_lazy(
        "objected that %(delegate)s speaks for %(subject)s; the standards body rules on it"
    ),
    "resume_speaker": gettext_lazy(
        "took back the objection that %(delegate)s speaks for %(subject)s"
    ),
    "end_speaker": gettext_lazy("ended that %(delegate)s speaks for %(subject)s"),
    "remind_speaker": gettext_lazy(
        "reminded who has to act on whether %(delegate)s speaks for %(subject)s"
    ),
    "rule_on_speakers": gettext_lazy("ruled who speaks for %(organization)s"),
    "announce_speaker": ngettext_lazy(
        "announces that somebody is to speak for %(organization)s, which holds the namespace, in "
        "%(days)s day unless somebody on record objects",
        "announces that somebody is to speak for %(organization)s, which holds the namespace, in "
        "%(days)s days unless somebody on record objects",
        "days",
    ),
    "announce_removal": ngettext_lazy(
        "announces that somebody is to speak for %(organization)s, which holds the namespace, no "
        "longer, in %(days)s day unless somebody on record objects",
        "announces that somebody is to speak for %(organization)s, which holds the namespace, no "
        "longer, in %(days)s days unless somebody on record objects",
        "days",
    ),
    "announce_stop": gettext_lazy(
        "announces that it is disputed who speaks for %(organization)s, which holds the namespace"
    ),
    "note_sighting": gettext_lazy("noted %(nid)s as in use without registration"),
    "correct_sighting": gettext_lazy("corrected the sighting of %(nid)s"),
    "notify_sighting": gettext_lazy("wrote to those who use %(nid)s how to register it"),
    "withdraw_sighting": gettext_lazy("withdrew the sighting of %(nid)s"),
    "hold_nid": gettext_lazy("held back %(nid)s until %(until)s (%(source)s)"),
    "renew_hold": gettext_lazy("went on holding back %(nid)s, until %(until)s (%(source)s)"),
    "end_hold": gettext_lazy("stopped holding back %(nid)s"),
    "appeal_hold": gettext_lazy("appealed that %(nid)s is held back"),
    "answer_hold_appeal": gettext_lazy("answered the appeal that %(nid)s is held back"),
    "announce_officer_change": gettext_lazy("announced: %(change)s"),
    "stop_officer_change": gettext_lazy("stopped: %(change)s"),
    "decide_officer_change": gettext_lazy("decided about: %(change)s"),
    "ask_enquiry": gettext_lazy("asked the experts and the registrar something"),
    "answer_enquiry": gettext_lazy("answered an enquiry"),
    "answer_enquiry_in_public": gettext_lazy("answered an enquiry in public"),
    "ask_contact": gettext_lazy("asked whether the contact of %(nid)s is still right"),
    "confirm_contact": gettext_lazy("confirmed the contact of %(nid)s"),
    "hear_contact": gettext_lazy("heard by letter that the contact of %(nid)s is right"),
    "set_iana_reference": gettext_lazy("entered the IANA reference of %(nid)s: %(iana_reference)s"),
    "answer_erratum": gettext_lazy("answered an erratum of %(nid)s"),
    "record_dispute": gettext_lazy("recorded what %(parties)s brought about %(nid)s (%(source)s)"),
    "end_dispute": gettext_lazy("recorded the outcome of what %(parties)s brought about %(nid)s"),
    "add_service": gettext_lazy("added a resolution service of %(nid)s: %(service)s, %(template)s"),
    "change_service": gettext_lazy(
        "changed a resolution service of %(nid)s: %(service)s, %(template)s"
    ),
    "move_service": gettext_lazy(
        "let another address of a resolution service of %(nid)s take effect: %(template)s"
    ),
    "withdraw_service": gettext_lazy(
        "removed a resolution service of %(nid)s: %(service)s, %(template)s"
    ),
    "import_services": ngettext_lazy(
        "added %(count)s resolution service of %(nid)s from a list",
        "added %(count)s resolution services of %(nid)s from a list",
        "count",
    ),
    "import_vocabularies": ngettext_lazy(
        "took over %(count)s entry of the query keywords and service designators",
        "took over %(count)s entries of the query keywords and service designators",
        "count",
    ),
    "add_keyword": gettext_lazy("entered the query keyword %(keyword)s (%(reference)s)"),
    "change_keyword": gettext_lazy("changed the query keyword %(keyword)s (%(ground)s)"),
    "add_designator": gettext_lazy(
        "entered the resolution service designator %(name)s (%(reference)s)"
    ),
    "change_designator": gettext_lazy(
        "changed the resolution service designator %(name)s (%(ground)s)"
    ),
    "rename_registrant": gettext_lazy(
        "recorded that the registrant of %(nid)s has another name (%(request)s)"
    ),
    "record_organization_evidence": gettext_lazy(
        "recorded of %(organization)s: %(what)s %(value)s (%(source)s)"
    ),
    "withdraw_organization_evidence": gettext_lazy(
        "took back what was recorded of %(organization)s: %(what)s %(value)s"
    ),
    "ask_recognition": gettext_lazy("asked that %(organization)s be recognised"),
    "recognise": gettext_lazy("recognised %(organization)s for the fast track"),
    "refuse_recognition": gettext_lazy("refused to recognise %(organization)s"),
    "withdraw_recognition": gettext_lazy("took back the recognition of %(organization)s"),
    "import_record": gettext_lazy("read the template in %(document)s, lines %(lines)s"),
    "correct_record": gettext_lazy("corrected how the template in %(document)s is understood"),
    "confirm_record_contact": gettext_lazy("confirmed an address in imported record %(record)s"),
    "withdraw_record_contact": gettext_lazy("withdrew an address of imported record %(record)s"),
    "sync_iana": gettext_lazy("took over IANA's data on %(nid)s: %(changes)s"),
    "set_iana_aside": gettext_lazy("set aside a difference from IANA's list about %(nid)s"),
    "load_locators": ngettext_lazy(
        "loaded a table of %(rows)s locator", "loaded a table of %(rows)s locators", "rows"
    ),
    "drop_locators": ngettext_lazy(
        "took away the table of %(rows)s locator",
        "took away the table of %(rows)s locators",
        "rows",
    ),
    "withheld": gettext_lazy("did something that is not public"),
}
"""Verbs that are not steps of the workflow; steps have their phrases in their records."""

CLOCK_PHRASES: dict[str, Words] = {
    "reminder": ngettext_lazy(
        "sent a reminder: the request has waited for %(days)s day",
        "sent a reminder: the request has waited for %(days)s days",
        "days",
    ),
    "expert-lost": gettext_lazy(
        "told the lead expert that %(expert)s cannot judge the request now, and no longer counts "
        "as being on it"
    ),
    "recognition": ngettext_lazy(
        "reminded the standards body that %(organization)s asked to be recognised %(days)s day ago",
        "reminded the standards body that %(organization)s asked to be recognised %(days)s days "
        "ago",
        "days",
    ),
}
"""What the scheduler did, by the kind of deadline that had passed."""

NEXT_PHRASES: dict[State, Words] = {
    State.DRAFT: gettext_lazy("Once it is sent, the text is public and experts review it."),
    State.IN_REVIEW: gettext_lazy(
        "Experts approve it, ask for changes or decline it, and give their reasons here."
    ),
    State.CHANGES_REQUESTED: gettext_lazy(
        "The registrant edits the text and sends the next round."
    ),
    State.APPROVED: gettext_lazy(
        "The registrar checks the hard rules once more, assigns the identifier and publishes."
    ),
    State.REPORTED: gettext_lazy(
        "The standards body directs registration, sends the request back or refuses it."
    ),
    State.ADVISORY: gettext_lazy(
        "Experts advise; the organization decides when to ask for registration."
    ),
    State.DECLINED: gettext_lazy(
        "The registrant may change the text and send it again, or withdraw the request."
    ),
    State.APPEALED: gettext_lazy("The standards body hears the appeal."),
}
"""What happens next in a state, whatever else is true of the request."""


REMARK_VERBS = frozenset({"remark", "drop_remark", "reopen_remark"})
"""Remarks are shown next to their passages, and decide nothing."""


class _NotKnown(int):
    """A value that the journal does not have: shown as such, and plural in texts with a count."""

    def __str__(self) -> str:
        return _("(not known)")


class _UnknownAsDefault(dict[str, object]):
    def __missing__(self, key: str) -> _NotKnown:
        return _NotKnown(2)


@dataclass(frozen=True, slots=True)
class EventMessage:
    """One event in words: who did what, and the states before and after it."""

    event: Event
    words: str
    source: str
    target: str
    roles: tuple[Role, ...] = ()

    @property
    def checklist(self) -> list[tuple[ChecklistQuestion, str]]:
        """The expert's answers to the checklist, published with the decision."""
        answers = self.event.data.get("checklist", {})
        return [
            (asked, str(ChecklistChoice(answers[asked.slug]).label))
            for asked in QUESTIONS
            if answers.get(asked.slug) in ChecklistChoice
        ]

    @property
    def unanswered(self) -> list[ChecklistQuestion]:
        """The questions that a favourable decision left open, with a reason."""
        left = self.event.data.get("unanswered", {}).get("questions", ())
        return [asked for asked in QUESTIONS if asked.slug in left]

    @property
    def explanations(self) -> list[tuple[str, str]]:
        """What else a favourable decision explains, with a heading for each."""
        headings = {
            "haste": _("Why before the end of comments:"),
            "acts_for": _("How it is known that the author acts for the organization:"),
        }
        given = self.event.data
        return [(heading, str(given[name])) for name, heading in headings.items() if name in given]

    @property
    def unanswered_word(self) -> str:
        """Why they were left open."""
        return str(self.event.data.get("unanswered", {}).get("word", ""))


def describe_events(events: Iterable[Event]) -> list[EventMessage]:
    """Return the events in words, each with the offices its author holds now."""
    listed = list(events)
    roles = User.objects.roles_of(event.actor_id for event in listed)
    return [
        EventMessage(
            event,
            describe_event(event),
            label_event_state(event, event.source),
            label_event_state(event, event.target),
            roles.get(event.actor_id or 0, ()),
        )
        for event in listed
    ]


def describe_event(event: Event) -> str:
    """Describe the event, to follow the name of its author."""
    known = enums.find_verb(event.verb)
    words = known.describe(event) if known else EVENT_PHRASES.get(event.verb)
    if event.verb == "comment" and event.data.get("channel") == MessageChannel.LIST:
        words = gettext_lazy("took message %(message)s of the discussion from the mailing list")
    elif kind := event.data.get("kind"):
        # A step of a series and its repetitions are numbered, as in `reminder-3-again-1`.
        words = CLOCK_PHRASES.get(re.sub(r"(-again)?-[0-9]+", "", str(kind)), words)
    if not words:
        return event.verb.replace("_", " ")
    # A lazy text with a count needs the number before it can choose singular or plural.
    return str(words % _UnknownAsDefault(event.data))


def label_event_state(event: Event, value: str) -> str:
    """Return the label of a state before or after an event."""
    asked = event.registration_request if value == State.APPROVED else None
    return label_state(value, changes_facts=asked is not None and asked.changes_facts)


def label_state(value: str, *, changes_facts: bool) -> str:
    """Return the label of a stored state.

    Nobody approves a change of facts: once it is sent, it is with the registrar.
    """
    if changes_facts and value == State.APPROVED:
        return str(UnapprovedState.WITH_REGISTRAR.label)
    return str(State(value).label) if value in State else value
