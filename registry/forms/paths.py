"""What can be asked for, each choice with its consequences."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_lazy as _

from registry.choices import Change, Path
from registry.forms.layout import Option

REVISION = "revision"
FACTS = "facts"
CHANGES = (
    (
        Change.CONTACT.value,
        Option(
            _("Contact"),
            _("Who is written to about the namespace. Proof: the registrant agrees."),
        ),
    ),
    (
        Change.REFERENCE.value,
        Option(
            _("Reference"),
            _("The documents of record that the list names. Proof: the registrant agrees."),
        ),
    ),
    (
        Change.TRANSFER.value,
        Option(
            _("Registrant"),
            _(
                "The namespace passes to another body, which you name below. Proof: both agree. "
                "The contact until now is told."
            ),
        ),
    ),
    (
        Change.STATUS.value,
        Option(
            _("Status"),
            _(
                "Active, deprecated or obsolete, with a notice to readers. The identifier is never "
                "freed, and names stay valid. Proof: the registrant agrees."
            ),
        ),
    ),
)
STANDARDS = (
    (
        "no",
        Option(_("No"), _("Also the answer where nobody has decided yet. It can be changed.")),
    ),
    (
        "yes",
        Option(
            _("Yes, it is to become part of a standard"),
            _("RFC 8141, section 6.4.1, item 7."),
            (
                _("Experts write a report; they do not approve."),
                _("The standards body decides, and registration waits for its direction."),
            ),
        ),
    ),
)


def path_options(expected: str) -> list[tuple[str, Option]]:
    """Return the paths with their consequences; `expected` is the next informal NID."""
    return [
        (
            Path.COMMUNITY.value,
            Option(
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
            Path.FAST_TRACK.value,
            Option(
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
            Path.INFORMAL.value,
            Option(
                _("A new informal namespace"),
                gettext(
                    "You receive the next number when it is published, by now probably urn:%(nid)s."
                    " You cannot choose it."
                )
                % {"nid": expected},
                (
                    _("The same duties to your users, and the same template."),
                    _("Right for a name that nobody needs to remember."),
                ),
            ),
        ),
        (
            REVISION,
            Option(
                _("A revision of a registered namespace"),
                _("The identifier stays; the version goes up by one."),
                (
                    _("You must describe what changes from the version before."),
                    _("Names already assigned must stay valid."),
                ),
            ),
        ),
        (
            FACTS,
            Option(
                _("A change of contact, reference, registrant or status"),
                _("Of a registered namespace. Its text stays as it is, and so does its version."),
                (
                    _("No experts: the registrar checks the proof and publishes."),
                    _(
                        "Anybody may ask. What counts is that the registrant agrees: one of its "
                        "delegates asks, or somebody proves to act for it. Where the registry "
                        "knows nobody who does, the registrar verifies it."
                    ),
                ),
            ),
        ),
    ]
