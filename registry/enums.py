"""Vocabularies of columns and cookies, with their labels on pages, and the journal's verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Any, Final

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    EXPERT = "designated expert", _("Designated expert")
    LEAD = "lead expert", _("Lead expert")
    REGISTRAR = "registrar", _("Registrar")
    STANDARDS_BODY = "standards body", _("Standards body")
    ADMINISTRATOR = "administrator", _("Administrator")


class TokenScope(models.TextChoices):
    """What a token may be used for; each scope is granted separately."""

    READ = "read", _("Read what I may read")
    WRITE = "write", _("Write in my name")
    PUBLISH = "publish", _("Register, and give my word as an officer or holder")


class AccountEventKind(models.TextChoices):
    """What happened to an account, in its log."""

    SIGNED_IN = "signed_in", _("Signed in")
    SIGN_IN_FAILED = "sign_in_failed", _("A sign-in failed")
    LOCKED = "locked", _("Too many attempts: asked to wait, or for a code")
    REAUTHENTICATED = "reauthenticated", _("Confirmed who it is")
    SESSION_EXPIRED = "session_expired", _("A session ended by its time limit")
    SESSIONS_ENDED = "sessions_ended", _("Sessions ended")
    RESET_LINK_USED = "reset_link_used", _("Link to choose a new password used")
    PASSWORD_CHANGED = "password_changed", _("Password changed")
    ADDRESS_ADDED = "address_added", _("Mail address added")
    ADDRESS_CHANGED = "address_changed", _("Main mail address changed")
    ADDRESS_REMOVED = "address_removed", _("Mail address removed")
    FACTOR_ADDED = "factor_added", _("Second factor added")
    FACTOR_REMOVED = "factor_removed", _("Second factor removed")
    FACTOR_FAILED = "factor_failed", _("A second factor was wrong")
    CODES_MADE = "codes_made", _("Recovery codes made")
    CHANGE_ANNOUNCED = "change_announced", _("Change announced")
    CHANGE_STOPPED = "change_stopped", _("Change stopped")
    RESET_DONE = "reset_done", _("Second factor reset")
    TOKEN_MADE = "token_made", _("Token made")
    TOKEN_REVOKED = "token_revoked", _("Token revoked")
    TOKENS_ENDED = "tokens_ended", _("Tokens ended")
    ROLE_GIVEN = "role_given", _("Role given")
    ROLE_TAKEN = "role_taken", _("Role taken")
    SWITCHED_OFF = "switched_off", _("Account switched off")
    SWITCHED_ON = "switched_on", _("Account switched on")
    LETTER_BOUNCED = "letter_bounced", _("A letter came back: the address has to be confirmed")
    CONNECTED = "connected", _("Account elsewhere connected")
    DISCONNECTED = "disconnected", _("Account elsewhere disconnected")


class OfficerChangeKind(models.TextChoices):
    """What changes who may decide."""

    GIVE_ROLE = "give_role", _("Give a role")
    TAKE_ROLE = "take_role", _("Take a role")
    CLOSE_ACCOUNT = "close_account", _("Close an account")
    CHANGE_ADDRESS = "change_address", _("Change a mail address")
    RESET_FACTOR = "reset_factor", _("Reset a second factor")


class NamespaceKind(models.TextChoices):
    """The two kinds of URN namespaces (RFC 8141, section 5)."""

    FORMAL = "formal", _("Formal")
    INFORMAL = "informal", _("Informal")


class NamespaceStatus(models.TextChoices):
    """The current status of a registered namespace; none of these frees its NID."""

    ACTIVE = "active", _("Active")
    DEPRECATED = "deprecated", _("Deprecated")
    OBSOLETE = "obsolete", _("Obsolete")


class SearchKind(models.TextChoices):
    """The kinds of search results, labelled as their groups."""

    NAMESPACE = "namespace", _("Namespaces")
    REQUEST = "request", _("Requests")
    ORGANIZATION = "organization", _("Organizations")
    GUIDE = "guide", _("Guide")
    VOCABULARY = "vocabulary", _("Related registries")

    @property
    def singular(self) -> Promise:
        """The label of a single result."""
        return {
            SearchKind.NAMESPACE: _("Namespace"),
            SearchKind.REQUEST: _("Request"),
            SearchKind.ORGANIZATION: _("Organization"),
            SearchKind.GUIDE: _("Guide"),
            SearchKind.VOCABULARY: _("Related registry"),
        }[self]


class ChangeKind(models.TextChoices):
    """What a request asks for."""

    NEW = "new", _("New namespace")
    REVISION = "revision", _("Revision")
    CONTACT = "contact", _("Change of contact")
    REFERENCE = "reference", _("Change of reference")
    TRANSFER = "transfer", _("Transfer")
    STATUS = "status", _("Change of status")
    RENAME = "rename", _("Change of the registrant’s name")


class RequestPath(models.TextChoices):
    """The rules by which a request is decided (RFC 8141, sections 5.2, 6.2 and 6.3)."""

    COMMUNITY = "community", _("Formal, expert review")
    FAST_TRACK = "fast_track", _("Formal, fast track")
    INFORMAL = "informal", _("Informal")


SMALL_CHANGES = frozenset(
    {
        ChangeKind.CONTACT,
        ChangeKind.REFERENCE,
        ChangeKind.TRANSFER,
        ChangeKind.STATUS,
        ChangeKind.RENAME,
    }
)
"""Changes of facts: the registrar checks proof and publishes, without experts or a new Version."""


class State(models.TextChoices):
    DRAFT = "draft", _("Draft")
    IN_REVIEW = "in_review", _("In review")
    CHANGES_REQUESTED = "changes_requested", _("Changes asked for")
    APPROVED = "approved", _("Approved")
    REPORTED = "reported", _("With the standards body")
    ADVISORY = "advisory", _("Fast track, advice open")
    DECLINED = "declined", _("Declined")
    APPEALED = "appealed", _("Under appeal")
    REGISTERED = "registered", _("Registered")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    REFUSED = "refused", _("Refused")
    EXPIRED = "expired", _("Expired")


class UnapprovedState(models.TextChoices):
    """What readers are told instead of *Approved*, where nobody approved the change."""

    WAITING_FOR_HOLDER = "waiting_for_holder", _("Waiting for the holder")
    WITH_REGISTRAR = "with_registrar", _("With the registrar")


class Turn(models.TextChoices):
    """Who must act next."""

    REGISTRANT = "registrant", _("the registrant")
    EXPERTS = "experts", _("the designated experts")
    LEAD = "lead", _("the lead expert, to assign experts")
    REGISTRAR = "registrar", _("the registrar")
    STANDARDS_BODY = "standards_body", _("the standards body")
    ADMINISTRATOR = "administrator", _("an administrator, since nobody else can act")
    BODY = "body", _("the organization that asks")
    HOLDER = "holder", _("the organization whose consent is needed")
    NOBODY = "nobody", _("nobody")


IDLE_STATES = frozenset({State.DRAFT, State.CHANGES_REQUESTED, State.DECLINED})
"""States in which a request expires if nobody touches it for long."""
END_STATES = frozenset({State.REGISTERED, State.WITHDRAWN, State.REFUSED, State.EXPIRED})
UNSUCCESSFUL_STATES = END_STATES - {State.REGISTERED}
LIVE_STATES = frozenset(State) - END_STATES
REVIEW_STATES = frozenset({State.IN_REVIEW, State.ADVISORY})
PAUSABLE_STATES = REVIEW_STATES | {State.REPORTED, State.APPROVED}
"""States in which deadlines pause while only the holder's consent or recognition is missing."""
EXPERT_STATES = REVIEW_STATES | {State.REPORTED}
"""States in which experts take a request and step back from it."""
RECUSAL_STATES = EXPERT_STATES | {State.APPROVED}
"""States in which an expert can leave a request, and their decision falls with them."""
WRITABLE_STATES = IDLE_STATES | {State.ADVISORY, State.APPEALED}
"""States in which there may be a draft to write; under appeal only if the request was declined."""

TURN_BY_STATE = {
    State.DRAFT: Turn.REGISTRANT,
    State.IN_REVIEW: Turn.EXPERTS,
    State.CHANGES_REQUESTED: Turn.REGISTRANT,
    State.APPROVED: Turn.REGISTRAR,
    State.REPORTED: Turn.STANDARDS_BODY,
    State.ADVISORY: Turn.BODY,
    State.DECLINED: Turn.REGISTRANT,
    State.APPEALED: Turn.STANDARDS_BODY,
} | dict.fromkeys(END_STATES, Turn.NOBODY)


REGISTRANT_STATES = frozenset(
    state for state, turn in TURN_BY_STATE.items() if turn in {Turn.REGISTRANT, Turn.BODY}
)
"""States in which a request waits for its authors."""


def whose_turn(state: State, *, is_taken: bool) -> Turn:
    """Return whose turn it is; a review without an expert to decide waits for the lead."""
    return Turn.LEAD if state == State.IN_REVIEW and not is_taken else TURN_BY_STATE[state]


class GrammarKind(models.TextChoices):
    """How the structure of a name is given (RFC 8141, section 6.4.2, item 1)."""

    NONE = "", _("Not given")
    ABNF = "abnf", _("ABNF")
    REGEX = "regex", _("Regular expression")
    OPAQUE = "opaque", _("Opaque: names have no structure to check")
    ALGORITHMIC = "algorithmic", _("Made by an algorithm")


class KnownIssues(models.TextChoices):
    """Whether issues of interoperability are known (RFC 8141, section 6.4.5)."""

    UNANSWERED = "", _("Not answered")
    YES = "yes", _("Yes")
    NONE = "none", _("None known")


class ResolutionIntention(models.TextChoices):
    """Whether it is intended that names are resolved (RFC 8141, section 6.4.6)."""

    UNANSWERED = "", _("Not answered")
    YES = "yes", _("Yes")
    NO = "no", _("No")
    UNDECIDED = "undecided", _("Not decided")


TEMPLATE_CHOICES: Final[dict[str, type[models.TextChoices]]] = {
    "grammar_kind": GrammarKind,
    "known_issues": KnownIssues,
    "resolution_intended": ResolutionIntention,
}
"""The values of those fields of a template that are no free text."""


class ReservedList(models.TextChoices):
    """Lists of names that a new NID could be confused with (RFC 8141, section 5.1)."""

    SCHEME = "scheme", _("URI scheme")
    COUNTRY = "country", _("ISO 3166-1 code")
    DOMAIN = "domain", _("Top-level domain")
    SYSTEM = "system", _("Identifier system")
    REGISTRY = "registry", _("Kept back by the registry")


class RemarkWeight(models.TextChoices):
    """How important a person's remark is."""

    MUST_FIX = "must_fix", _("Must fix")
    ADVICE = "advice", _("Advice")
    QUESTION = "question", _("Question")


class Settlement(models.TextChoices):
    """How a remark was settled."""

    OPEN = "open", _("Open")
    CHANGED = "changed", _("Changed")
    EXPLAINED = "explained", _("Explained")
    DROPPED = "dropped", _("Dropped")


class MessageAudience(models.TextChoices):
    PUBLIC = "public", _("Everybody")
    EXPERTS = "experts", _("Experts only")


class MessageMark(models.TextChoices):
    """What a message of the discussion is, if it is more than a comment."""

    ADVICE = "advice", _("Advice of an expert")
    INVITED = "invited", _("Advice by invitation")
    CHALLENGE = "challenge", _("Challenge of an expert")
    ANSWER = "answer", _("Answer to a challenge")


class MessageChannel(models.TextChoices):
    SITE = "site", _("This site")
    LIST = "list", _("The mailing list")


class ChecklistChoice(models.TextChoices):
    """An answer to a question of the checklist."""

    YES = "yes", _("Yes")
    NO = "no", _("No")
    UNSURE = "unsure", _("Unsure")


class LetterDelivery(models.TextChoices):
    """When a person wants to get letters about what they follow."""

    AT_ONCE = "at_once", _("At once, one letter for each step")
    DIGEST = "digest", _("Once a day, together")


class LetterReason(models.TextChoices):
    """Why somebody gets a letter, strongest reason first; the letter contains the label."""

    REGISTRANT = "registrant", _("You write this request, or act for the organization that asks.")
    EXPERT = "expert", _("You are an expert on this request.")
    LEAD = "lead", _("You lead the experts.")
    REGISTRAR = "registrar", _("You are the registrar.")
    STANDARDS_BODY = "standards_body", _("You speak for the standards body.")
    ADMINISTRATOR = "administrator", _("You keep accounts and roles.")
    APPELLANT = "appellant", _("You appealed against a decision on this request.")
    HOLDER = "holder", _("You speak for an organization whose consent this needs.")
    NEIGHBOUR = (
        "neighbour",
        _("The identifier asked for looks like that of a namespace that you answer for."),
    )
    NAMESAKE = (
        "namesake",
        _(
            "The name of the organization that asks is like that of yours. It is on record that "
            "they are two; you can object."
        ),
    )
    RIVAL = "rival", _("You write or review another request for the same identifier or namespace.")
    NAMED = "named", _("It is about something that you did or asked for.")
    CONTACT = "contact", _("You are named as the contact of this namespace.")
    BODY = (
        "body",
        _(
            "Your organization is named in this request. That gives nobody a right to "
            "the namespace."
        ),
    )
    WATCHER = "watcher", _("You follow this.")
    DIGEST = "digest", _("You read this once a day, together.")
    LIST = "list", _("This list gets every public step.")
    ACCOUNT = "account", _("It is about an account with this address.")


class EvidenceKind(models.TextChoices):
    """What the registrar records of an organization, with a source."""

    ALIAS = "alias", _("Alias")
    FORMER_NAME = "former_name", _("Former name")
    PUBLIC_ID = "public_id", _("Public identifier")
    OTHER_BODY = "other_body", _("Not the same body as")
    WEBSITE = "website", _("Website")


class SpeakerBasis(models.TextChoices):
    """How it is known that somebody speaks for an organization, or for one namespace."""

    NAMED = "named", _("Named by a delegate")
    MAIL = "mail", _("A letter to an address of its domain")
    DNS = "dns", _("A TXT record of its domain")
    FILE = "file", _("A file on its site")
    EVIDENCE = "evidence", _("Evidence that the registrar recorded")
    OFFER = "offer", _("Offered to the author of a new namespace")


class SpeakerState(models.TextChoices):
    """Whether somebody can act by it."""

    ASKED = "asked", _("Not shown yet")
    WAITING = "waiting", _("Waits")
    IN_EFFECT = "in_effect", _("In effect")
    STOPPED = "stopped", _("Stopped until the standards body rules")
    ENDED = "ended", _("Ended")


class SpeakerEnd(models.TextChoices):
    """Why somebody no longer speaks for an organization, or never came to."""

    LEFT = "left", _("They left")
    REMOVED = "removed", _("A delegate removed them")
    TAKEN_BACK = "taken_back", _("Taken back by who recorded it")
    RULED = "ruled", _("The standards body ruled")
    UNANSWERED = "unanswered", _("The yearly letter went unanswered")
    TRANSFERRED = "transfer", _("The namespace changed hands")
    LAPSED = "lapsed", _("Lapsed before it took effect")


class AppealGround(models.TextChoices):
    """Why a decision should not stand; what was heard on one ground is heard on another."""

    PROCESS = "process", _("The process was not followed, or a view was not considered")
    JUDGEMENT = "judgement", _("The judgement is wrong")
    RIGHTS = "rights", _("It harms names, or a use of them, that exist already")
    RULE = "rule", _("A hard rule of RFC 8141 is broken")
    RECOGNITION = "recognition", _("The fast track is not for this organization")


class AppealOutcome(models.TextChoices):
    """How an appeal ends."""

    STANDS = "stands", _("The decision stands")
    GOES_BACK = "goes_back", _("It goes back to those who decided")
    ANEW = "anew", _("It is decided anew")
    CORRECT = "correct", _("The entry is to be corrected")
    DEPRECATE = "deprecate", _("The namespace is to be deprecated")


class ObstacleKind(StrEnum):
    """What prevents publication; it says whose turn it is to remove it."""

    TEXT = "text"
    """A hard rule is broken, the NID is taken, or a finding blocks: the registrant's."""
    OBJECTION = "objection"
    """Somebody who may has objected: theirs, or the standards body's, which rules on it."""
    CONSENT = "consent"
    """The consent of a body that the request speaks for is missing: theirs."""
    WAITING = "waiting"
    """It is given, and takes effect some days later."""
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


class EvidenceAbout(models.TextChoices):
    """What the registrar has seen, about one round of a request."""

    CONSENT = "consent", _("A body consents that answers without an account")
    RFC = "rfc", _("A published RFC itself makes the change")
    LIST = "list", _("The text was posted to the discussion list")


class Ruling(models.TextChoices):
    """What the standards body rules on without changing the state of a request."""

    OBJECTION = "objection", _("The objection does not stop this text")
    OBJECTIONS = "objections", _("The objection stops neither this text nor the rounds to come")
    HOLDER = "holder", _("The holder is disputed or cannot be found: this text may be published")


class DesignatorStatus(models.TextChoices):
    """How established a resolution service is (draft -03, section 9.2.2)."""

    STANDARD = "std", _("Standard")
    EXPERIMENTAL = "exp", _("Experimental")
    PROVISIONAL = "provisional", _("Provisional")
    DEPRECATED = "deprecated", _("Deprecated")


class KeywordScope(models.TextChoices):
    """Which namespaces a query keyword is for (draft -03, section 9.2.1)."""

    GLOBAL = "global", _("Every namespace that adopts it")
    SPECIFIC = "specific", _("Certain namespaces")


class HoldGround(models.TextChoices):
    """The only two grounds for holding back a NID (docs/process.md, NIDs)."""

    COURT = "court", _("A court order")
    DIRECTION = "direction", _("A direction of the standards body")


class DisputeKind(models.TextChoices):
    """What the registrar records between parties about a namespace, without judging it."""

    DISPUTE = "dispute", _("Dispute")
    AGREEMENT = "agreement", _("Agreement")


class ProbeResult(models.TextChoices):
    """The result of the last probe of a resolution service."""

    NOT_CHECKED = "not_checked", _("Not checked yet")
    ANSWERED = "answered", _("Answered")
    SILENT = "silent", _("Did not answer")


class TableState(models.TextChoices):
    """The progress of loading a locator table."""

    WAITING = "waiting", _("Waits to be loaded")
    LOADING = "loading", _("Being loaded")
    CURRENT = "current", _("In use")
    REPLACED = "replaced", _("Replaced by a newer one")
    REFUSED = "refused", _("Refused")
    STOPPED = "stopped", _("Stopped before its end")
    DROPPED = "dropped", _("Taken away")


class WebhookTopic(models.TextChoices):
    """What a webhook gets: the same as the feed of that page."""

    REQUESTS = "requests", _("All requests")
    NAMESPACES = "namespaces", _("New and changed namespaces")
    REQUEST = "request", _("One request")
    NAMESPACE = "namespace", _("One identifier")


class Theme(models.TextChoices):
    """The colours of the pages, as stored in a cookie."""

    SYSTEM = "system", _("As the system")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


# `registry.workflow.transitions` declares the workflow's verbs, but most modules that need them are
# below it; it registers them here when the application starts.

Words = str | Promise


class VerbKind(Enum):
    """What a step means to readers of the journal; a verb may be of several kinds."""

    SENDS_ROUND = auto()
    ASKS_FOR_ROUND = auto()
    """The person taking it supports the round that it names."""
    BEGINS_REVIEW = auto()
    """Another person, or another day: the review period starts again."""
    BRINGS_EXPERT = auto()
    TAKES_EXPERT_OFF = auto()
    """The acting expert leaves; if the registry acts, all of them do."""
    EXPERT_DECISION = auto()
    """In the states of other offices, these take it."""
    RULING = auto()
    """The standards body's decisions."""
    APPEAL_OUTCOME = auto()
    FAVOURABLE = auto()
    """It brings the text nearer to the registrar."""
    ASKS_FOR_CHANGES = auto()
    APPROVAL = auto()
    REPORT = auto()
    DIRECTION = auto()
    RECONSIDERS = auto()
    """A decision or a confirmation, named by its number, is taken back."""
    APPEAL = auto()
    CONSENT = auto()
    """Somebody consents for a body that the request speaks for."""
    EVIDENCE = auto()
    """The registrar records what was seen."""
    SECOND_OFFICER = auto()
    """Another officer than the one publishing confirms a change or evidence."""
    OBJECTION = auto()
    """Somebody stops it, or takes that back."""
    PUBLICATION = auto()
    EXPIRY = auto()
    """The scheduler takes it when nobody has continued writing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb of the journal; `done` follows the name of the person who did it.

    It is a function of the event if the verb is described in several ways.
    """

    verb: str
    done: Words | Callable[[Any], Words]
    kinds: frozenset[VerbKind] = frozenset()

    def describe(self, event: Any) -> Words:
        """Return the description of `event`, with placeholders for its data."""
        return self.done(event) if callable(self.done) else self.done


_REGISTERED: dict[str, Verb] = {}


def register_verbs(verbs: Iterable[Verb]) -> None:
    """Make verbs known to all readers of the journal."""
    _REGISTERED.update({each.verb: each for each in verbs})


def find_verb(verb: str) -> Verb | None:
    """Return the record of a verb, or None for actions that are not steps of the workflow."""
    return _REGISTERED.get(verb)


def list_verbs_of_kind(*kinds: VerbKind) -> list[str]:
    """Return the verbs that are of one of these kinds, in the order of the table."""
    found = [each.verb for each in _REGISTERED.values() if not each.kinds.isdisjoint(kinds)]
    if not found:
        raise LookupError(f"No verb of {kinds} is registered: is the workflow loaded?")
    return found


def only_of_kind(kind: VerbKind) -> str:
    """Return the only verb of a kind."""
    (verb,) = list_verbs_of_kind(kind)
    return verb


def is_verb_of_kind(verb: str, *kinds: VerbKind) -> bool:
    """Whether the journal's `verb` is of one of these kinds."""
    known = find_verb(verb)
    return known is not None and not known.kinds.isdisjoint(kinds)
