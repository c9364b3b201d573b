"""Which site is an organization's own: said by the registrar, since proofs rest on it."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from registry import rules
from registry.models import Organization, User
from registry.row_digests import digest_row, key_of
from registry.workflow.recording import record
from registry.workflow.step import Refused, Superseded


def say(organization: Organization, website: str, *, actor: User, seen: str) -> None:
    """Enter the website of an organization, in place of `seen`; done twice, once."""
    if not rules.may_say_website(actor):
        raise Refused(_("The website of an organization is entered by the registrar."))
    with transaction.atomic():
        body = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
        if body.website == website:
            return
        if body.website != seen:
            raise Superseded(
                _("Somebody entered %(website)s meanwhile.") % {"website": body.website or "—"}
            )
        rows: dict[str, str | None] = {key_of(body): digest_row(body)}
        before, body.website = body.website, website
        body.save(update_fields=["website"])
        data = {
            "organization": str(body),
            "organization_id": body.pk,
            "before": before,
            "website": website,
        }
        record(body, actor=actor, verb="say_website", data=data, rows=rows)
