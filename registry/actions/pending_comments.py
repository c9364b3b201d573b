"""Comments that are sent but not public yet: for a minute their authors can take them back.

This is the same for pages and programs; a letter to the discussion list is public already. Until
publication only the author sees the comment: there is no event, no letter and no webhook delivery.
"""

from __future__ import annotations

import datetime
import uuid
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django_tasks import task

from registry.actions.discussion import (
    add_comment,
    explain_no_comment,
    explain_no_mark,
    find_earlier_message,
    find_thread_start,
    lock_discussion,
    refuse_many_messages,
    refuse_obstacle,
)
from registry.models import Message, PendingComment, RegistrationRequest, User
from registry.workflow import ActionRefused


def send_comment(
    registration_request: RegistrationRequest,
    *,
    author: User,
    text: str,
    key: uuid.UUID,
    answers: Message | None = None,
    section: str = "",
    mark: str = "",
) -> Message | PendingComment:
    """Keep a comment until publication; return it, or the message if it is published already.

    Refuses what `add_comment` refuses. With a delay of 0 it is published at once.
    """
    if not settings.REGISTRY_COMMENT_SECONDS:
        return add_comment(
            registration_request,
            author=author,
            text=text,
            key=key,
            answers=answers,
            section=section,
            mark=mark,
        )
    with transaction.atomic():
        held = lock_discussion(registration_request)
        if said := find_earlier_message(author, key, text):
            return said
        if waiting := PendingComment.objects.filter(author=author, key=key).first():
            return waiting
        refuse_obstacle(explain_no_comment(author, held))
        refuse_obstacle(explain_no_mark(held, author, mark))
        refuse_many_messages(author)
        now = timezone.now()
        pending = PendingComment.objects.create(
            registration_request=held,
            author=author,
            text=text,
            section=section,
            mark=mark,
            answers=find_thread_start(answers),
            key=key,
            written_at=now,
            publish_at=now + datetime.timedelta(seconds=settings.REGISTRY_COMMENT_SECONDS),
        )
        publish_comment.using(run_after=pending.publish_at).enqueue(pending.pk)
    return pending


@task()
def publish_comment(pending_id: int) -> str:
    """Publish one comment; return the result. Run twice, it is published once."""
    with transaction.atomic():
        waiting = PendingComment.objects.select_for_update(no_key=True).due(timezone.now())
        pending = waiting.filter(pk=pending_id).first()
        if pending is None:
            return "left alone"
        try:
            with transaction.atomic():
                # It counts towards its author's limit only once: as a message.
                PendingComment.objects.filter(pk=pending.pk).delete()
                add_comment(
                    pending.registration_request,
                    author=pending.author,
                    text=pending.text,
                    key=pending.key,
                    answers=pending.answers,
                    section=pending.section,
                    mark=pending.mark,
                )
        except ActionRefused as refusal:
            # The discussion closed within the minute: the author keeps the text, and sees why.
            pending.refusal = str(refusal)
            pending.save(update_fields=["refusal"])
            return "refused"
    return "published"


MAX_PUBLISHED_TOGETHER: Final = 100


def publish_due_comments(now: datetime.datetime) -> int:
    """Publish the oldest due comments, whose tasks may be lost; return how many.

    At most `MAX_PUBLISHED_TOGETHER`, so that other work does not wait: after a rush thousands may
    be due, and the worker is publishing them as well.
    """
    due = PendingComment.objects.due(now).order_by("publish_at", "pk")
    keys = list(due.values_list("pk", flat=True)[:MAX_PUBLISHED_TOGETHER])
    return sum(publish_comment.func(pk) == "published" for pk in keys)


def take_comment_back(
    registration_request: RegistrationRequest, author: User, pk: int
) -> PendingComment | None:
    """Take back a comment; return it, or nothing if it is public already or somebody else's."""
    with transaction.atomic():
        waiting = PendingComment.objects.select_for_update(no_key=True)
        pending = waiting.filter(
            pk=pk, registration_request=registration_request, author=author
        ).first()
        if pending is None:
            return None
        # The form's key can be used again: nothing was published under it.
        PendingComment.objects.filter(pk=pending.pk).delete()
    return pending
