"""What programs look for at the top of a site."""

from django.urls import path

from registry.views import robots

app_name = "robots"
urlpatterns = [
    path("robots.txt", robots.robots, name="robots"),
    path("sitemap.xml", robots.sitemap, name="sitemap"),
]
