"""The journal, organizations, sightings and figures, as programs are told of them."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.shapes.shape import Shape, Sparse, line, maybe, texts, whole


class EventShape(Sparse):
    """A line of the journal: SHA-256 of `line`, in UTF-8, is `digest`.

    `line` is JSON and ends the chain: its `previous` is the digest of the line before. Of lines
    that are not for everybody, such as those about drafts, all else is null.
    """

    number = whole()
    previous = maybe("Digest of the line before.")
    digest = line()
    line = maybe("What the digest is of, to the letter.")
    at = serializers.DateTimeField(allow_null=True)
    actor = maybe("Name at that time.")
    verb = maybe()
    what = maybe("In words, after the name.")
    subject = maybe()
    request = maybe("The reference of the request that it is about.")
    nid = maybe("The namespace that it is about.")
    source_ = maybe("From which state.")
    target = maybe("To which state.")
    comment = maybe()
    data_ = serializers.DictField(allow_null=True)


class OrganizationShape(Sparse):
    """A registrant body as lists show it."""

    id = whole()
    name = line()
    website = maybe()
    recognised_on = serializers.DateField(allow_null=True)
    recognition_source = maybe("Where the recognition is recorded.")
    url = serializers.URLField()
    page = serializers.URLField()


class DelegateShape(Shape):
    """Somebody who acts for an organization."""

    id = whole()
    name = line()


class RecognitionShape(Sparse):
    """That a body asked to be recognised for the fast track, and what was answered (6.3)."""

    id = whole()
    organization = line()
    organization_id = whole()
    asked_at = serializers.DateTimeField()
    statement = line("What kind of body it says it is.")
    is_granted = serializers.BooleanField(allow_null=True, help_text="Null while it waits.")
    decided_by = maybe()
    decided_at = serializers.DateTimeField(allow_null=True)
    reasons = maybe("Of a refusal, or where the recognition is recorded.")


class OrganizationDetailShape(OrganizationShape):
    """A registrant body: what it holds and asks for, and who acts for it."""

    namespaces = texts("The NIDs it holds.")
    requests = texts("The references of its public requests, those that moved last first.")
    recognitions = RecognitionShape(many=True)
    ways = texts("How its delegates came to act for it.")
    delegate_count = whole()
    delegates = DelegateShape(
        many=True, allow_null=True, help_text="Null where they are not for you to see."
    )


class SightingShape(Sparse):
    """A NID in use without registration."""

    id = whole()
    nid = line()
    evidence = line("Where it was seen.")
    user_of_it = maybe("Who uses it.")
    noted_by = line()
    noted_at = serializers.DateTimeField()
    notice_sent_at = serializers.DateTimeField(allow_null=True)
    edition = line("What `If-Match` names.")
    claimed_by = maybe("The request that claims it.")
    asked_for_by = texts("Other requests that ask for the NID.")
    namespace = maybe("The NID, once it is registered.")
    url = serializers.URLField()


class FigureShape(Sparse):
    """How long requests stay in a state, with a party, or take altogether; in days."""

    by = line("state, turn or whole.")
    key = maybe("Which state, or whose turn.")
    name = line()
    ended = whole("How many stays are over.")
    median_days = serializers.FloatField(allow_null=True)
    percentile_95_days = serializers.FloatField(allow_null=True)
    waiting = whole("How many are not over.")
    waiting_median_days = serializers.FloatField(allow_null=True)
    waiting_longest_days = serializers.FloatField(allow_null=True)
