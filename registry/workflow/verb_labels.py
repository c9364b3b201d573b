"""What pages and refusals say of each verb, and of who may take it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise


@dataclass(frozen=True, slots=True)
class VerbLabel:
    """The button of a verb, what follows from it, and what the person is asked to say."""

    label: Words
    consequence: Words
    comment: Words = ""


REASONS_LABEL = _("Reasons, public")
EDITS_CONSEQUENCE = _("The registrant edits the text and sends the next round.")

VERB_LABELS: dict[str, VerbLabel] = {
    "submit": VerbLabel(
        _("Send"),
        _("The text becomes public as the next round, and can no longer be changed."),
        _("What you want to say about this round"),
    ),
    "revise": VerbLabel(
        _("Send the next round"),
        _("The text becomes public as the next round; advice stays open."),
        _("What you want to say about this round"),
    ),
    "assign": VerbLabel(
        _("Take"), _("You declare that you have no conflict of interest, and review it.")
    ),
    "declare": VerbLabel(
        _("Declare no conflict"),
        _("You declare that you have no conflict of interest. The text opens for your review."),
    ),
    "reassign": VerbLabel(
        _("Hand over to another expert"),
        _("The one expert leaves the request, the other is put on it and told."),
        _("Reason"),
    ),
    "extend": VerbLabel(
        _("Extend the date"),
        _("Everybody sees the new date, and why it was put off."),
        REASONS_LABEL,
    ),
    "recuse": VerbLabel(
        _("Recuse yourself"),
        _("You take no part in this request. Say why, or only that you do."),
        _("Reason"),
    ),
    "advise": VerbLabel(
        _("Send advice"),
        _("Your advice is public. It blocks nothing: the organization decides."),
        _("Your advice, public"),
    ),
    "return": VerbLabel(
        _("Return"),
        _("Form or path is wrong. List everything at once: the registrant mends it and sends."),
        _("Everything that is wrong, public"),
    ),
    "request_changes": VerbLabel(_("Ask for changes"), EDITS_CONSEQUENCE, REASONS_LABEL),
    "approve": VerbLabel(
        _("Approve"), _("Goes to the registrar, who publishes it."), REASONS_LABEL
    ),
    "report": VerbLabel(
        _("Report to the standards body"),
        _("Registration then waits for the direction of that body."),
        _("The report, public"),
    ),
    "decline": VerbLabel(
        _("Decline"),
        _("The request is not accepted as it is. It can be changed and sent again."),
        _("Reasons, and what would succeed, public"),
    ),
    "direct": VerbLabel(
        _("Direct to register"),
        _("Goes to the registrar, who publishes it."),
        _("Where the direction is recorded, public"),
    ),
    "send_back": VerbLabel(_("Send back to the registrant"), EDITS_CONSEQUENCE, REASONS_LABEL),
    "refuse": VerbLabel(
        _("Refuse"),
        _("Ends the request. Its page stays, and the NID is free again."),
        REASONS_LABEL,
    ),
    "complete": VerbLabel(
        _("Ask for registration"),
        _("The last round goes to the registrar as it is. No expert can block it."),
        _("Which advice you did not take, and why, public"),
    ),
    "verify_holder": VerbLabel(
        _("Record the holder’s word"),
        _(
            "You have verified that whoever holds the namespace agrees to this round. It counts "
            "for this round alone."
        ),
        _("Who gave it, how you verified that, and where it is recorded, public"),
    ),
    "register": VerbLabel(
        _("Register and publish"),
        _("An identifier is never withdrawn or given to anyone else."),
    ),
    "bounce": VerbLabel(
        _("Send back to the registrant"),
        _(
            "Only where a hard rule is broken, the NID is gone, the data have a defect, or proof "
            "is missing."
        ),
        _("What is wrong, public"),
    ),
    "reroute": VerbLabel(
        _("Change the path"),
        _("The request goes on by the rules of the new path. Its rounds are kept."),
        _("Reason, public"),
    ),
    "withdraw": VerbLabel(
        _("Withdraw"),
        _("Ends the request and frees the NID. A public page stays."),
        _("Reason"),
    ),
    "expire": VerbLabel(
        _("Let expire"), _("Ends the request, since nobody answered. It can be reopened.")
    ),
    "appeal": VerbLabel(
        _("Appeal"),
        _("The standards body hears the appeal and records the outcome here."),
        _("Why the decision should not stand, public"),
    ),
    "remand": VerbLabel(
        _("Remand"),
        _("The request goes back to those who decided, to be decided anew."),
        REASONS_LABEL,
    ),
    "uphold": VerbLabel(
        _("Uphold the decision"), _("The decision stands as it was."), REASONS_LABEL
    ),
    "reopen": VerbLabel(
        _("Reopen"),
        _("Starts a new draft from the last text, linked to this request."),
        _("Reason"),
    ),
}

ROLE_LABELS: dict[str, Words] = {
    "is_registrant": _("the registrant"),
    "may_assign": _("a designated expert who is not party to the request, nor on it already"),
    "has_to_declare": _("an expert put on the request who has not declared yet"),
    "may_lead": _("a lead expert who is not party to the request"),
    "may_step_back": _("a designated expert"),
    "is_assigned_expert": _("an expert assigned to the request"),
    "may_return": _("a registrar or lead expert who is not party to the request"),
    "may_direct": _("the standards body"),
    "may_publish": _("a registrar who is not party to the request"),
    "may_verify_holder": _(
        "a registrar who is not party to the request, where a registered namespace is to change"
    ),
    "may_reroute": _("the registrant or the lead expert"),
    "is_the_clock": _("the registry itself, when the time is up"),
    "may_appeal": _("anyone with a confirmed mail address, but not the standards body itself"),
}
"""By the name of the predicate in `registry.permissions`."""
