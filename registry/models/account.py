"""People, where they signed in from, their tokens, and stored responses for their programs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Exists, Q
from django.db.models.functions import Lower
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from registry.enums import AccountEventKind, LetterDelivery, Role, TokenScope
from registry.validators import (
    fold_name,
    validate_name_of_person,
    validate_no_control_characters,
)

SECOND_FACTORS: Final = ("totp", "webauthn")
"""What counts as a second factor; recovery codes only replace one."""


superuser_created: Final = Signal()
"""Sent with the `person` in the transaction that created a superuser, who is then recorded."""


if TYPE_CHECKING:
    from registry.models.organization import Organization


class UserManager(BaseUserManager["User"]):
    """Creates accounts that sign in by mail address, and knows which names are taken."""

    def refuse_name_of_officer(self, name: str, person: User | None = None) -> None:
        """Raise `ValidationError` if the new `name` of `person` can be taken for an officer's."""
        if person and self.filter(pk=person.pk, name=name).exists():
            return
        officers = self.filter(Q(groups__name__in=Role) | Q(is_superuser=True), is_active=True)
        if person:
            officers = officers.exclude(pk=person.pk)
        if fold_name(name) in map(fold_name, officers.values_list("name", flat=True)):
            raise ValidationError(
                _(
                    "This can be taken for the name of an officer of the registry. Add a name or "
                    "an initial of yours."
                ),
                code="name_of_officer",
            )

    def speaking_for(self, organization: Organization) -> models.QuerySet[User]:
        """Return the delegates of an organization: who speaks for it, not for a namespace alone."""
        return self.filter(pk__in=organization.speakers.in_effect().values("person"))

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Return a new account that may enter the admin, with its address confirmed.

        Only people with access to the server can create it, so a letter would prove nothing more;
        and at installation there may be nobody to send one.
        """
        with transaction.atomic(using=self._db):
            user = self.create_user(email, password, is_staff=True, is_superuser=True, **fields)
            user.emailaddress_set.create(email=user.email.lower(), verified=True, primary=True)
            superuser_created.send(sender=self.model, person=user)
        return user

    def roles_of(self, people: Iterable[int | None]) -> dict[int, tuple[Role, ...]]:
        """Return the current roles of each of `people`, by key, in one query."""
        keys = {key for key in people if key}
        if not keys:
            return {}
        held = self.model.groups.through.objects.filter(
            user__in=keys, user__is_active=True, group__name__in=Role
        )
        found: dict[int, set[Role]] = {}
        for person, role in held.values_list("user_id", "group__name"):
            found.setdefault(person, set()).add(Role(role))
        return {
            person: tuple(role for role in Role if role in roles) for person, roles in found.items()
        }


class User(AbstractBaseUser, PermissionsMixin):
    """A person: signs in by mail address, acts under `name`, holds roles as groups."""

    email = models.EmailField(_("mail address"), unique=True)
    name = models.CharField(
        _("name"),
        max_length=120,
        validators=[validate_name_of_person],
        help_text=_("Shown beside what you write and decide."),
    )
    organization = models.ForeignKey(
        "registry.Organization",
        verbose_name=_("organization"),
        related_name="people",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        help_text=_("The body this person belongs to; its requests are not theirs to judge."),
    )

    delivery = models.CharField(
        _("letters about what I follow"),
        max_length=7,
        choices=LetterDelivery,
        default=LetterDelivery.AT_ONCE,
    )
    has_shortcuts = models.BooleanField(
        _("single-key shortcuts"),
        default=True,
        help_text=_("j and k for the next and the previous request of the queue."),
    )
    queue_seen_at = models.DateTimeField(
        _("last looked at the queue"), null=True, blank=True, editable=False
    )

    is_active = models.BooleanField(
        _("active"),
        default=True,
        help_text=_("Switch off instead of deleting: what was done stays."),
    )
    is_staff = models.BooleanField(_("may enter the administration"), default=False)
    session_epoch = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text=_("Part of what every session is checked by: raising it ends them all."),
    )
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects = UserManager()

    public_fields = ("id", "name")

    class Meta:
        ordering = ["email"]
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_unique")]

    def __str__(self) -> str:
        return self.name or self.email

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        """Return what sessions are checked against: a new password or epoch ends them."""
        return salted_hmac(
            "registry.session",
            f"{self.session_epoch}:{self.password}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()

    def clean(self) -> None:
        """Refuse a new name that can be taken for an officer's."""
        super().clean()
        try:
            User.objects.refuse_name_of_officer(self.name, self)
        except ValidationError as refusal:
            raise ValidationError({"name": refusal}) from None

    def get_full_name(self) -> str:
        """Return the name this person acts under."""
        return self.name

    @cached_property
    def _roles_and_factor(self) -> tuple[frozenset[str], bool]:
        """The roles that were given, and whether there is a second factor, in one query."""
        factors = self.authenticator_set.filter(type__in=SECOND_FACTORS)
        rows = list(self.groups.values_list("name", Exists(factors)))
        if rows:
            return frozenset(name for name, _is_there in rows), rows[0][1]
        return frozenset(), factors.exists() if self.is_superuser else False

    def remember_roles(self, given: Iterable[str], *, has_factor: bool) -> None:
        """Store what another query read, so that the database is not queried again."""
        self.__dict__["_roles_and_factor"] = frozenset(given), has_factor
        self.__dict__["has_second_factor"] = has_factor

    @property
    def granted_roles(self) -> frozenset[str]:
        """The roles this person was given; none while the account is disabled."""
        return self._roles_and_factor[0] if self.is_active else frozenset()

    @property
    def roles(self) -> frozenset[str]:
        """The roles this person holds: those given, once there is a second factor."""
        given, has_factor = self._roles_and_factor
        return given if self.is_active and has_factor else frozenset()

    @cached_property
    def has_second_factor(self) -> bool:
        """Whether this person signs in with a second factor."""
        factors = self.authenticator_set.filter(type__in=SECOND_FACTORS)
        return bool(self._roles_and_factor[1]) or factors.exists()

    def forget_factor(self) -> None:
        """Query again whether there is a second factor, after one was added or removed."""
        for name in ("_roles_and_factor", "has_second_factor"):
            self.__dict__.pop(name, None)

    def has_role(self, *roles: Role) -> bool:
        return not self.roles.isdisjoint(roles)


class AccountEvent(models.Model):
    """An event in the account log: what happened, to whose account, by whom, from which network.

    The account log is separate from the journal, and has its own retention time.
    """

    user = models.ForeignKey(
        "registry.User",
        verbose_name=_("account"),
        related_name="account_events",
        on_delete=models.CASCADE,
        null=True,
        help_text=_("Empty where somebody tried an address that has no account."),
    )
    actor = models.ForeignKey(
        "registry.User",
        verbose_name=_("done by"),
        related_name="+",
        on_delete=models.SET_NULL,
        null=True,
        help_text=_("Empty where it was the person, a stranger, a command or the clock."),
    )
    kind = models.CharField(_("what"), max_length=20, choices=AccountEventKind)
    detail = models.CharField(_("detail"), max_length=200, blank=True)
    network = models.CharField(
        _("network"),
        max_length=43,
        blank=True,
        help_text=_("The first part of the address alone: /24 of IPv4, /48 of IPv6."),
    )
    at = models.DateTimeField(_("when"), default=timezone.now, db_index=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("line of the log of accounts")
        verbose_name_plural = _("log of accounts")
        indexes = [models.Index(fields=["user", "-at"], name="account_event_by_user")]

    def __str__(self) -> str:
        return f"{self.user or '?'}: {self.get_kind_display()}"


class SignInSource(models.Model):
    """A network or a browser that an account has been used from."""

    user = models.ForeignKey("registry.User", related_name="+", on_delete=models.CASCADE)
    digest = models.CharField(
        max_length=64,
        help_text=_("A keyed digest: the table tells nobody from where people sign in."),
    )
    used_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "digest"], name="one_row_for_each_source")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.digest[:8]}"


def make_default_scopes() -> list[str]:
    """Return the default scopes of a token: all but publishing."""
    return [str(TokenScope.READ), str(TokenScope.WRITE)]


class Token(AbstractAuthToken):
    """What a program sends instead of a password; only a digest of it is stored.

    `form_key` was created with the form: a second click finds the same token.
    """

    name = models.CharField(
        _("what it is for"), max_length=80, validators=[validate_no_control_characters]
    )
    form_key = models.UUIDField(unique=True, editable=False)
    scopes = models.JSONField(_("scopes"), default=make_default_scopes)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)

    class Meta:
        ordering = ["-created"]
        verbose_name = _("token")
        verbose_name_plural = _("tokens")

    def __str__(self) -> str:
        return self.name

    @property
    def scope_labels(self) -> list[str]:
        """What it may be used for, in words."""
        return [str(scope.label) for scope in TokenScope if scope in self.scopes]

    @property
    def has_expired(self) -> bool:
        """Whether it is no longer valid."""
        return self.expiry is not None and self.expiry <= timezone.now()


class IdempotencyRecord(models.Model):
    """The response to a program's `Idempotency-Key`: the same key, the same response."""

    person = models.ForeignKey("registry.User", related_name="+", on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    digest = models.CharField(
        max_length=64, help_text=_("SHA-256 of method, address and body: what was asked.")
    )
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "key"], name="idempotency_record_once")
        ]

    def __str__(self) -> str:
        return self.key
