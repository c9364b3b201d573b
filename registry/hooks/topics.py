"""Which public acts a hook is told of: those in the feed of its topic."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from registry.choices import Topic
from registry.models import Event, Hook, Namespace
from registry.queries.acts import acts_about, acts_on_namespaces, acts_on_requests


def acts_of(hook: Hook) -> QuerySet[Event]:
    """Return the public acts that `hook` is for."""
    if hook.topic == Topic.REQUESTS:
        return acts_on_requests()
    if hook.topic == Topic.REQUEST:
        return acts_on_requests().filter(registration_request__reference=hook.subject)
    if hook.topic == Topic.NAMESPACES:
        return acts_on_namespaces()
    namespace = Namespace.objects.filter(nid=hook.subject).first()
    return acts_about(namespace) if namespace else Event.objects.none()


def may_be_for(event: Event) -> Q:
    """Return the condition on hooks that can be for `event`, were it public."""
    found = Q(topic__in=(Topic.REQUESTS, Topic.NAMESPACES))
    if event.registration_request:
        found |= Q(topic=Topic.REQUEST, subject=event.registration_request.reference)
    if event.namespace:
        found |= Q(topic=Topic.NAMESPACE, subject=event.namespace.nid)
    return found
