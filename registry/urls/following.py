"""What a person follows, and how they end it."""

from django.urls import path

from registry.views import following

app_name = "following"
urlpatterns = [
    path("", following.index, name="index"),
    path("new/", following.new, name="new"),
    path("<int:pk>/stop/", following.stop, name="stop"),
    path("leave/<str:key>/", following.leave, name="leave"),
    path("leave-all/<str:word>/", following.leave_all, name="leave_all"),
]
