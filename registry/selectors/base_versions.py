"""The version that a text was written from, and what has been registered since."""

from __future__ import annotations

from django.utils.translation import gettext as _

from registry.models import Registration, RegistrationRequest, Round
from registry.selectors.findings import VersionInForce, find_version_in_force
from registry.template import Merge, Template


def find_newer_version(
    registration_request: RegistrationRequest,
    written: Round,
    in_force: VersionInForce | None = None,
) -> Registration | None:
    """Return the version in force if `written` was not written from it, else None."""
    namespace = registration_request.namespace
    if namespace is None or registration_request.changes_facts:
        return None
    newest = (in_force or find_version_in_force(namespace)).registration
    return newest if newest and newest.pk != written.base_id else None


def explain_old_base(
    registration_request: RegistrationRequest,
    written: Round,
    in_force: VersionInForce | None = None,
) -> str:
    """Say that a newer version has been registered since a text was begun; empty if none has."""
    newer = find_newer_version(registration_request, written, in_force)
    return explain_newer_version(newer) if newer else ""


def explain_newer_version(newer: Registration) -> str:
    """Say that a text has to be brought up to date with `newer`."""
    return _(
        "Version %(number)d of %(nid)s has been registered since this text was begun. Bring the "
        "text up to date first: the editor shows what both change."
    ) % {"number": newer.number, "nid": newer.nid}


def merge_newer_version(written: Round, newer: Registration) -> Merge:
    """Return a text with the version that it was written from and the one in force."""
    return Merge(read_base_text(written), written.template, newer.template)


def read_base_text(written: Round) -> Template:
    """Return the text of the version that a round was written from; blank if it is not known."""
    return written.base.template if written.base else Template.blank()


def only_brings_up_to_date(draft: Round, last: Round) -> bool:
    """Whether a draft differs from the last round only in what newer versions changed."""
    if draft.base is None or draft.base_id == last.base_id:
        return False
    merge = merge_newer_version(last, draft.base)
    entered = {name: draft.template[name] for name in ("version", "date")}
    return not merge.conflicts and merge.template.replace(**entered) == draft.template
