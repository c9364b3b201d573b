"""What steps do besides changing the state; each returns what the journal records of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from django.utils import timezone

from registry import assurance, permissions, selectors
from registry.enums import EvidenceAbout, RequestPath, Ruling, State
from registry.journal.row_digests import NEW_ROW, build_row_key
from registry.lookalikes import find_lookalikes
from registry.models import (
    Assignment,
    Event,
    RegistrationRequest,
    Round,
    Sighting,
    User,
)
from registry.selectors import consent
from registry.selectors.base_versions import only_brings_up_to_date
from registry.selectors.checklist import list_unanswered_questions, read_checklist_answers
from registry.selectors.explanations import list_explanations
from registry.selectors.withdrawals import may_be_undone, may_undo
from registry.workflow import drafts
from registry.workflow.conditions import (
    RFC_NUMBER,
    find_named_expert,
    find_party_with_evidence,
    require_last_round,
)
from registry.workflow.step import ActionRefused, FollowUp, Step

MAX_NEIGHBOUR_DISTANCE: Final = 1
"""In how many characters a NID may differ from a registered one whose holder is told of it."""


def freeze_round(step: Step) -> dict[str, Any]:
    """Freeze the draft as the next round: its date, hash, findings, and the licence agreed to."""
    registration_request = step.registration_request
    draft = registration_request.rounds.get(submitted_at__isnull=True)
    now = timezone.now()
    if not registration_request.changes_facts:
        version = selectors.build_check_context(registration_request).version
        draft.template = draft.template.replace(
            date=now.date().isoformat(), version="" if version is None else str(version)
        )
    found = selectors.list_findings(registration_request, draft.template, facts=draft.facts)
    draft.findings = [asdict(finding) for finding in found]
    draft.submitted_at = draft.saved_at = draft.comments_since = now
    last = registration_request.last_round
    if last and only_brings_up_to_date(draft, last):
        draft.comments_since = last.comments_since
    draft.sha256 = draft.canonical_sha256
    licence = drafts.find_licence_to_agree_to(registration_request)
    draft.text_licence = licence.identifier if licence else ""
    draft.save()
    step.rows[build_row_key(draft)] = NEW_ROW
    step.rows[build_row_key(registration_request.organization)] = None
    answers = publish_answers(step, draft)
    return (
        cite_round(draft)
        | answers
        | describe_contention(registration_request)
        | describe_similar_requests(registration_request)
        | describe_similar_namespaces(registration_request, draft)
        | claim_sightings(registration_request)
    )


def publish_answers(step: Step, sent: Round) -> dict[str, Any]:
    """Publish the answers that were prepared with the draft alongside the round.

    The journal keeps them too: a reopened remark gets a new answer.
    """
    told = {}
    for remark in step.registration_request.remarks.exclude(draft_settlement=""):
        remark.settlement, remark.answer = remark.draft_settlement, remark.draft_answer
        remark.draft_settlement = remark.draft_answer = ""
        remark.answered_in, remark.answered_by = sent, step.person
        remark.save()
        told[str(remark.number)] = {"settlement": remark.settlement, "answer": remark.answer}
    return {"answers": told} if told else {}


def describe_contention(registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return the other live requests for the same NID, for the journal and the letters."""
    rivals = selectors.list_rival_requests(registration_request)
    return {"contended_with": [each.reference for each in rivals]} if rivals else {}


def describe_similar_requests(registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return the live requests for a NID easily confused with this one: both sides are notified."""
    similar = selectors.list_similar_requests(registration_request)
    return {"close_to": [each.reference for each in similar]} if similar else {}


def describe_similar_namespaces(
    registration_request: RegistrationRequest, draft: Round
) -> dict[str, Any]:
    """Return the registered NIDs that this one can be taken for, once for each NID asked for.

    Who answers for those namespaces is notified.
    """
    earlier = registration_request.rounds.sent().filter(number__lt=draft.number)
    if not registration_request.nid or earlier.filter(nid__iexact=registration_request.nid):
        return {}
    alike = find_lookalikes(registration_request.nid, selectors.registered_nids())
    near = [each.nid for each in alike if each.distance <= MAX_NEIGHBOUR_DISTANCE]
    return {"close_to_namespaces": near} if near else {}


def claim_sightings(registration_request: RegistrationRequest) -> dict[str, Any]:
    """Link the unclaimed sightings of its NID to the request."""
    claimed = list(
        selectors.claimable_sightings(registration_request.nid).values_list("pk", flat=True)
    )
    Sighting.objects.filter(pk__in=claimed).update(claimed_by=registration_request)
    return {"sightings": claimed} if claimed else {}


def withdraw_request(step: Step) -> dict[str, Any]:
    """Record whether others can undo it; then the draft stays until they no longer can."""
    if may_be_undone(step.registration_request, step.person):
        return {"can_be_undone": True}
    return drop_draft(step)


def freeze_and_reopen(step: Step) -> dict[str, Any]:
    """Freeze the draft and open the next one: on the fast track the body keeps writing."""
    data = freeze_round(step)
    open_next_draft(step)
    return data


def send_draft(step: Step) -> dict[str, Any]:
    """Freeze the draft; the fast track keeps the text open to its authors."""
    if step.registration_request.path == RequestPath.FAST_TRACK:
        return freeze_and_reopen(step)
    return freeze_round(step)


def open_next_draft(step: Step) -> dict[str, Any]:
    """Give the registrant a copy of the last round to continue from."""
    last = require_last_round(step.registration_request)
    if step.registration_request.draft is None:
        draft = Round(registration_request=step.registration_request, number=last.number + 1)
        draft.template, draft.facts = last.template, last.facts
        draft.base, draft.based_at = last.base, last.based_at
        draft.save()
    return cite_round(last)


def drop_draft(step: Step) -> dict[str, Any]:
    """Delete what was begun after the last round, since nobody will send it."""
    last = step.registration_request.last_round
    if last is None:
        return {}
    step.registration_request.rounds.filter(submitted_at__isnull=True).delete()
    return cite_round(last)


def overtake_request(step: Step) -> dict[str, Any]:
    """Return the request to its authors: another has taken its NID, or changed what it is about.

    Approvals and appeals are about a text that cannot be registered. If the NID is gone,
    assignments end, too. Experts who stepped back stay off it: their conflict was with the request,
    whatever its NID.
    """
    registration_request = step.registration_request
    if registration_request.needs_holder_consent:
        told = {"winner": str(step.data["winner"]), "nid": registration_request.nid}
        return open_next_draft(step) | told | {"base": True}
    on_it = registration_request.assignments.active()
    experts = list(on_it.values_list("expert", flat=True))
    on_it.delete()
    told = {"winner": str(step.data["winner"]), "nid": registration_request.nid}
    return open_next_draft(step) | told | ({"expert_ids": experts} if experts else {})


def list_overtaken(step: Step) -> Iterator[FollowUp]:
    """Yield what a registration does to the other requests that it makes impossible."""
    winner = step.registration_request
    for rival in selectors.requests_competing_with(winner).public().exclude(pk=winner.pk):
        yield FollowUp(rival, "overtake", {"winner": winner.reference})


def note_round(step: Step) -> dict[str, Any]:
    """Record which text the decision is about."""
    return cite_round(require_last_round(step.registration_request))


def note_consent(step: Step) -> dict[str, Any]:
    """Record for which body somebody consents, or in whose place the standards body does."""
    parties = consent.find_parties_of(step.case, step.person)
    data = note_round(step) | {"body": ", ".join(map(str, parties))}
    stand_in = None if parties else consent.find_party_to_stand_in_for(step.case, step.person)
    if stand_in:
        data |= {"body": str(stand_in), "instead_of": stand_in.key[0]}
    return data


def note_evidence(step: Step) -> dict[str, Any]:
    """Record what the registrar saw, about which text and body."""
    about = EvidenceAbout(step.data["about"])
    data = note_round(step) | {"about": str(about)}
    if about == EvidenceAbout.CONSENT:
        party = find_party_with_evidence(step)
        assert party is not None, "a condition has asked for it"
        data |= {"body": str(party), "organization_id": party.key[0], "of_holder": party.is_holder}
    elif about == EvidenceAbout.RFC:
        found = RFC_NUMBER.fullmatch(str(step.data["rfc"]).strip())
        assert found, "a condition has asked for it"
        data |= {"rfc": f"RFC {found[1]}", "section": str(step.data["section"]).strip()}
    else:
        data["source"] = step.comment
    return data


def note_objection(step: Step) -> dict[str, Any]:
    """Record the objection, or which one is taken back."""
    own = consent.list_own_objections(step.case, step.actor)
    return note_round(step) | ({"takes_back": own[0].number} if own else {})


def find_state_when_directed(step: Step) -> State | None:
    """A direction to register leads to the registrar; a ruling changes no state."""
    return None if step.data.get("ruling") else State.APPROVED


def note_direction(step: Step) -> dict[str, Any]:
    """Record which text the standards body directs or rules on, and what it rules."""
    ruling = step.data.get("ruling")
    if not ruling:
        return note_round(step)
    data = note_round(step) | {"ruling": str(ruling)}
    if ruling == Ruling.HOLDER:
        (holder,) = (each for each in step.case.parties if each.is_holder)
        data["organization_id"] = holder.key[0]
    return data


def note_decision(step: Step) -> dict[str, Any]:
    """Record which text the decision is about, and the expert's answers to the checklist."""
    last = require_last_round(step.registration_request)
    checklist = read_checklist_answers(last, step.person)
    declared = declare_no_conflict(step.registration_request, step.person)
    return cite_round(last) | declared | ({"checklist": checklist} if checklist else {})


def note_favourable_decision(step: Step) -> dict[str, Any]:
    """Also record what the expert explains: open questions, haste, and for whom the author acts."""
    data = note_decision(step)
    for each in list_explanations(step.registration_request, step.person):
        if text := str(step.data.get(each.name) or ""):
            data[each.name] = text
    if "unanswered" in data:
        last = require_last_round(step.registration_request)
        left = list_unanswered_questions(step.registration_request, last, step.person)
        questions = [each.slug for each in left]
        data["unanswered"] = {"questions": questions, "word": data["unanswered"]}
    return data


def ask_for_changes(step: Step) -> dict[str, Any]:
    """Give the registrant a draft, with the decision and the open remarks."""
    numbers = step.registration_request.remarks.open().values_list("number", flat=True)
    remarks = {"remarks": list(numbers)} if numbers else {}
    return note_decision(step) | open_next_draft(step) | remarks


def decline_request(step: Step) -> dict[str, Any]:
    """Give the registrant a draft; after a report the request ends, and the draft goes."""
    if step.registration_request.state == State.REPORTED:
        return drop_draft(step)
    return ask_for_changes(step)


def reconsider_decision(step: Step) -> dict[str, Any]:
    """Record which decision was taken back; on the fast track the body goes on writing."""
    decision = require_decision(step)
    opens_draft = decision.source == State.ADVISORY
    recorded = open_next_draft(step) if opens_draft else note_round(step)
    return recorded | {"decision": decision.verb}


def require_decision(step: Step) -> Event:
    """Return the decision that the person takes back, which must exist."""
    decision = permissions.find_own_decision(step.person, step.registration_request)
    assert decision, "only who has decided reconsiders"
    return decision


def assign_expert(step: Step) -> dict[str, Any]:
    """Put an expert on the request, in place of another if one hands over.

    Taking it oneself declares that there is no conflict.
    """
    registration_request, expert = step.registration_request, find_named_expert(step)
    if not isinstance(expert, User):
        raise ActionRefused("An expert has an account.")
    is_temporary = not permissions.may_join(expert, registration_request)
    if is_temporary:
        # It gives somebody a role.
        assurance.require_confirmation(step.person)
    now = timezone.now()
    Assignment.objects.create(
        registration_request=registration_request,
        expert=expert,
        assigned_at=now,
        declared_at=now if expert == step.actor else None,
        due_on=registration_request.promised_by,
        is_temporary=is_temporary,
    )
    event_data: dict[str, Any] = {"expert": str(expert), "expert_id": expert.pk}
    if is_temporary:
        event_data |= {"is_temporary": True, "expert_ids": [expert.pk]}
    if leaver := step.data.get("leaver"):
        # Only now, so that the request is never without an expert.
        event_data |= take_expert_off(step, leaver)
    return event_data


def take_expert_off(step: Step, expert: User) -> dict[str, Any]:
    """Let an expert leave the request, who need not have been on it, and never joins it again."""
    now = timezone.now()
    Assignment.objects.update_or_create(
        registration_request=step.registration_request,
        expert=expert,
        defaults={"recused_at": now, "reason": step.comment},
        create_defaults={"assigned_at": now, "recused_at": now, "reason": step.comment},
    )
    return {} if expert == step.actor else {"leaver": str(expert), "leaver_id": expert.pk}


def declare_no_conflict(registration_request: RegistrationRequest, person: User) -> dict[str, Any]:
    """Record that the first act of an expert who was put on a request declares no conflict.

    Returns what the journal says about it, with the act.
    """
    own = registration_request.assignments.active().filter(expert=person, declared_at=None)
    return {"declares": True} if own.update(declared_at=timezone.now()) else {}


def extend_review(step: Step) -> dict[str, Any]:
    """Promise a later day."""
    registration_request, due_on = step.registration_request, step.data["due_on"]
    registration_request.extended_to = due_on
    registration_request.save(update_fields=["extended_to"])
    registration_request.assignments.active().update(due_on=due_on)
    return {"due_on": due_on.isoformat()}


def reopen_request(step: Step) -> dict[str, Any]:
    """Start a new draft from the last text, linked to this request, unless it is where it was."""
    if may_undo(step.actor, step.registration_request):
        return {}
    heir = drafts.continue_request(step.registration_request, author=step.person)
    return {"as": heir.reference}


def recuse_expert(step: Step) -> dict[str, Any]:
    """Let the acting expert step back, or the one whom the lead takes off."""
    return take_expert_off(step, step.data.get("leaver") or step.person)


def cite_round(last: Round) -> dict[str, Any]:
    """Return number and hash of a round, as decisions cite it."""
    return {"round": last.number, "sha256": last.sha256}
