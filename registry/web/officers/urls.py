"""Changes of who may decide."""

from django.urls import path

from registry.web.officers import views

app_name = "officers"
urlpatterns = [
    path("", views.list_officer_changes, name="index"),
    path("<int:pk>/stop/", views.show_stop, name="stop"),
    path("<int:pk>/decide/", views.show_decision, name="decide"),
    path("stop/<str:key>/", views.show_stop_by_letter, name="stop_by_letter"),
]
