"""What an expert says of themselves: days away, and conflicts of interest that stand."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry import queries
from registry.models import Organization, User
from registry.validators import validate_no_control_characters

DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class AbsenceForm(forms.Form):
    """From which day to which an expert is away."""

    first_day = forms.DateField(
        label=_("First day away"), widget=DAY, error_messages={"required": _("Name the first day.")}
    )
    last_day = forms.DateField(
        label=_("Last day away"), widget=DAY, error_messages={"required": _("Name the last day.")}
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Field("first_day", css_class="narrow--16"),
            Field("last_day", css_class="narrow--16"),
            StrictButton(_("Note these days"), type="submit", css_class="btn-primary"),
        )

    def clean(self) -> dict[str, Any]:
        """Days away end after they begin, and are not over."""
        days = super().clean() or {}
        first, last = days.get("first_day"), days.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("The last day is before the first."))
        elif last and last < timezone.localdate():
            self.add_error("last_day", _("These days are over. Name a last day from today on."))
        return days


class ConflictForm(forms.Form):
    """With which organization an expert has a conflict of interest."""

    organization = forms.ModelChoiceField(
        Organization.objects.none(),
        label=_("Organization"),
        empty_label=_("Choose an organization"),
        error_messages={"required": _("Choose an organization.")},
    )
    reason = forms.CharField(
        label=_("Reason, public"),
        required=False,
        max_length=300,
        validators=[validate_no_control_characters],
        help_text=_("The journal keeps it. It is enough to say that you have a conflict."),
    )

    def __init__(self, *args: Any, expert: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = expert.conflicts.values("organization")
        field = self.fields["organization"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = queries.organizations_visible_to(expert).exclude(pk__in=known)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Field("organization", css_class="narrow--34"),
            Field("reason", css_class="narrow--34"),
            StrictButton(_("Declare the conflict"), type="submit", css_class="btn-primary"),
        )
