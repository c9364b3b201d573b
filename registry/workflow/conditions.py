"""What must be true before a step is taken. Each returns what prevents the step, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from registry import permissions, selectors
from registry.enums import (
    IDLE_STATES,
    LIVE_STATES,
    ChangeKind,
    EvidenceAbout,
    ObstacleKind,
    RequestPath,
    Role,
    Ruling,
    Settlement,
    State,
    VerbKind,
    Words,
)
from registry.models import Namespace, RegistrationRequest, Remark, Round, User
from registry.permissions import Person
from registry.selectors import consent
from registry.selectors.appeals import find_stay_end, is_directed_anew
from registry.selectors.base_versions import explain_old_base
from registry.selectors.case import Party
from registry.selectors.challenges import describe_challenge, find_open_challenges
from registry.selectors.deadlines import find_expiry
from registry.selectors.explanations import list_explanations
from registry.selectors.mailing_list import explain_unlisted_text
from registry.selectors.publication import (
    explain_low_version,
    explain_unknown_version,
    list_publication_obstacles,
    may_be_mended,
)
from registry.selectors.request_clock import read_request_clock
from registry.selectors.requests import list_rival_texts
from registry.selectors.withdrawals import find_undoable_withdrawal, may_undo
from registry.template import field
from registry.urn import Severity
from registry.workflow import drafts
from registry.workflow.step import (
    ActionRefused,
    Step,
    depends_on_input,
    explain_mirror,
    reasons_given,
)


def nothing_blocks(step: Step) -> Words:
    """The draft breaks no hard rule."""
    draft = step.registration_request.draft
    if draft is None:
        return _("There is no draft to send.")
    found = selectors.list_findings(step.registration_request, draft.template, facts=draft.facts)
    blocks = sum(finding.severity is Severity.BLOCK for finding in found)
    return (
        ngettext(
            "%(count)d thing must be fixed before the request can be sent.",
            "%(count)d things must be fixed before the request can be sent.",
            blocks,
        )
        % {"count": blocks}
        if blocks
        else ""
    )


@depends_on_input
def draft_as_seen(step: Step) -> Words:
    """The text being sent is the text the person read."""
    seen = step.data.get("edition")
    drafts = step.registration_request.rounds.select_for_update(no_key=True)
    draft = drafts.filter(submitted_at__isnull=True).first()
    if draft is None or seen is None or draft.edition == seen:
        return ""
    return _("The draft was changed after you opened this page. Read it again before you send it.")


def written_from_version_in_force(step: Step) -> Words:
    """The text was written from the version in force, so that it takes nothing back unseen."""
    draft = step.registration_request.draft
    return explain_old_base(step.registration_request, draft) if draft else ""


def something_changed(step: Step) -> Words:
    """A new round differs from the previous one."""
    draft, last = step.registration_request.draft, step.registration_request.last_round
    if draft is None or last is None or draft.base_id != last.base_id:
        return ""
    before = last.template
    same = (
        draft.template.replace(version=before.version, date=before.date) == before
        and draft.facts == last.facts
    )
    return _("Nothing has changed since the last round.") if same else ""


def list_unchanged_remarks(registration_request: RegistrationRequest) -> list[Remark]:
    """Return the remarks whose prepared answer is a change, and whose section has none."""
    draft = registration_request.draft
    if draft is None:
        return []
    changed = registration_request.remarks.open().filter(draft_settlement=Settlement.CHANGED)
    return [
        remark
        for remark in changed.select_related("round")
        if draft.template[remark.section] == remark.round.template[remark.section]
    ]


@depends_on_input
def remarked_text_changed(step: Step) -> Words:
    """Who answers that the text was changed has changed it, or says that it was elsewhere."""
    remarks = list_unchanged_remarks(step.registration_request)
    if not remarks or step.data.get("changed_elsewhere"):
        return ""
    return _(
        "You answered that you changed the text, but these sections have not changed: "
        "%(sections)s. Change them, explain why not, or say that the change is in another section."
    ) % {"sections": name_sections(remarks)}


def name_sections(remarks: Iterable[Remark]) -> str:
    """Return the sections of remarks, with their numbers."""
    return ", ".join(
        _("%(section)s (remark %(number)d)")
        % {"section": field(remark.section).label, "number": remark.number}
        for remark in remarks
    )


def no_standards_action(step: Step) -> Words:
    """If a standard is to result, experts report and a standards body decides (6.2)."""
    if not step.registration_request.standards_action:
        return ""
    return _(
        "The namespace is to become part of a standard, so experts report and the standards "
        "body decides. RFC 8141, section 6.2."
    )


def standards_action(step: Step) -> Words:
    """A report is for requests where standards action is anticipated (6.2)."""
    if step.registration_request.standards_action:
        return ""
    return _("No standards action is anticipated for this request: approve it, or ask for changes.")


def body_decides(step: Step) -> Words:
    """On the fast track the organization decides, unless a standard is to result.

    Report and direction are given in review, so such a request would wait for them for ever.
    """
    if not step.registration_request.standards_action:
        return ""
    return _(
        "The namespace is to become part of a standard, which the standards body decides after "
        "a report of the experts. Change the path to expert review, or say that it is not to "
        "become a standard. RFC 8141, sections 6.2 and 6.3."
    )


def speaks_for_the_body(step: Step) -> Words:
    """The organization's own representative asks for registration (6.3).

    Typing its name at Start gives no rights, and a body's consent to a round gives none either.
    """
    organization = step.registration_request.organization
    if permissions.is_delegate(step.person, step.registration_request):
        return ""
    return _(
        "Only a representative of %(organization)s asks for registration. Prove on the page of "
        "the organization that you act for it. RFC 8141, section 6.3."
    ) % {"organization": organization}


def may_be_published(step: Step) -> Words:
    """The last round could be registered now: nobody approves what cannot be published.

    A ruling is about what prevents that, and is possible meanwhile.
    """
    if step.data.get("ruling"):
        return ""
    return " ".join(each.message for each in list_publication_obstacles(step.case))


def may_be_published_once_asked(step: Step) -> Words:
    """Like `may_be_published`, if the step itself is the consent that is missing."""
    obstacles = list_publication_obstacles(step.case)
    asked = consent.list_people_who_can_consent(step.case)
    return " ".join(
        each.message
        for each in obstacles
        if not (each.kind == ObstacleKind.CONSENT and step.person in asked)
    )


@depends_on_input
def ruling_fits(step: Step) -> Words:
    """After a report it is a direction to register, or a ruling; else a ruling on what there is."""
    ruling, objections = step.data.get("ruling"), consent.list_objections(step.case)
    if not ruling:
        if step.registration_request.state == State.REPORTED:
            return ""
        return _("The experts have not reported on it: say what you rule on.")
    if ruling in {Ruling.OBJECTION, Ruling.OBJECTIONS}:
        return "" if objections else _("Nobody has objected.")
    holders = [each for each in consent.list_consents(step.case) if each.party.is_holder]
    if any(not each.is_given for each in holders):
        return ""
    return _("The holder has consented, or the request changes no registered namespace.")


def not_consented_before(step: Step) -> Words:
    """Somebody consents once to a round, unless they objected since."""
    parties = consent.find_parties_of(step.case, step.person)
    given = [consent.find_consent(step.case, each) for each in parties]
    if given and all(step.person in each.people for each in given):
        return _("You have already consented to this round.")
    return ""


@depends_on_input
def evidence_fits(step: Step) -> Words:
    """The evidence is about this request, and nobody else could say it themselves."""
    about, asked = step.data.get("about"), step.registration_request
    if about == EvidenceAbout.CONSENT:
        party = find_party_with_evidence(step)
        if party is None:
            return _("Say which organization consents: one whose consent this request needs.")
        if step.case.list_speakers(party):
            return _("The registry knows who speaks for %(body)s: they consent themselves.") % {
                "body": party
            }
        return ""
    if about == EvidenceAbout.RFC:
        if asked.change == ChangeKind.REFERENCE:
            return ""
        return _("An RFC itself changes the reference of a namespace, and nothing else.")
    if about == EvidenceAbout.LIST:
        last = step.case.last_round
        return "" if last and step.comment else _("Say where the text was posted.")
    return _("Say what the evidence is about.")


def find_party_with_evidence(step: Step) -> Party | None:
    """Return the body whose consent was seen: the one named, or the only one that is missing."""
    missing = [each.party for each in consent.list_consents(step.case) if not each.is_given]
    body = step.data.get("organization")
    if body:
        return next((each for each in missing if str(each.key[0]) == str(body)), None)
    return missing[0] if len(missing) == 1 else None


def second_officer_confirmed(step: Step) -> Words:
    """Another officer than the one publishing it confirms a transfer or a change of status."""
    if consent.lacks_second_officer(step.case):
        return _(
            "A second officer has to confirm this change first: another registrar, or the "
            "standards body. The officer who confirms it cannot publish it."
        )
    return ""


def confirmed_by_another(step: Step) -> Words:
    """Nobody registers what they confirmed as second officer."""
    if step.actor in consent.list_countersigners(step.case):
        return _("You confirmed this text as second officer. Another officer publishes it.")
    return ""


def not_countersigned_before(step: Step) -> Words:
    """An officer confirms a round once; evidence is confirmed by another than who recorded it."""
    unconfirmed = [each for one in consent.list_consents(step.case) for each in one.unconfirmed]
    if unconfirmed:
        if any(each.actor_id != step.person.pk for each in unconfirmed):
            return ""
        return _("You recorded this evidence. Another officer confirms it.")
    if step.person in consent.list_second_officers(step.case):
        return _("You have already confirmed this round.")
    return ""


def somebody_else_can_publish(step: Step) -> Words:
    """Besides the officer confirming it, another is left to publish it."""
    asked = step.registration_request
    officers = User.objects.filter(
        permissions.q_person_holds_role(Role.REGISTRAR, Role.STANDARDS_BODY)
    )
    confirmed = {each.pk for each in consent.list_countersigners(step.case)}
    others = officers.exclude(pk__in=confirmed | {step.person.pk})
    if any(permissions.may_publish(each, asked) for each in others):
        return ""
    return _(
        "Nobody else could publish this change: whoever confirms it cannot. Leave this to the "
        "standards body, or to another registrar."
    )


RFC_NUMBER: Final = re.compile(r"(?:RFC)?[ -]?([1-9][0-9]{0,4})", re.IGNORECASE)
MAX_RFC_SECTION_LENGTH: Final = 40


@depends_on_input
def rfc_and_section(step: Step) -> Words:
    """The RFC is named, with the section that changes the reference."""
    if step.data.get("about") != EvidenceAbout.RFC:
        return ""
    rfc, section = (str(step.data.get(name) or "").strip() for name in ("rfc", "section"))
    if RFC_NUMBER.fullmatch(rfc) and 0 < len(section) <= MAX_RFC_SECTION_LENGTH:
        return ""
    return _("Enter the number of the RFC, and its section that changes the reference.")


def direction_and_report(step: Step) -> Words:
    """A standards-track request is published only with direction and report (6.2)."""
    registration_request = step.registration_request
    if not registration_request.standards_action:
        return ""
    text = require_last_round(registration_request).sha256
    events = registration_request.events.filter(data__sha256=text).exclude(data__has_key="ruling")
    is_directed = events.of_kind(VerbKind.DIRECTION).exists() or is_directed_anew(events)
    if events.of_kind(VerbKind.REPORT).exists() and is_directed:
        return ""
    return _(
        "Publishing needs the experts' report and the direction of the standards body on "
        "exactly this text. RFC 8141, section 6.2."
    )


def few_are_in_review(step: Step) -> Words:
    """The author has fewer other requests in review than one person can have.

    The next round of a request on the fast track is of one that is there already.
    """
    if step.registration_request.state == State.ADVISORY:
        return ""
    author = step.registration_request.author
    others = RegistrationRequest.objects.filter(author=author, state__in=LIVE_STATES - IDLE_STATES)
    others = others.exclude(pk=step.registration_request.pk)
    if not drafts.is_limited(author) or others.count() < drafts.MAX_REQUESTS_IN_REVIEW:
        return ""
    return _(
        "%(author)s has %(most)d requests in review, the limit for somebody who is no "
        "organization's delegate. Send this one once one of them is decided, or withdraw one."
    ) % {"author": author, "most": drafts.MAX_REQUESTS_IN_REVIEW}


def takes_requests(step: Step) -> Words:
    """This registry takes requests: a mirror of IANA's does not."""
    return explain_mirror()


@depends_on_input
def version_known(step: Step) -> Words:
    """The last version is known and uncontradicted, or the registrar names it and a source."""
    namespace, said = step.registration_request.namespace, step.data.get("last_version")
    if step.registration_request.changes_facts:
        return ""
    if not said:
        return explain_unknown_version(namespace)
    if not step.data.get("last_version_source"):
        return _("Give the source of the last version.")
    return explain_low_version(namespace, str(said))


def must_fix_answered(step: Step) -> Words:
    """Every must-fix remark is answered: changed, or explained.

    On the fast track such a remark is advice (docs/process.md, States): no expert can delay the
    body's next round.
    """
    registration_request = step.registration_request
    if registration_request.path == RequestPath.FAST_TRACK:
        return ""
    unanswered = registration_request.remarks.open().must_fix().filter(draft_settlement="")
    count = unanswered.count()
    if not count:
        return ""
    return ngettext(
        "%(count)d remark that must be fixed has no answer yet: say that you changed the text, or "
        "explain why not.",
        "%(count)d remarks that must be fixed have no answer yet: say that you changed the text, "
        "or explain why not.",
        count,
    ) % {"count": count}


def no_open_must_fix(step: Step) -> Words:
    """No must-fix remark is open."""
    numbers = step.registration_request.remarks.open().must_fix().values_list("number", flat=True)
    if not numbers:
        return ""
    return _(
        "Remarks that must be fixed are open: %(numbers)s. Ask for changes, or drop the remarks."
    ) % {"numbers": ", ".join(map(str, numbers))}


def something_to_mend(step: Step) -> Words:
    """An approved text goes back only for what the registrant can mend: taste is no reason."""
    if may_be_mended(step.registration_request):
        return ""
    return _(
        "Nothing that the registrant could mend prevents registration. Whoever approved the "
        "request can reconsider."
    )


def reconsidered_once(step: Step) -> Words:
    """One decision on a round is taken back, so that it does not go to and fro."""
    last = require_last_round(step.registration_request)
    before = step.registration_request.events.of_kind(VerbKind.RECONSIDERS)
    if not before.filter(data__sha256=last.sha256).exists():
        return ""
    return _("A decision on this round has been taken back before. That happens only once.")


@depends_on_input
def decision_explained(step: Step) -> Words:
    """Open questions, haste, and how it is known for whom the author acts, are explained."""
    missing = (
        each.error_text
        for each in list_explanations(step.registration_request, step.person)
        if not str(step.data.get(each.name) or "").strip()
    )
    return next(missing, "")


def not_decided_alone(step: Step) -> Words:
    """Nobody registers what they approved or directed."""
    decision = permissions.find_decision(step.registration_request)
    if decision is None or decision.actor_id is None or decision.actor != step.actor:
        return ""
    return _(
        "You decided that this text be registered. Another registrar registers it or, where "
        "there is none, the standards body."
    )


def list_has_text(step: Step) -> Words:
    """The discussion list hears of a text before it is permanent."""
    return explain_unlisted_text(step.registration_request)


@depends_on_input
def rivals_named(step: Step) -> Words:
    """When several requests contend, approving one names the others and says why."""
    said = step.comment.upper()
    rivals = list_rival_texts(step.registration_request)
    unnamed = [each.reference for each in rivals if each.reference not in said]
    if not unnamed:
        return ""
    return _(
        "Other requests ask for the same: %(references)s. Name them in your reasons, and say why "
        "this one."
    ) % {"references": ", ".join(unnamed)}


def may_assign_anybody(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may put anybody on the request who is neutral (RFC 8126, section 5.2).

    The standards body does where no designated expert can judge, itself too.
    """
    return (
        permissions.may_direct(person, registration_request)
        and read_request_clock(registration_request).lacks_judge
    )


def may_assign(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may put somebody on the request: experts at least themselves."""
    return permissions.may_assign(person, registration_request) or may_assign_anybody(
        person, registration_request
    )


def find_named_expert(step: Step) -> Person:
    """Return the expert being assigned: the actor unless another is named."""
    expert: Person = step.data.get("expert") or step.actor
    return expert


@depends_on_input
def expert_can_judge(step: Step) -> Words:
    """The person assigned has no stake, and was never on the request.

    They are a designated expert, unless the standards body names them for this request. Experts
    assign themselves; only the lead, the rota and the standards body name somebody else.
    """
    expert, registration_request = find_named_expert(step), step.registration_request
    names_anybody = may_assign_anybody(step.actor, registration_request)
    if expert != step.actor and not (
        names_anybody
        or permissions.may_lead(step.actor, registration_request)
        or permissions.is_the_clock(step.actor, registration_request)
    ):
        return _("Only a lead expert can assign somebody else.")
    if permissions.may_join(expert, registration_request):
        return ""
    if names_anybody and permissions.is_free_to_judge(expert, registration_request):
        return reasons_given(step)
    return _(
        "%(expert)s cannot judge this request: they are not a designated expert, have a stake "
        "in it or a declared conflict, are on it already, or stepped back from it."
    ) % {"expert": expert}


@depends_on_input
def leaver_is_on_it(step: Step) -> Words:
    """Whoever hands over is on the request, and it is said why."""
    leaver, registration_request = step.data.get("leaver"), step.registration_request
    if leaver is None:
        return ""
    if not (
        permissions.may_lead(step.actor, registration_request)
        or may_assign_anybody(step.actor, registration_request)
    ):
        return _("Only a lead expert can take somebody else off.")
    if not permissions.has_taken(leaver, registration_request):
        return _("%(expert)s is not on this request.") % {"expert": leaver}
    return reasons_given(step)


@depends_on_input
def expert_can_leave(step: Step) -> Words:
    """Experts step back themselves, once; the lead takes another off with a reason."""
    if step.data.get("leaver") is not None:
        return leaver_is_on_it(step)
    if permissions.may_step_back(step.actor, step.registration_request):
        return ""
    return _("Name the expert who leaves the request.")


def expert_unchallenged(step: Step) -> Words:
    """A challenge of the expert who decides is answered."""
    for challenge in find_open_challenges(step.registration_request):
        if challenge.challenged == step.actor:
            return describe_challenge(challenge)
    return ""


@depends_on_input
def later_date(step: Step) -> Words:
    """A date can be postponed, but not quietly brought forward."""
    registration_request, due_on = step.registration_request, step.data.get("due_on")
    is_approved = registration_request.state == State.APPROVED
    stay_end = find_stay_end(registration_request)
    if is_approved and stay_end is None:
        return _("No appeal keeps the request from being registered today.")
    promised = stay_end or registration_request.promised_by
    if due_on and due_on > timezone.localdate() and (promised is None or due_on > promised):
        return ""
    return _("Name a day after today and after the one that was promised.")


def specification_given(step: Step) -> Words:
    """The fast track requires a specification (6.3), by the same check as during writing."""
    registration_request = step.registration_request
    template = require_last_round(registration_request).template
    for finding in selectors.list_findings(registration_request, template):
        if finding.check == "documentation.specification":
            return f"{finding.message} {finding.mend}"
    return ""


def idle_long_enough(step: Step) -> Words:
    """Nobody on the registrant's side has acted for as long as it takes to expire."""
    now, standing = timezone.now(), read_request_clock(step.registration_request)
    expiry = find_expiry(standing)
    if expiry is None:
        return _(
            "It waits for the registry; or the organization is asked three times first whether "
            "the request goes on."
        )
    if expiry.at <= now:
        return ""
    days = (now - standing.idle_since).days
    return ngettext(
        "The request was touched %(days)d day ago.",
        "The request was touched %(days)d days ago.",
        days,
    ) % {"days": days}


def overtaken_by_another(step: Step) -> Words:
    """Another request, which is named, was registered under the NID of this one."""
    nid = step.registration_request.nid.lower()
    if step.data.get("winner") and Namespace.objects.filter(nid=nid).exists():
        return ""
    return _("No other request was registered under this identifier.")


def not_reopened(step: Step) -> Words:
    """A request is reopened once; a withdrawal that can be undone is undone instead."""
    heir = step.registration_request.reopened_as.first()
    if heir is None or may_undo(step.actor, step.registration_request):
        return ""
    return _("It has been reopened as %(reference)s.") % {"reference": heir.reference}


def find_state_when_reopened(step: Step) -> State | None:
    """A withdrawal that can be undone is undone; anything else that ended stays as it is."""
    withdrawal = find_undoable_withdrawal(step.registration_request)
    if withdrawal is None or not may_undo(step.actor, step.registration_request):
        return None
    return State(withdrawal.source)


def require_last_round(registration_request: RegistrationRequest) -> Round:
    """Return the last round sent, which must exist."""
    last = registration_request.last_round
    if last is None:
        raise ActionRefused(_("No round of this request was sent yet."))
    return last
