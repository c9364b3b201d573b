"""The button by which a reader follows what a page is about."""

from __future__ import annotations

from typing import Any

from django import template

from registry.actions.follows import FollowTarget, find_follow
from registry.models import RegistrationRequest, User

register = template.Library()


@register.inclusion_tag("follows/button.html", takes_context=True)
def follow_button(
    context: template.Context,
    registration_request: RegistrationRequest | None = None,
    nid: str = "",
) -> dict[str, Any]:
    """A button to follow the request, the NID or, without either, everything; or to stop."""
    thing, reader = FollowTarget(registration_request, nid), context.get("user")
    watch = find_follow(reader, thing) if isinstance(reader, User) else None
    return {
        "thing": thing,
        "watch": watch,
        "is_signed_in": isinstance(reader, User),
        "csrf_token": context.get("csrf_token"),
    }
