"""One administrator who takes everything on a Friday, and somebody who stops it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from pytest_django import Settings

from registry.enums import Role
from registry.models import OfficerChange, User
from tests.courses.story import Story
from tests.courses.window import Window

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def test_only_administrator_who_takes_all_roles_is_stopped(
    story: Story, settings: Settings, administrator: User, expert: User, standards_body: User
) -> None:
    settings.REGISTRY_OFFICER_CHANGE_MINUTES = 1_440
    story.on("2026-01-09")
    every = [str(each.pk) for each in Group.objects.filter(name__in=Role)]

    window = Window(administrator).go(f"/admin/registry/user/{administrator.pk}/change/")
    window.press("Save", groups=every)
    window.go(f"/admin/registry/user/{expert.pk}/change/").press(
        "Save", email="mine@elsewhere.example"
    )

    listed = Window().go("/officers/").text
    assert "Ada Administrator gets the role “registrar”" in listed
    assert "Ede Expert gets another mail address" in listed
    assert "mine@elsewhere.example" not in listed

    for change in OfficerChange.objects.pending():
        Window(expert).go(f"/officers/{change.pk}/stop/").press(
            "Stop it", reason="Nobody was asked."
        )
    story.pass_days(4)
    for change in OfficerChange.objects.pending():
        Window(standards_body).go("/officers/").go(f"/officers/{change.pk}/decide/").press(
            "Decide", decision="drop", reason="Each office has its people."
        )

    administrator = User.objects.get(pk=administrator.pk)
    assert administrator.granted_roles == {Role.ADMINISTRATOR}
    assert User.objects.get(pk=expert.pk).email == "expert@people.example"
    assert "Dropped on" in Window().go("/officers/").text
