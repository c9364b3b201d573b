"""Publishing several requests of one document together."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry.actions import joint_publication
from registry.forms.joint_publication import JointPublicationForm
from registry.web.form_page import FormPage, take_form
from registry.web.publish.views import require_registrar
from registry.web.step_view import get_signed_in_user


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_joint_publication(request: HttpRequest) -> HttpResponse:
    """Choose what one document registers, and publish all of it or nothing."""
    person = get_signed_in_user(request)
    require_registrar(person)
    form = JointPublicationForm(request.POST or None, person=person)
    page = FormPage(
        _("Publish several of one document"),
        [
            _(
                "For a document that registers several identifiers. All are published in the "
                "same moment, or none is. Only requests that can be published now are listed."
            ),
            _("An identifier is never withdrawn or given to anyone else."),
        ],
        _("Register and publish all"),
        reverse("publish:index"),
        [(_("Ready to register"), reverse("publish:index"))],
    )

    def act() -> str:
        joint_publication.publish_together(
            form.selected,
            actor=person,
            references=form.cleaned_data["references"],
            iana_reference=form.cleaned_data["iana_reference"],
        )
        return reverse("publish:index")

    return take_form(request, page, form, act, _("All of them are registered."))
