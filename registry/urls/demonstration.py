"""What only the demonstration shows."""

from django.urls import path

from registry.views import demonstration

app_name = "demonstration"
urlpatterns = [
    path("mail/", demonstration.mail, name="mail"),
    path("mail/<str:name>/", demonstration.letter, name="letter"),
]
