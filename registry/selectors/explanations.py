"""What is unusual about a favourable decision, which its expert explains in public."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _, ngettext

from registry.models import RegistrationRequest, User
from registry.selectors.checklist import list_unanswered_questions
from registry.selectors.organizations import must_say_who_acts


@dataclass(frozen=True, slots=True)
class Explanation:
    """One thing to explain: the name of the input, its label, and what to say if it is missing."""

    name: str
    label: str
    error_text: str


def list_explanations(registration_request: RegistrationRequest, expert: User) -> list[Explanation]:
    """Return what `expert` explains to decide in favour of the last round."""
    last = registration_request.last_round
    if last is None:
        return []
    explanations = []
    if left := list_unanswered_questions(registration_request, last, expert):
        label = ngettext(
            "Why this question stays open, public",
            "Why these questions stay open, public",
            len(left),
        )
        text = _("Say briefly why you decide without these answers; your reason is public.")
        explanations.append(Explanation("unanswered", label, text))
    if until := last.comments_awaited_until:
        label = _("Why you decide before %(day)s, public") % {"day": date_format(until, "j F Y")}
        text = _("Say why you decide while comments are invited; your reason is public.")
        explanations.append(Explanation("haste", label, text))
    if must_say_who_acts(registration_request):
        label = _("How it is known that %(person)s acts for %(organization)s, public") % {
            "person": registration_request.author,
            "organization": registration_request.organization,
        }
        text = _("Say how you know; the entry shows it until somebody is shown to act for it.")
        explanations.append(Explanation("acts_for", label, text))
    return explanations
