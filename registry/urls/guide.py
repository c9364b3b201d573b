"""Long reading."""

from django.urls import path

from registry.views import guide

app_name = "guide"
urlpatterns = [
    path("guide/", guide.index, name="index"),
    path("guide/components/", guide.components, name="components"),
    path("guide/<slug:section>/", guide.section, name="section"),
    path("about/", guide.about, name="about"),
    path("accessibility/", guide.accessibility, name="accessibility"),
    path("privacy/", guide.privacy, name="privacy"),
]
