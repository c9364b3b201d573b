"""Home, the search box and the theme; the guide; what robots ask for; and the demonstration."""

from django.contrib.sitemaps.views import sitemap
from django.urls import path
from django.views.decorators.http import require_safe

from registry.web.home import guide, views
from registry.web.home.views import PublicPageSitemap

app_name = "home"
urlpatterns = [
    path("", views.show_home, name="index"),
    path("find/", views.redirect_search, name="find"),
    path("find/reading/", views.show_search_reading, name="reading"),
    path("theme/", views.set_theme, name="theme"),
]


guide_app_name = "guide"
guide_urlpatterns = [
    path("guide/", guide.list_chapters, name="index"),
    path("guide/components/", guide.show_components, name="components"),
    path("guide/<slug:section>/", guide.show_chapter, name="section"),
    path("about/", guide.show_about, name="about"),
    path("accessibility/", guide.show_accessibility, name="accessibility"),
    path("privacy/", guide.show_privacy, name="privacy"),
]


robots_app_name = "robots"
robots_urlpatterns = [
    path("robots.txt", views.serve_robots_txt, name="robots"),
    path(
        "sitemap.xml",
        require_safe(sitemap),
        {
            "sitemaps": {"pages": PublicPageSitemap},
            "content_type": "application/xml; charset=utf-8",
        },
        name="sitemap",
    ),
]


demonstration_app_name = "demonstration"
demonstration_urlpatterns = [
    path("mail/", views.list_demonstration_letters, name="mail"),
    path("mail/<str:name>/", views.show_demonstration_letter, name="letter"),
]
