"""The standards body's working screens."""

from django.urls import path

from registry.web.direction import views

app_name = "direction"
urlpatterns = [
    path("", views.list_standards_body_work, name="index"),
    path("recognitions/<int:number>/", views.show_recognition, name="recognition"),
    path("<slug:reference>/", views.show_ruling, name="detail"),
]
