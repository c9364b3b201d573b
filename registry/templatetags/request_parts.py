"""What the page of a request shows to one person only, for the parts in `templates/personal/`.

Each tag takes the person and the reference of the request. Within one page the request is read
once, together with the person's ties to it.
"""

from __future__ import annotations

import uuid

from django import template

from registry import permissions
from registry.models import PendingComment, RegistrationRequest, User
from registry.permissions import Person
from registry.presenters import discussion
from registry.presenters.available_steps import AvailableStep, list_available_steps
from registry.presenters.discussion import DiscussionMessage
from registry.presenters.remarks import RemarkAnswerLink, map_answer_links
from registry.selectors.request_ties import read_request, read_tied_request
from registry.selectors.requests import find_reopened_request, find_reopening_request
from registry.workflow import VERBS

register = template.Library()


@register.simple_tag
def list_request_steps(person: Person, reference: str, offered: str) -> list[AvailableStep]:
    """Return the steps open to a person, among those whose verbs are in `offered`."""
    if not isinstance(person, User):
        return []
    asked = read_request(person, reference)
    return list_available_steps(person, asked, [VERBS[verb] for verb in offered.split()])


@register.simple_tag
def find_answer_link(person: Person, reference: str, number: int) -> RemarkAnswerLink | None:
    """Return where a person answers an open remark; None unless they write the text."""
    if not isinstance(person, User):
        return None
    asked = read_request(person, reference)
    if not permissions.may_edit(person, asked):
        return None
    key = (map_answer_links, type(person), person.pk, asked.pk)
    links = permissions.remember_fact(key, lambda: map_answer_links(asked))
    return links.get(number)


@register.simple_tag
def list_pending_comments(person: Person, reference: str) -> list[PendingComment]:
    """Return what a person has sent to the discussion and nobody else can see yet."""
    if not isinstance(person, User):
        return []
    tied = read_tied_request(person, reference)
    if not tied.has_pending_comment:
        return []
    return discussion.list_pending_comments(person, tied.registration_request)


@register.simple_tag
def find_expert_notes(person: Person, reference: str) -> list[DiscussionMessage] | None:
    """Return what experts wrote for each other; None for anybody else."""
    if not isinstance(person, User):
        return None
    tied = read_tied_request(person, reference)
    if not tied.has_expert_notes:
        may_read = permissions.may_read_expert_notes(person, tied.registration_request)
        return [] if may_read else None
    return discussion.find_expert_notes(person, tied.registration_request)


register.simple_tag(discussion.find_hidden_message)


@register.simple_tag
def find_request_before(person: Person, reference: str) -> RegistrationRequest | None:
    """Return the request that this one continues, if the person may know of it."""
    return find_reopened_request(read_request(person, reference), person)


@register.simple_tag
def find_request_after(person: Person, reference: str) -> RegistrationRequest | None:
    """Return the request that continues this one, if the person may know of it."""
    return find_reopening_request(read_request(person, reference), person)


@register.simple_tag
def make_message_key() -> uuid.UUID:
    """Return a key that identifies a comment sent twice."""
    return uuid.uuid4()
