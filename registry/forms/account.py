"""Forms for signing in, profiles, tokens and webhooks."""

from __future__ import annotations

import datetime
import uuid
from typing import Any, Final

from allauth.account import forms as allauth
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from allauth.socialaccount.forms import SignupForm as SocialSignUpForm
from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from registry.enums import LetterDelivery, TokenScope, WebhookTopic
from registry.forms.fields import NameField, PlainTextField
from registry.models import Namespace, RegistrationRequest, User
from registry.safe_http import FetchError
from registry.safe_http.targets import parse_fetch_target, refuse_unreachable_target
from registry.validators import validate_name_of_person


def validate_name_of_newcomer(value: str) -> None:
    """Refuse what nobody may be called, and what can be taken for the name of an officer."""
    validate_name_of_person(value)
    User.objects.refuse_name_of_officer(value)


class ProfileForm(forms.Form):
    """What people may change about themselves; roles are up to administrators."""

    name = NameField(
        most=120,
        check=validate_name_of_person,
        label=_("Your name"),
        help_text=_(
            "Shown beside what you write and decide from now on. Earlier acts keep the name you "
            "used then."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Enter your public name.")},
    )

    delivery = forms.ChoiceField(
        label=_("Letters about what you follow"),
        help_text=_("Letters about your own requests and tasks always come at once."),
        choices=LetterDelivery,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose when you want to read them.")},
    )
    has_shortcuts = forms.BooleanField(
        label=_("Single-key shortcuts"),
        required=False,
        help_text=_("The keys j and k lead to the next and the previous request of the queue."),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True

    def clean_name(self) -> str:
        """Return the name, unless it can be taken for an officer's."""
        name: str = self.cleaned_data["name"]
        User.objects.refuse_name_of_officer(name, self.person)
        return name


class DeliveryPreferenceForm(forms.Form):
    """At once or once a day. Letters that ask somebody to act are always sent at once."""

    delivery = forms.ChoiceField(
        label=_("When to write to you"),
        help_text=_("Letters that ask you to act are always sent at once."),
        choices=LetterDelivery.choices,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True


class ProgramForm(forms.Form):
    """A field `name`, labelled by each subclass, and a key created with the form.

    The key identifies a second click.
    """

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)

    def clean_name(self) -> str:
        """Return the name with single spaces."""
        return " ".join(str(self.cleaned_data["name"]).split())


TOKEN_LIFETIME_CHOICES: Final = (
    ("1", _("One day")),
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("365", _("One year")),
)


class TokenForm(ProgramForm):
    """What the token is for, what it allows, and how long it is valid."""

    name = PlainTextField(
        most=80,
        label=_("What is it for?"),
        help_text=_("Such as the program or the computer that will use it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Say what the token is for.")},
    )
    days = forms.TypedChoiceField(
        label=_("For how long?"),
        choices=TOKEN_LIFETIME_CHOICES,
        coerce=int,
        initial="90",
        error_messages={"required": _("Choose for how long.")},
    )

    scopes = forms.MultipleChoiceField(
        label=_("What may it do?"),
        choices=TokenScope,
        initial=[TokenScope.READ, TokenScope.WRITE],
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "A token that may register or give your consent needs a second factor and is valid "
            "for 90 days at most."
        ),
        error_messages={"required": _("Choose what programs may do with it.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "key",
            Field("name", css_class="narrow--34"),
            Field("days", css_class="narrow--16"),
            "scopes",
            StrictButton(_("Make the token"), type="submit", css_class="btn-primary"),
        )

    @property
    def lifetime(self) -> datetime.timedelta:
        """How long the token of the valid form is valid."""
        return datetime.timedelta(self.cleaned_data["days"])


SINGLE_SUBJECT_TOPICS: Final = frozenset({WebhookTopic.REQUEST, WebhookTopic.NAMESPACE})


class WebhookForm(ProgramForm):
    """A program's address, and which events it gets."""

    name = PlainTextField(
        most=80,
        label=_("What is it for?"),
        help_text=_("Such as the program that listens."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Say what the webhook is for.")},
    )
    url = forms.CharField(
        max_length=500,
        label=_("Address"),
        help_text=_("Where we post to, such as https://program.example/urn-registry."),
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Enter the address at which the program listens.")},
    )
    topic = forms.ChoiceField(
        label=_("About"),
        help_text=_("It gets what the feed of the same page has."),
        choices=WebhookTopic.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what to send it.")},
    )
    subject = forms.CharField(
        required=False,
        max_length=200,
        label=_("Which one"),
        help_text=_("A NID such as isbn, or the reference of a request; for one of them alone."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "key",
            Field("name", css_class="narrow--34"),
            Field("url", css_class="narrow--34"),
            "topic",
            Field("subject", css_class="narrow--16"),
            StrictButton(_("Add the webhook"), type="submit", css_class="btn-primary"),
        )

    def clean_url(self) -> str:
        """Return the address, which must be one that we can post to."""
        url = str(self.cleaned_data["url"])
        try:
            refuse_unreachable_target(parse_fetch_target(url))
        except FetchError as error:
            raise ValidationError(str(error), code="address") from None
        return url

    def clean(self) -> dict[str, Any]:
        """Return the input; a topic about one subject names it, and any other has no subject."""
        said = super().clean() or {}
        topic = said.get("topic")
        if topic in SINGLE_SUBJECT_TOPICS:
            said["subject"] = self.one(topic, said.get("subject", "").strip())
        else:
            said["subject"] = ""
        return said

    def one(self, topic: str, typed: str) -> str:
        """Return the subject that `typed` names, as it is stored."""
        if topic == WebhookTopic.REQUEST:
            found = RegistrationRequest.objects.public().filter(reference=typed.upper()).first()
            if found:
                return found.reference
            self.add_error("subject", _("There is no public request with this reference."))
            return ""
        nid = typed.lower().removeprefix("urn:").rstrip(":")
        if not Namespace.objects.filter(nid=nid).exists():
            self.add_error("subject", _("No namespace with this identifier is registered."))
        return nid

    @property
    def asked(self) -> dict[str, Any]:
        """The input of the valid form."""
        names = ("name", "url", "topic", "subject")
        said = {name: self.cleaned_data[name] for name in names}
        return said | {"form_key": self.cleaned_data["key"]}


# The label, and the message if the field is left empty.
FIELD_TEXTS: Final = {
    "login": (_("Email address"), _("Enter your email address")),
    "email": (_("Email address"), _("Enter your email address")),
    "password": (_("Password"), _("Enter your password")),
    "oldpassword": (_("Your current password"), _("Enter your current password")),
    "password1": (_("New password"), _("Choose a password")),
    "password2": (_("New password again"), _("Enter the new password again")),
    "code": (_("Code"), _("Type the code from the letter")),
}
_INVALID_ADDRESS: Final = _("Enter an email address with an @, like office@northlight.example")


class FieldTextsMixin:
    """Mixed in before a form of allauth: replaces labels and messages, and nothing else."""

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
    name = NameField(
        most=120,
        check=validate_name_of_newcomer,
        label=_("Your name"),
        help_text=_("Shown beside what you write. Public once you send a request."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Enter your public name")},
    )
    field_order = ["name", "email", "password1"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("Password")
        self.hashed_password = ""

    def clean(self) -> dict[str, Any]:
        """Return the input, and hash the password whether or not the address has an account.

        Hashing takes nearly all the time of a sign-up, so timing would otherwise reveal who has
        one.
        """
        said: dict[str, Any] = super().clean()
        if not self.errors:
            self.hashed_password = make_password(said["password1"])
        return said


class SignUpElsewhereForm(FieldTextsMixin, SocialSignUpForm):
    """Name and mail address for an account opened through one elsewhere, which pre-fills them."""

    name = NameField(
        most=120,
        check=validate_name_of_newcomer,
        label=_("Your name"),
        help_text=_("Shown beside what you write. Public once you send a request."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Enter your public name")},
    )
    field_order = ["name", "email"]


class RequestCodeForm(FieldTextsMixin, allauth.RequestLoginCodeForm):
    """Where to send a code to sign in with."""


class AddAddressForm(FieldTextsMixin, allauth.AddEmailForm):
    """Another email address of one's account."""


class ChangePasswordForm(FieldTextsMixin, allauth.ChangePasswordForm):
    """The current password, and the new one."""


class SetPasswordForm(FieldTextsMixin, allauth.SetPasswordForm):
    """A first password, for an account without one."""


class ResetPasswordForm(FieldTextsMixin, allauth.ResetPasswordForm):
    """Where to send the link for a new password."""


class ResetPasswordKeyForm(FieldTextsMixin, allauth.ResetPasswordKeyForm):
    """A new password, with the link that was sent."""


class ReauthenticateForm(FieldTextsMixin, allauth.ReauthenticateForm):
    """The password once more."""


class LetterCodeForm(forms.Form):
    """A code from a letter, for people without a second factor to confirm who they are."""

    code = PlainTextField(
        most=40,
        label=_("Code"),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
        error_messages={"required": _("Type the code from the letter")},
    )


class DeleteAccountForm(forms.Form):
    """The mail address once more, so that nobody deletes an account by mistake."""

    address = PlainTextField(
        most=254,
        label=_("The mail address of your account"),
        help_text=_("Once more, since this cannot be undone."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Type the mail address of your account.")},
    )

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean_address(self) -> str:
        """Return the address, which must be that of the account."""
        typed = str(self.cleaned_data["address"]).strip()
        if typed.lower() != self.email.lower():
            raise ValidationError(_("This is not the mail address of your account."), code="other")
        return typed


_FACTOR_CODE_MISSING: Final = _("Type the code that your app shows, or a recovery code")


class FactorCodeMixin:
    """Mixed in before a form of allauth that takes an authenticator app's code."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        code = self.fields["code"]
        code.label, code.error_messages["required"] = _("Code"), _FACTOR_CODE_MISSING
        code.widget.attrs.pop("placeholder", None)


class ActivateCodesForm(FactorCodeMixin, ActivateTOTPForm):
    """The first code of an app that was just set up."""


class AddPasskeyForm(AddWebAuthnForm):
    """The name of a passkey, which can also open the account without a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("What to call it")
        passwordless = self.fields["passwordless"]
        passwordless.label = _("Sign in with it alone")
        passwordless.help_text = _(
            "You then need no password; the device asks for a PIN, a fingerprint or your face."
        )
