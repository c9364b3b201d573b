"""What people write in the discussion of a request, and what moderators say."""

from __future__ import annotations

import uuid
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms.fields import PlainTextField
from registry.models import RegistrationRequest, User
from registry.permissions import Person
from registry.template import FIELDS

MAX_MESSAGE_LENGTH = 10_000
MAX_MODERATION_REASON_LENGTH = 300
MESSAGE_SECTION_CHOICES = [
    ("", _("The request as a whole")),
    *((each.name, each.label) for each in FIELDS),
]
STASHED_COMMENT_FIELDS = ("text", "section", "answers")
"""What is kept over a sign-in; the key is made anew."""


class MessageForm(forms.Form):
    """One text, and the key by which a second click is known."""

    text = PlainTextField(
        most=MAX_MESSAGE_LENGTH,
        label=_("Your note"),
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Write something first.")},
    )
    key = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid.uuid4)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True

    def clean_key(self) -> uuid.UUID:
        """Return the key, a new one where the page was drawn for everybody and has none."""
        return self.cleaned_data["key"] or uuid.uuid4()


class NoteForm(MessageForm):
    """A note among experts."""


class CommentForm(MessageForm):
    """A public message: on a section or the whole, maybe in answer to another."""

    section = forms.ChoiceField(
        label=_("About"),
        required=False,
        choices=MESSAGE_SECTION_CHOICES,
        widget=forms.Select(attrs={"class": "form-select-sm"}),
    )
    optional_unmarked = True

    def __init__(
        self, *args: Any, registration_request: RegistrationRequest, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        text = self.fields["text"]
        text.label = _("Your comment")
        text.help_text = _(
            "Public and permanent, under the name on your account. What you write is kept while "
            "you sign in. Plain text: addresses become links, blank lines begin a paragraph."
        )
        self.fields["answers"] = forms.ModelChoiceField(
            registration_request.messages.public().select_related("answers"),
            to_field_name="number",
            required=False,
            widget=forms.HiddenInput,
            error_messages={"invalid_choice": _("The message you answer is not there.")},
        )
        self.helper.layout = Layout(
            "key", "answers", "text", Field("section", wrapper_class="narrow--34")
        )

    def drawn_for(self, reader: Person) -> CommentForm:
        """Return the form for a page that `reader` is given, which for nobody is everybody's."""
        if not isinstance(reader, User):
            self.fields["key"].initial = None
        return self


class HideMessageForm(forms.Form):
    """Why readers do not see a message any more."""

    reason = PlainTextField(
        most=MAX_MODERATION_REASON_LENGTH,
        label=_("Reason, public"),
        help_text=_("Readers see it, with your name, where the message was."),
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Give your reason; readers see it.")},
    )


class ShowMessageForm(forms.Form):
    """Why readers see it again."""

    reason = PlainTextField(
        most=MAX_MODERATION_REASON_LENGTH,
        required=False,
        label=_("Reason, public"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
