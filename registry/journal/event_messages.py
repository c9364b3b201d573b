"""The journal of a request in the words of its pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _, gettext_lazy

from registry import enums
from registry.enums import ChecklistChoice, MessageChannel, Role, State, Words
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
    "hide_message": gettext_lazy("hid message %(message)s of the discussion from readers"),
    "show_message": gettext_lazy("showed message %(message)s of the discussion again"),
    "invite": gettext_lazy("invited somebody to co-edit the request"),
    "take_invitation_back": gettext_lazy("took back an invitation to co-edit the request"),
    "join": gettext_lazy("became a co-editor of the request"),
    "remove_co_editor": gettext_lazy("took %(co_editor)s off as co-editor"),
    "name_delegate": gettext_lazy("named %(delegate)s a delegate of %(organization)s"),
    "remove_delegate": gettext_lazy("took %(delegate)s off the delegates of %(organization)s"),
    "prove": gettext_lazy("proved to act for %(organization)s, by %(found)s"),
    "note_sighting": gettext_lazy("noted %(nid)s as in use without registration"),
    "correct_sighting": gettext_lazy("corrected the sighting of %(nid)s"),
    "notify_sighting": gettext_lazy("wrote to those who use %(nid)s how to register it"),
    "withdraw_sighting": gettext_lazy("withdrew the sighting of %(nid)s"),
    "add_service": gettext_lazy("added a resolution service of %(nid)s: %(service)s, %(template)s"),
    "change_service": gettext_lazy(
        "changed a resolution service of %(nid)s: %(service)s, %(template)s"
    ),
    "withdraw_service": gettext_lazy(
        "took away a resolution service of %(nid)s: %(service)s, %(template)s"
    ),
    "import_services": gettext_lazy(
        "took over %(count)s resolution services of %(nid)s from public knowledge"
    ),
    "add_keyword": gettext_lazy("entered the query keyword %(keyword)s (%(reference)s)"),
    "change_keyword": gettext_lazy("changed the query keyword %(keyword)s (%(ground)s)"),
    "add_designator": gettext_lazy(
        "entered the resolution service designator %(name)s (%(reference)s)"
    ),
    "change_designator": gettext_lazy(
        "changed the resolution service designator %(name)s (%(ground)s)"
    ),
    "say_website": gettext_lazy("entered the website of %(organization)s: %(website)s"),
    "ask_recognition": gettext_lazy("asked that %(organization)s be recognised"),
    "recognise": gettext_lazy("recognised %(organization)s for the fast track"),
    "refuse_recognition": gettext_lazy("refused to recognise %(organization)s"),
    "load_locators": gettext_lazy("loaded a table of %(rows)s locators"),
    "drop_locators": gettext_lazy("took away the table of %(rows)s locators"),
    "withheld": gettext_lazy("did something that is not for everybody to read"),
}
"""Acts that are no steps of the workflow; what is told of those stands in their records."""

CLOCK_PHRASES: dict[str, Words] = {
    "first-answer": gettext_lazy("told the lead expert that nobody has taken the request yet"),
    "untaken": gettext_lazy(
        "escalated to the registrar and the standards body: nobody took the request for "
        "%(days)s days"
    ),
    "review": gettext_lazy("reminded the experts, who were silent for %(days)s days"),
    "review-lead": gettext_lazy(
        "escalated to the lead expert: the experts were silent for %(days)s days"
    ),
    "review-all": gettext_lazy(
        "escalated to the registrar and the standards body: the experts were silent for "
        "%(days)s days"
    ),
    "decision": gettext_lazy(
        "escalated to the lead expert: the promised day of the decision is over"
    ),
    "publication": gettext_lazy(
        "raised the alarm: approved %(days)s days ago, and not registered yet"
    ),
    "publication-all": gettext_lazy(
        "escalated to the standards body: approved %(days)s days ago, and not registered yet"
    ),
    "direction": gettext_lazy(
        "raised the alarm: the standards body has not answered by the promised day"
    ),
    "reminder": gettext_lazy("reminded the registrant: nobody edited the text for %(days)s days"),
}
"""What the clock did, by the kind of deadline that was over."""

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
"""What is said of passages has a place of its own beside them, and decides nothing."""


class _UnknownAsDefault(dict[str, object]):
    """What the journal does not tell is shown as such."""

    def __missing__(self, key: str) -> str:
        return _("(not known)")


@dataclass(frozen=True, slots=True)
class EventMessage:
    """One event as people read it: who did what, and the states between which it lies."""

    event: Event
    words: str
    source: str
    target: str
    roles: tuple[Role, ...] = ()

    @property
    def checklist(self) -> list[tuple[ChecklistQuestion, str]]:
        """What an expert answered to the checklist, published with the decision."""
        answers = self.event.data.get("checklist", {})
        return [
            (asked, str(ChecklistChoice(answers[asked.slug]).label))
            for asked in QUESTIONS
            if answers.get(asked.slug) in ChecklistChoice
        ]


def describe_events(events: Iterable[Event]) -> list[EventMessage]:
    """Return the events in words, each with the offices that whoever did it holds now."""
    listed = list(events)
    roles = User.objects.roles_of(event.actor_id for event in listed)
    return [
        EventMessage(
            event,
            describe_event(event),
            label_state(event.source),
            label_state(event.target),
            roles.get(event.actor_id or 0, ()),
        )
        for event in listed
    ]


def describe_event(event: Event) -> str:
    """Return what the event tells, to be read after the name of who did it."""
    known = enums.find_verb(event.verb)
    words = known.describe(event) if known else EVENT_PHRASES.get(event.verb)
    if event.verb == "comment" and event.data.get("channel") == MessageChannel.LIST:
        words = gettext_lazy("took message %(message)s of the discussion from the mailing list")
    elif kind := event.data.get("kind"):
        words = CLOCK_PHRASES.get(str(kind).rstrip("-0123456789"), words)
    return str(words) % _UnknownAsDefault(event.data) if words else event.verb.replace("_", " ")


def label_state(value: str) -> str:
    """Return the words for a stored state."""
    return str(State(value).label) if value in State else value
