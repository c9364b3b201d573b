"""What people write in the discussion of a request, and what moderators say."""

from __future__ import annotations

import uuid
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms.text import PlainText
from registry.models import RegistrationRequest, User
from registry.rules import Person
from registry.template import FIELDS

LONGEST = 10_000
REASON_LENGTH = 300
SECTIONS = [("", _("The request as a whole")), *((each.name, each.label) for each in FIELDS)]
KEPT = ("text", "section", "answers")
"""What is kept over a sign-in; the key is made anew."""


class MessageForm(forms.Form):
    """One text, and the key by which a second click is known."""

    text = PlainText(
        most=LONGEST,
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
        choices=SECTIONS,
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


class HideForm(forms.Form):
    """Why readers do not see a message any more."""

    reason = PlainText(
        most=REASON_LENGTH,
        label=_("Reason, public"),
        help_text=_("Readers see it, with your name, where the message was."),
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Give your reason; readers see it.")},
    )


class ShowForm(forms.Form):
    """Why readers see it again."""

    reason = PlainText(
        most=REASON_LENGTH,
        required=False,
        label=_("Reason, public"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
