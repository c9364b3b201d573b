"""The kinds of requests, each with its consequences."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import ChangeKind, RequestPath
from registry.forms.fields import RadioOption

REVISION_CHOICE = "revision"
FACTS_CHOICE = "facts"
FACT_CHANGE_CHOICES = (
    (
        ChangeKind.CONTACT.value,
        RadioOption(
            _("Contact"),
            _("Who is written to about the namespace. Proof: the registrant agrees."),
        ),
    ),
    (
        ChangeKind.REFERENCE.value,
        RadioOption(
            _("Reference"),
            _("The documents of record that the list names. Proof: the registrant agrees."),
        ),
    ),
    (
        ChangeKind.TRANSFER.value,
        RadioOption(
            _("Registrant"),
            _(
                "The namespace passes to another body, which you name below. Proof: both agree. "
                "We tell the current contact."
            ),
        ),
    ),
    (
        ChangeKind.RENAME.value,
        RadioOption(
            _("Name of the registrant"),
            _(
                "The same body under another name, on every namespace that it holds. Proof: its "
                "delegates agree. A second officer checks it."
            ),
        ),
    ),
    (
        ChangeKind.STATUS.value,
        RadioOption(
            _("Status"),
            _(
                "Active, deprecated or obsolete, with a notice to readers. The identifier is never "
                "freed, and names stay valid. Proof: the registrant agrees."
            ),
        ),
    ),
)
STANDARDS_ACTION_CHOICES = (
    (
        "no",
        RadioOption(_("No"), _("Choose this if it is undecided, too. You can change it later.")),
    ),
    (
        "yes",
        RadioOption(
            _("Yes, it will become part of a standard"),
            _("RFC 8141, section 6.4.1, item 7."),
            (
                _("Experts write a report; they do not approve."),
                _("The standards body decides, and registration waits for its direction."),
            ),
        ),
    ),
)


def build_path_choices(expected: str) -> list[tuple[str, RadioOption]]:
    """Return the paths with their consequences; `expected` is the next informal NID."""
    return [
        (
            RequestPath.COMMUNITY.value,
            RadioOption(
                _("A new formal namespace"),
                _("You choose the identifier, for example urn:seedbank."),
                (
                    _("Designated experts review it in public and decide."),
                    _("Anyone on the Internet must be able to use the names, even if few will."),
                    _("Expect to point to a stable specification."),
                ),
            ),
        ),
        (
            RequestPath.FAST_TRACK.value,
            RadioOption(
                _("A new formal namespace, fast track"),
                _("For standards bodies, scientific societies and their designees."),
                (
                    _("Experts advise; your organization decides when the request is ready."),
                    _("A specification is required."),
                    _(
                        "The standards body has to recognize your organization before the "
                        "namespace can be registered. Starting needs no recognition."
                    ),
                ),
            ),
        ),
        (
            RequestPath.INFORMAL.value,
            RadioOption(
                _("A new informal namespace"),
                gettext(
                    "You receive the next number when it is published, currently urn:%(nid)s. "
                    "You cannot choose it."
                )
                % {"nid": expected},
                (
                    _("The same duties to your users, and the same template."),
                    _("Suitable if nobody needs to remember the identifier."),
                ),
            ),
        ),
        (
            REVISION_CHOICE,
            RadioOption(
                _("A revision of a registered namespace"),
                _("The identifier stays; the version goes up by one."),
                (
                    _("You must describe what changes from the version before."),
                    _("Names already assigned must stay valid."),
                ),
            ),
        ),
        (
            FACTS_CHOICE,
            RadioOption(
                _("A change of contact, reference, registrant, its name or status"),
                _("Of a registered namespace. Its text stays as it is, and so does its version."),
                (
                    _("No expert review: the registrar checks the proof and publishes."),
                    _(
                        "Anybody may ask, but the registrant must agree: one of its delegates "
                        "asks, or somebody proves that they act for it. If the registry knows "
                        "no representative, the registrar verifies it."
                    ),
                ),
            ),
        ),
    ]
