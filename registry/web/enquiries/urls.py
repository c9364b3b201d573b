"""Enquiries to the experts and the registrar."""

from django.urls import path

from registry.web.enquiries import views

app_name = "enquiries"
urlpatterns = [
    path("", views.list_enquiries, name="index"),
    path("new/", views.show_new_enquiry, name="new"),
    path("<int:pk>/", views.show_enquiry, name="detail"),
]
