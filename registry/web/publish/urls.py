"""The registrar's working screens."""

from django.urls import path

from registry.web.publish import views

app_name = "publish"
urlpatterns = [
    path("", views.list_ready_requests, name="index"),
    path("<slug:reference>/", views.show_publication, name="detail"),
]
