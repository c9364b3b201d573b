"""Who speaks for a namespace: links in letters, for tests that look at their pages."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from registry.actions.delegate_changes import begin_delegate_change
from registry.enums import DelegateChangeKind
from registry.models import HolderSearch, RegistrationRequest, User
from registry.notifications.holder_links import (
    DELEGATE_PURPOSE,
    OBJECTION_PURPOSE,
    SEARCH_PURPOSE,
    sign_holder_address,
)

DESK = "desk@northlight.example"


def keep_holder_links(
    people: Mapping[str, User], requests: Mapping[str, RegistrationRequest]
) -> dict[str, str]:
    """Begin a search and a change of delegates; return the keys, and the letters' link words."""
    revision = requests["open-revision"]
    namespace = revision.namespace
    assert namespace is not None
    search = HolderSearch.objects.create(
        namespace=namespace,
        begun_by=people["registrar"],
        begun_at=timezone.now(),
        addresses=[DESK],
    )
    change = begin_delegate_change(
        revision.organization,
        people["outsider"],
        DelegateChangeKind.NAME,
        actor=people["registrant"],
    )
    return {
        "search-word": sign_holder_address(SEARCH_PURPOSE, search.pk, DESK),
        "changing-body": str(change.organization_id),
        "change": str(change.pk),
        "stop-word": sign_holder_address(DELEGATE_PURPOSE, change.pk, DESK),
        "objection-word": sign_holder_address(OBJECTION_PURPOSE, revision.pk, DESK),
    }
