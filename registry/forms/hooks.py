"""What a person says of a program that is to be told of acts."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from registry.choices import Topic
from registry.fetching import FetchError
from registry.fetching.target import read_target
from registry.forms.programs import ProgramForm
from registry.forms.text import PlainText
from registry.models import Namespace, RegistrationRequest

OF_ONE: Final = frozenset({Topic.REQUEST, Topic.NAMESPACE})


class HookForm(ProgramForm):
    """Where the program listens, and what it is told of."""

    name = PlainText(
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
        help_text=_("It is told of what the feed of the same page tells."),
        choices=Topic.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what it is told of.")},
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
            read_target(url)
        except FetchError as error:
            raise ValidationError(str(error), code="address") from None
        return url

    def clean(self) -> dict[str, Any]:
        """Return what was said; a topic of one thing names it, and any other names none."""
        said = super().clean() or {}
        topic = said.get("topic")
        if topic in OF_ONE:
            said["subject"] = self.one(topic, said.get("subject", "").strip())
        else:
            said["subject"] = ""
        return said

    def one(self, topic: str, typed: str) -> str:
        """Return what `typed` names, as it is kept."""
        if topic == Topic.REQUEST:
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
        """What the valid form asks for."""
        names = ("name", "url", "topic", "subject")
        said = {name: self.cleaned_data[name] for name in names}
        return said | {"form_key": self.cleaned_data["key"]}
