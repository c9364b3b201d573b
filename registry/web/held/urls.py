"""NIDs that are held back."""

from django.urls import path

from registry.web.held import views

app_name = "held"
urlpatterns = [
    path("", views.list_held_nids, name="index"),
    path("new/", views.show_new_hold, name="new"),
    path("<int:pk>/renew/", views.show_hold_renewal, name="renew"),
    path("<int:pk>/end/", views.show_hold_end, name="end"),
    path("<int:pk>/appeal/", views.show_hold_appeal, name="appeal"),
    path("<int:pk>/answer/", views.show_hold_appeal_answer, name="answer"),
]
