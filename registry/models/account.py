"""People, from where they signed in, and the tokens and repeated answers of their programs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from registry.enums import LetterDelivery, Role
from registry.validators import validate_name_of_person, validate_no_control_characters


class UserManager(BaseUserManager["User"]):
    """Makes accounts that sign in by mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Return a new, saved account for `email`."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Return a new account that may enter the admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def roles_of(self, people: Iterable[int | None]) -> dict[int, tuple[Role, ...]]:
        """Return the roles that each of `people` holds now, by their keys, in one query."""
        held = self.model.groups.through.objects.filter(
            user__in={key for key in people if key}, user__is_active=True, group__name__in=Role
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
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects = UserManager()

    class Meta:
        ordering = ["email"]
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_unique")]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        """Return the name this person acts under."""
        return self.name

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles this person holds, none when the account is switched off."""
        return (
            frozenset(self.groups.values_list("name", flat=True)) if self.is_active else frozenset()
        )

    def has_role(self, *roles: Role) -> bool:
        """Whether this person holds any of `roles`."""
        return not self.roles.isdisjoint(roles)


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


class Token(AbstractAuthToken):
    """What a program shows in place of a password; only a digest of it is kept.

    `form_key` was made with the form it came from: a second click finds the token again.
    """

    name = models.CharField(
        _("what it is for"), max_length=80, validators=[validate_no_control_characters]
    )
    form_key = models.UUIDField(unique=True, editable=False)

    class Meta:
        ordering = ["-created"]
        verbose_name = _("token")
        verbose_name_plural = _("tokens")

    def __str__(self) -> str:
        return self.name

    @property
    def has_expired(self) -> bool:
        """Whether it opens nothing any more."""
        return self.expiry is not None and self.expiry <= timezone.now()


class IdempotencyRecord(models.Model):
    """What a program was answered under an `Idempotency-Key`: the same key, the same answer."""

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
