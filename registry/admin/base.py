"""The admin site, what can be edited there, and how edits are recorded in the journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any, Final

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry import assurance, permissions
from registry.actions.account_security import (
    end_sessions,
    end_tokens,
    record_account_event,
)
from registry.actions.bans import (
    find_comments,
    lift_ban,
    restore_comments,
    withhold_comments,
)
from registry.actions.officer_changes import (
    change_address,
    close_account,
    give_role,
    take_role,
)
from registry.actions.roles import build_account_data
from registry.enums import AccountEventKind, Role
from registry.errors import RegistryError
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_stored_rows
from registry.models import Dates, Organization, ReservedName, User
from registry.rate_limits import find_network_prefix
from registry.workflow.events import record_event, write_events_last


class RegistryAdminSite(admin.AdminSite):
    """The admin pages, for administrators only."""

    site_header = site_title = gettext_lazy("URN Namespace Registry: administration")
    index_title = gettext_lazy("Accounts, roles, organizations and lists")

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the person is an administrator who may enter, or a superuser."""
        return permissions.may_administrate(request.user)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Ask anonymous visitors to sign in, and tell others who may enter."""
        inner = super().admin_view(view, cacheable)

        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.user.is_authenticated and not self.has_permission(request):
                words = _("The administration is for administrators.")
                raise PermissionDenied(permissions.explain_missing_factor(request.user) or words)
            response: HttpResponseBase = inner(request, *args, **kwargs)
            return response

        return update_wrapper(asked, inner)


site = RegistryAdminSite(name="admin")


UNRECORDED_FIELDS = frozenset({"email"})
"""Fields of which the journal, which is permanent, records only that they changed."""


def record_admin_event(
    request: HttpRequest,
    subject: models.Model,
    verb: str,
    data: dict[str, Any],
    rows: dict[str, str | None],
) -> None:
    """Write one journal event, of which no letters are sent, in the transaction of the change."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    record_event(subject, actor=request.user, verb=verb, data=data, rows=rows, is_silent=True)


def collect_changed_fields(form: forms.ModelForm[Any]) -> dict[str, dict[str, Any]]:
    """Return the fields that `form` changed, with their old and new values."""
    return {
        name: {}
        if name in UNRECORDED_FIELDS
        else {
            "from": convert_for_journal(read_initial_value(form, name)),
            "to": convert_for_journal(form.cleaned_data[name]),
        }
        for name in form.changed_data
    }


def read_initial_value(form: forms.ModelForm[Any], name: str) -> Any:
    """Return a field's old value; for a related row, the row itself."""
    field, value = form.fields[name], form.initial.get(name)
    is_one = isinstance(field, forms.ModelChoiceField) and not isinstance(
        field, forms.ModelMultipleChoiceField
    )
    return field.to_python(value) if is_one and value else value


def collect_field_values(obj: models.Model, names: Iterable[Any]) -> dict[str, Any]:
    """Return the values of a row's editable fields."""
    form = forms.models.model_to_dict(obj, fields=[str(name) for name in names])
    return {
        name: convert_for_journal(value)
        for name, value in form.items()
        if name not in UNRECORDED_FIELDS
    }


def convert_for_journal(value: Any) -> Any:
    """Convert a value to what the journal can store."""
    if isinstance(value, models.QuerySet | list | tuple):
        return sorted(str(each) for each in value)
    if isinstance(value, models.Model | date):
        return str(value)
    return value


if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class RestrictedAdmin(ModelAdmin):
    """Rows that everyone in the admin may read."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return site.has_permission(request)


class ReadOnlyAdmin(RestrictedAdmin):
    """Rows that nobody edits here. `fields` are shown, including those never typed.

    `rows`, if given, returns those that administrators may read.
    """

    actions = None
    rows: Callable[[], models.QuerySet[Any]] | None = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        """Return the rows that may be read, in the order of the list."""
        queryset = super().get_queryset(request)
        return queryset.filter(pk__in=self.rows().values("pk")) if self.rows else queryset

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Show what is named, and nothing else."""
        return list(self.fields or ())

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return self.get_fields(request, obj)


class EditableAdmin(RestrictedAdmin):
    """Rows that administrators edit; each save and each deletion is one journal event."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return site.has_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return site.has_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return site.has_permission(request)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save a row, keeping what the rows that change with it were before."""
        is_digested = isinstance(obj, User | Organization)
        form.rows_before = digest_stored_rows([obj] if is_digested and change else [])
        super().save_model(request, obj, form, change)
        if is_digested and not change:
            form.rows_before[build_row_key(obj)] = NEW_ROW

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save related rows too, after which everything the event covers is saved."""
        super().save_related(request, form, formsets, change)
        verb = "admin.change" if change else "admin.add"
        data: dict[str, Any] = {"changed": collect_changed_fields(form)}
        if isinstance(form.instance, User):
            data = build_account_data(form.instance, data["changed"])
        record_admin_event(request, form.instance, verb, data, form.rows_before)

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        """Delete one row, and keep its content in the journal."""
        with transaction.atomic():
            key, was = obj.pk, collect_field_values(obj, self.fields or ())
            rows = digest_stored_rows([obj] if isinstance(obj, User | Organization) else [])
            super().delete_model(request, obj)
            # The search index knows the row by its key.
            obj.pk = key
            record_admin_event(request, obj, "admin.delete", {"was": was}, rows)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        """Delete rows one by one, all or none."""
        with transaction.atomic(), write_events_last():
            for obj in queryset:
                self.delete_model(request, obj)


def network_of(request: HttpRequest) -> str:
    """Return the network an administrator acts from, as the account log stores it."""
    return find_network_prefix(request.META)


def log_account_change(
    request: HttpRequest, person: User, kind: AccountEventKind, detail: str = ""
) -> None:
    """Log what an administrator did to an account."""
    network, actor = network_of(request), find_actor(request)
    record_account_event(person, kind, network=network, detail=detail, actor=actor)


def find_actor(request: HttpRequest) -> User | None:
    """Return the administrator who acts."""
    return request.user if isinstance(request.user, User) else None


WAITING_FIELDS: Final = frozenset({"email", "groups"})
"""Fields of an account that are announced before they change."""


class ReasonForm(ActionForm):
    """Additional input for an action on several accounts."""

    reason = forms.CharField(
        label=gettext_lazy("Reason, for a ban and for comments"), max_length=200, required=False
    )


@admin.register(User, site=site)
class AccountAdmin(EditableAdmin):
    """Accounts and their roles. They are banned, never deleted, so that what was done stays."""

    fields = ("email", "name", "organization", "is_active", "is_staff", "groups")
    readonly_fields = ("is_active", "is_staff")
    filter_horizontal = ("groups",)
    list_display = ("email", "name", "organization", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "groups")
    list_select_related = ("organization",)
    search_fields = ("email", "name", "organization__name")
    action_form = ReasonForm
    actions = ("end_access", "ban", "lift", "withhold", "restore")

    @admin.action(description=gettext_lazy("End sessions and tokens"))
    def end_access(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        """Sign people out everywhere, and revoke their programs' tokens."""
        for person in queryset:
            with transaction.atomic():
                end_sessions(person)
                end_tokens(person, network=network_of(request), actor=find_actor(request))
                log_account_change(request, person, AccountEventKind.SESSIONS_ENDED)

    @admin.action(description=gettext_lazy("Ban: switch accounts off, and tell why"))
    def ban(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        self.decide(request, queryset, close_account)

    @admin.action(description=gettext_lazy("Lift a ban: switch accounts on, and tell why"))
    def lift(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        self.decide(request, queryset, lift_ban)

    def decide(
        self, request: HttpRequest, queryset: models.QuerySet[User], act: Callable[..., Any]
    ) -> None:
        """Close or reopen several accounts, once the actor confirmed who they are."""
        actor = find_actor(request)
        if actor is not None:
            assurance.require_confirmation(actor)
        for person in queryset:
            words = {"reason": request.POST.get("reason", ""), "network": network_of(request)}
            self.report(request, person, partial(act, person, actor=actor, **words))

    @admin.action(description=gettext_lazy("Hide all comments from readers"))
    def withhold(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        """Hide these people's comments; for lead and registrar."""
        self.moderate(request, queryset, withhold_comments)

    @admin.action(description=gettext_lazy("Show the comments again that were hidden for a reason"))
    def restore(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        """Show comments that were hidden; for lead and registrar."""
        self.moderate(request, queryset, restore_comments)

    def moderate(
        self,
        request: HttpRequest,
        queryset: models.QuerySet[User],
        act: Callable[..., Iterable[int]],
    ) -> None:
        """Hide or show the comments of several people; report how many, and refusals.

        Doing it again finishes what was refused halfway.
        """
        for person in queryset:
            done, refusal_words, reason = 0, "", request.POST.get("reason", "")
            comments, moderator = find_comments(person), find_actor(request)
            try:
                for count in act(comments, moderator=moderator, reason=reason):
                    done += count
            except RegistryError as refusal:
                refusal_words = f"{person.email}: {refusal}"
                self.message_user(request, refusal_words, messages.ERROR)
            if done or not refusal_words:
                words = {"address": person.email, "count": done}
                self.message_user(
                    request,
                    ngettext(
                        "%(address)s: done, %(count)d comment.",
                        "%(address)s: done, %(count)d comments.",
                        done,
                    )
                    % words,
                    messages.SUCCESS,
                )

    def report(self, request: HttpRequest, person: User, act: Callable[[], Any]) -> None:
        """Do something to one account, and report success or the reason for a refusal."""
        try:
            act()
        except RegistryError as refusal:
            self.message_user(request, f"{person.email}: {refusal}", messages.ERROR)
        else:
            self.message_user(request, _("%s: done.") % person.email, messages.SUCCESS)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Whether the person may enter; only a superuser changes another superuser's account."""
        is_above = obj is not None and obj.is_superuser and not request.user.is_superuser
        return site.has_permission(request) and not is_above

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show or save an account; changing roles and addresses requires confirming who one is.

        The form that was sent continues from there.
        """
        if request.method == "POST" and isinstance(request.user, User):
            assurance.require_confirmation(request.user)
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, extra_context
        )
        return response

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account, whose new address must be confirmed before it can sign in.

        Roles, and the address of somebody who may decide, are announced instead and wait.
        """
        obj.email = (form.initial["email"] if change else obj.email).lower()
        if not change:
            obj.set_unusable_password()
        form.changes = [name for name in form.changed_data if name in WAITING_FIELDS]
        form.changed_data = [name for name in form.changed_data if name not in WAITING_FIELDS]
        super().save_model(request, obj, form, change)
        if not change:
            EmailAddress.objects.create(user=obj, email=obj.email, primary=True)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the rest; announce what waits, or say why it is refused."""
        person, wanted = form.instance, set(form.cleaned_data["groups"])
        form.cleaned_data["groups"] = before = set(person.groups.all())
        network, actor = network_of(request), find_actor(request)
        with write_events_last():
            if form.changed_data or not change:
                super().save_related(request, form, formsets, change)
            acts: list[Callable[[], Any]] = [
                partial(give_role, person, Role(each.name), actor=actor, network=network)
                for each in wanted - before
            ]
            acts += [
                partial(take_role, person, Role(each.name), actor=actor, network=network)
                for each in before - wanted
            ]
            if change and "email" in form.changes:
                address = form.cleaned_data["email"]
                acts.append(partial(change_address, person, address, actor=actor, network=network))
            for act in acts:
                self.report(request, person, act)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Give groups the name they have here."""
        words = _(
            "What this person may do in the registry. A change is announced to all officers, and "
            "takes effect after a day unless one of them stops it."
        )
        labels = {"label": _("Roles"), "help_text": words}
        return super().formfield_for_manytomany(db_field, request, **labels, **kwargs)


@admin.register(Organization, site=site)
class OrganizationAdmin(EditableAdmin):
    """The names of bodies that nobody could lose anything by."""

    fields = ("name",)
    list_display = ("name", "website", "recognised_on")
    list_filter = (("recognised_on", admin.EmptyFieldListFilter),)
    search_fields = ("name", "website", "recognition_source")

    def has_change_permission(self, request: HttpRequest, obj: Organization | None = None) -> bool:
        """Whether the person may enter, and the body holds nothing, is not recognised, and has
        nobody who speaks for it: any other is renamed by a request (docs/process.md).
        """
        return site.has_permission(request) and not (
            obj and (obj.is_recognised or obj.namespaces.exists() or obj.speakers.open().exists())
        )

    def has_delete_permission(self, request: HttpRequest, obj: Organization | None = None) -> bool:
        return self.has_change_permission(request, obj)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Organization | None:
        """Return a row, locked while it is saved: the journal records its old content."""
        found: Organization | None = super().get_object(request, object_id, from_field)
        if found is None or request.method != "POST":
            return found
        return Organization.objects.select_for_update(no_key=True).filter(pk=found.pk).first()


@admin.register(ReservedName, site=site)
class ReservedNameAdmin(EditableAdmin):
    """Names from elsewhere that a NID could be confused with."""

    fields = ("list", "name", "note")
    list_display = ("name", "list", "note")
    list_filter = ("list",)
    search_fields = ("name", "note")


@admin.register(Dates, site=site)
class DatesAdmin(EditableAdmin):
    """How many days each period of the process takes: one row, which the guide shows."""

    fields = (
        "decision_days",
        "first_reminder_days",
        "second_reminder_days",
        "third_reminder_days",
        "repeat_days",
        "idle_days",
        "waiting_days",
        "long_waiting_days",
        "appeal_days",
        "hold_days",
    )
    list_display = ("__str__", "decision_days", "idle_days", "waiting_days", "appeal_days")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Dates.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Dates | None = None) -> bool:
        return False
