"""The standards body's working screens."""

from django.urls import path

from registry.views import direction, recognition

app_name = "direction"
urlpatterns = [
    path("", direction.index, name="index"),
    path("recognitions/<int:number>/", recognition.detail, name="recognition"),
    path("<slug:reference>/", direction.detail, name="detail"),
]
