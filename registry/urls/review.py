"""The experts' working screens."""

from django.urls import path

from registry.views import assigning, queue, review

app_name = "review"
urlpatterns = [
    path("", queue.index, name="index"),
    path("<slug:reference>/", review.detail, name="detail"),
    path("<slug:reference>/take/", assigning.take, name="take"),
    path("<slug:reference>/declare/", assigning.declare, name="declare"),
    path("<slug:reference>/recuse/", assigning.recuse, name="recuse"),
]
