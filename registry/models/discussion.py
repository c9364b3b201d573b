"""What people say about a request: remarks on passages, and messages."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.enums import (
    MessageAudience,
    MessageChannel,
    MessageMark,
    RemarkWeight,
    Settlement,
)
from registry.models.account import User
from registry.secret_box import list_address_digests


class RemarkQuerySet(models.QuerySet["Remark"]):
    def open(self) -> RemarkQuerySet:
        """Return those nobody has settled."""
        return self.filter(settlement=Settlement.OPEN)

    def must_fix(self) -> RemarkQuerySet:
        """Return those that must be answered before the next round."""
        return self.filter(weight=RemarkWeight.MUST_FIX)

    def questions(self) -> RemarkQuerySet:
        """Return those that only ask a question."""
        return self.filter(weight=RemarkWeight.QUESTION)

    def unanswered(self) -> RemarkQuerySet:
        """Return those without a prepared answer from the registrant."""
        return self.filter(draft_settlement="")


class Remark(models.Model):
    """A remark by a person on a passage of a round, carried forward until it is settled.

    `quote` is the passage, empty if the remark is on the whole section. The registrant's answer is
    prepared with the draft, and becomes public with the next round.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="remarks",
        on_delete=models.PROTECT,
    )
    round = models.ForeignKey(
        "registry.Round", verbose_name=_("round"), related_name="remarks", on_delete=models.PROTECT
    )
    number = models.PositiveIntegerField(_("number within the request"))
    author = models.ForeignKey(
        "registry.User",
        verbose_name=_("author"),
        related_name="remarks",
        on_delete=models.PROTECT,
    )
    made_at = models.DateTimeField(_("made"))
    section = models.CharField(_("section"), max_length=40)
    quote = models.TextField(_("passage"), blank=True)
    start = models.PositiveIntegerField(
        _("first character of the passage"),
        null=True,
        blank=True,
        help_text=_("Counted from 0 in the section's text; empty for the whole section."),
    )
    weight = models.CharField(_("weight"), max_length=8, choices=RemarkWeight)
    text = models.TextField(_("text"))
    settlement = models.CharField(
        _("what has become of it"), max_length=9, choices=Settlement, default=Settlement.OPEN
    )
    answer = models.TextField(_("answer"), blank=True)
    answered_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("answered by"),
        related_name="answered_remarks",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    answered_in = models.ForeignKey(
        "registry.Round",
        verbose_name=_("answered with round"),
        related_name="answered_remarks",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    draft_settlement = models.CharField(
        _("answer in preparation"), max_length=9, choices=Settlement, blank=True
    )
    draft_answer = models.TextField(_("text of the answer in preparation"), blank=True)

    objects = RemarkQuerySet.as_manager()

    public_fields = (
        "id",
        "registration_request",
        "round",
        "number",
        "author",
        "made_at",
        "section",
        "quote",
        "start",
        "weight",
        "text",
        "settlement",
        "answer",
        "answered_by",
        "answered_in",
    )

    class Meta:
        ordering = ["number"]
        verbose_name = _("remark")
        verbose_name_plural = _("remarks")
        constraints = [
            models.UniqueConstraint(fields=["registration_request", "number"], name="remark_once"),
            models.CheckConstraint(
                name="remark_explained_says_why",
                condition=~models.Q(settlement=Settlement.EXPLAINED) | ~models.Q(answer=""),
            ),
            models.CheckConstraint(
                name="remark_passage_has_a_place",
                condition=models.Q(quote="", start__isnull=True)
                | (~models.Q(quote="") & models.Q(start__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration_request.reference} remark {self.number}"

    @property
    def anchor(self) -> str:
        """The fragment under which pages show it."""
        return f"m{self.number}"


class MessageQuerySet(models.QuerySet["Message"]):
    def public(self) -> MessageQuerySet:
        """Return those that everyone may read."""
        return self.filter(audience=MessageAudience.PUBLIC)

    def among_experts(self) -> MessageQuerySet:
        """Return the notes that experts write to each other."""
        return self.filter(audience=MessageAudience.EXPERTS)

    def sent_from(self, addresses: Iterable[str]) -> MessageQuerySet:
        """Return the letters to the list from these addresses whose sender had no account."""
        digests = [digest for each in addresses for digest in list_address_digests(each)]
        return self.filter(sender_digest__in=digests)

    def mailed_by(self, person: User) -> MessageQuerySet:
        """Return the letters to the list from a confirmed address of a person, which came while
        they had no account or were banned.
        """
        confirmed = person.emailaddress_set.filter(verified=True)
        return self.sent_from(confirmed.values_list("email", flat=True))

    def with_people(self) -> MessageQuerySet:
        """Return them in order, with the people whose names are shown."""
        return self.select_related("author", "hidden_by").order_by("number")


class Message(models.Model):
    """One message of a request's discussion, from the site or from the mailing list.

    Never deleted: a message hidden by a moderator leaves its place, the moderator's name and
    reason. Notes among experts have numbers of their own, so that no gap in the public numbers
    reveals them. `key` was created with the form: a second click finds the same message.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="messages",
        on_delete=models.PROTECT,
    )
    number = models.PositiveIntegerField(_("number within the request"))
    author = models.ForeignKey(
        "registry.User",
        verbose_name=_("author"),
        related_name="messages",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty for a letter from somebody without an account."),
    )
    author_name = models.CharField(_("name at that time"), max_length=120)
    posted_at = models.DateTimeField(_("posted"))
    text = models.TextField(_("text"))
    audience = models.CharField(
        _("who reads it"), max_length=8, choices=MessageAudience, default=MessageAudience.PUBLIC
    )
    channel = models.CharField(
        _("came from"), max_length=4, choices=MessageChannel, default=MessageChannel.SITE
    )
    is_sender_verified = models.BooleanField(
        _("sender verified"),
        default=False,
        help_text=_("Whether the author was signed in; a letter only claims whom it is from."),
    )
    sender_digest = models.CharField(
        _("digest of the sender’s address"),
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text=_("Of a letter from somebody without an account: what they sent is found by it."),
    )
    message_id = models.CharField(
        _("Message-ID"), max_length=250, unique=True, help_text=_("RFC 5322, section 3.6.4.")
    )
    answers = models.ForeignKey(
        "self",
        verbose_name=_("in answer to"),
        related_name="answered_by",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    section = models.CharField(_("section"), max_length=40, blank=True)
    mark = models.CharField(_("what it is"), max_length=9, choices=MessageMark, blank=True)
    challenged = models.ForeignKey(
        "registry.User",
        verbose_name=_("expert challenged"),
        related_name="challenges",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    hidden_at = models.DateTimeField(_("hidden"), null=True, blank=True)
    hidden_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("hidden by"),
        related_name="hidden_messages",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    hidden_reason = models.CharField(_("reason for hiding"), max_length=300, blank=True)
    key = models.UUIDField(null=True, editable=False)

    objects = MessageQuerySet.as_manager()

    public_fields = (
        "id",
        "registration_request",
        "number",
        "author",
        "author_name",
        "posted_at",
        "text",
        "audience",
        "channel",
        "is_sender_verified",
        "answers",
        "section",
        "mark",
        "challenged",
        "hidden_at",
        "hidden_by",
        "hidden_reason",
    )

    class Meta:
        ordering = ["number"]
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        indexes = [models.Index(fields=["sender_digest"], name="message_sender")]
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "audience", "number"], name="message_once"
            ),
            models.UniqueConstraint(fields=["author", "key"], name="message_of_a_form_once"),
            models.CheckConstraint(
                name="message_by_mail_is_unverified",
                condition=~models.Q(channel=MessageChannel.LIST, is_sender_verified=True),
            ),
            models.CheckConstraint(
                name="message_hidden_says_why",
                condition=models.Q(hidden_at__isnull=True) | ~models.Q(hidden_reason=""),
            ),
            models.CheckConstraint(
                name="message_challenges_an_expert",
                condition=models.Q(mark=MessageMark.CHALLENGE, challenged__isnull=False)
                | (~models.Q(mark=MessageMark.CHALLENGE) & models.Q(challenged=None)),
            ),
            models.CheckConstraint(
                name="message_of_an_account_has_no_digest",
                condition=models.Q(sender_digest="") | models.Q(author=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration_request.reference} message {self.number}"

    @property
    def anchor(self) -> str:
        """The fragment under which pages show it."""
        return f"{'c' if self.audience == MessageAudience.PUBLIC else 'n'}{self.number}"

    @property
    def is_hidden(self) -> bool:
        """Whether a moderator hid it from readers."""
        return self.hidden_at is not None


class PendingCommentQuerySet(models.QuerySet["PendingComment"]):
    def due(self, now: datetime.datetime) -> PendingCommentQuerySet:
        """Return those to be published by `now`; a refused one stays with its author."""
        return self.filter(publish_at__lte=now, refusal="")


class PendingComment(models.Model):
    """A comment that was sent and is not public yet; only its author sees it, and can take it back.

    A minute later it becomes a `Message` and is deleted.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="pending_comments",
        on_delete=models.CASCADE,
    )
    author = models.ForeignKey(
        "registry.User",
        verbose_name=_("author"),
        related_name="pending_comments",
        on_delete=models.CASCADE,
    )
    text = models.TextField(_("text"))
    section = models.CharField(_("section"), max_length=40, blank=True)
    answers = models.ForeignKey(
        Message,
        verbose_name=_("in answer to"),
        related_name="pending_answers",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
    )
    mark = models.CharField(
        _("what it is"), max_length=40, blank=True, help_text=_("As the form names it.")
    )
    key = models.UUIDField(editable=False)
    written_at = models.DateTimeField(_("written"))
    publish_at = models.DateTimeField(_("published from"))
    refusal = models.TextField(
        _("why it was not published"),
        blank=True,
        help_text=_("The discussion closed within the minute."),
    )

    objects = PendingCommentQuerySet.as_manager()

    class Meta:
        ordering = ["written_at"]
        verbose_name = _("comment not public yet")
        verbose_name_plural = _("comments not public yet")
        constraints = [
            models.UniqueConstraint(fields=["author", "key"], name="pending_comment_once"),
        ]

    def __str__(self) -> str:
        return f"{self.registration_request.reference}, {self.author}"

    @property
    def anchor(self) -> str:
        """The fragment under which its author sees it."""
        return f"p{self.pk}"
