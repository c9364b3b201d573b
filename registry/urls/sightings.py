"""NIDs seen in use without registration."""

from django.urls import path

from registry.views import sightings

app_name = "sightings"
urlpatterns = [
    path("", sightings.index, name="index"),
    path("new/", sightings.new, name="new"),
    path("<int:pk>/edit/", sightings.edit, name="edit"),
    path("<int:pk>/notify/", sightings.notify, name="notify"),
    path("<int:pk>/withdraw/", sightings.withdraw, name="withdraw"),
]
