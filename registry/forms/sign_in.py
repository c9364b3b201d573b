"""allauth's forms in our words, without placeholders, which vanish as one types."""

from __future__ import annotations

from typing import Any, Final

from allauth.account import forms as allauth
from django import forms
from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext_lazy as _

from registry.forms.fields import NameField
from registry.validators import validate_name_of_person

# Label, and what to say when the field is left empty.
FIELD_TEXTS: Final = {
    "login": (_("Email address"), _("Enter your email address")),
    "email": (_("Email address"), _("Enter your email address")),
    "password": (_("Password"), _("Enter your password")),
    "oldpassword": (_("The password you have now"), _("Enter the password you have now")),
    "password1": (_("New password"), _("Choose a password")),
    "password2": (_("New password, once more"), _("Enter the new password once more")),
    "code": (_("Code"), _("Type the code from the letter")),
}
_INVALID_ADDRESS: Final = _("Enter an email address with an @, like office@northlight.example")


class FieldTextsMixin:
    """Mixed in before a form of allauth: exchanges labels and messages, and nothing else."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in FIELD_TEXTS:
                field.label, field.error_messages["required"] = FIELD_TEXTS[name]
            if isinstance(field, forms.EmailField):
                field.error_messages["invalid"] = _INVALID_ADDRESS


class SignInForm(FieldTextsMixin, allauth.LoginForm):
    """Email address and password."""


class SignUpForm(FieldTextsMixin, allauth.SignupForm):
    """Name, mail address and password."""

    name = NameField(
        most=120,
        check=validate_name_of_person,
        label=_("Your name"),
        help_text=_("Shown beside what you write. Public once you send a request."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Enter the name you act under")},
    )
    field_order = ["name", "email", "password1"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("Password")
        self.hashed_password = ""

    def clean(self) -> dict[str, Any]:
        """Return what was typed, and hash the password whether or not the address has an account.

        Hashing is nearly all the time that a sign-up takes, so that time would tell who has one.
        """
        said: dict[str, Any] = super().clean()
        if not self.errors:
            self.hashed_password = make_password(said["password1"])
        return said


class RequestCodeForm(FieldTextsMixin, allauth.RequestLoginCodeForm):
    """Where to send a code to sign in with."""


class ConfirmCodeForm(FieldTextsMixin, allauth.ConfirmLoginCodeForm):
    """The code that was sent."""


class AddAddressForm(FieldTextsMixin, allauth.AddEmailForm):
    """Another email address of one's account."""


class ChangePasswordForm(FieldTextsMixin, allauth.ChangePasswordForm):
    """The password one has, and the one to come."""


class SetPasswordForm(FieldTextsMixin, allauth.SetPasswordForm):
    """A first password, for an account that had none."""


class ResetPasswordForm(FieldTextsMixin, allauth.ResetPasswordForm):
    """Where to send the link for a new password."""


class ResetPasswordKeyForm(FieldTextsMixin, allauth.ResetPasswordKeyForm):
    """A new password, by the link that was sent."""


class ReauthenticateForm(FieldTextsMixin, allauth.ReauthenticateForm):
    """The password, asked once more."""
