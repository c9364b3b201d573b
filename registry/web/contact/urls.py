"""The contact page, and `security.txt`."""

from django.urls import path

from registry.web.contact import views

app_name = "contact"
urlpatterns = [
    path("contact/", views.show_contact, name="index"),
    path("contact/sent/", views.show_sent, name="sent"),
    path(".well-known/security.txt", views.serve_security_txt, name="security"),
]
