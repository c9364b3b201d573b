"""NIDs seen in use without registration."""

from django.urls import path

from registry.web.sightings import views

app_name = "sightings"
urlpatterns = [
    path("", views.list_sightings, name="index"),
    path("new/", views.show_new_sighting, name="new"),
    path("<int:pk>/edit/", views.edit_sighting, name="edit"),
    path("<int:pk>/notify/", views.post_sighting_notice, name="notify"),
    path("<int:pk>/withdraw/", views.show_sighting_withdrawal, name="withdraw"),
]
