"""The experts' working screens."""

from django.urls import path

from registry.views import review

app_name = "review"
urlpatterns = [
    path("", review.index, name="index"),
    path("<slug:reference>/", review.detail, name="detail"),
    path("<slug:reference>/take/", review.take, name="take"),
    path("<slug:reference>/recuse/", review.recuse, name="recuse"),
]
