"""The home page, search and theme; the guide; files for robots; and the demonstration's letters."""

from django.urls import path

from registry.web.home import guide, views

app_name = "home"
urlpatterns = [
    path("", views.show_home, name="index"),
    path("find/", views.redirect_search, name="find"),
    path("find/reading/", views.show_search_reading, name="reading"),
    path("find/suggestions/", views.list_suggestions, name="suggestions"),
    path("opensearch.xml", views.serve_opensearch, name="opensearch"),
    path("site.webmanifest", views.serve_manifest, name="manifest"),
    path("theme/", views.set_theme, name="theme"),
]


guide_app_name = "guide"
guide_urlpatterns = [
    path("guide/", guide.list_chapters, name="index"),
    path("guide/components/", guide.show_components, name="components"),
    path("guide/<slug:section>/", guide.show_chapter, name="section"),
    path("about/", guide.show_about, name="about"),
    path("about/trust/", guide.show_trust, name="trust"),
    path("about/experts/", guide.show_experts, name="experts"),
    path("about/scheme/", guide.show_scheme, name="scheme"),
    path("about/list/", guide.show_discussion_list, name="discussion_list"),
    path("accessibility/", guide.show_accessibility, name="accessibility"),
    path("privacy/", guide.show_privacy, name="privacy"),
]


robots_app_name = "robots"
robots_urlpatterns = [
    path("robots.txt", views.serve_robots_txt, name="robots"),
    path("sitemap.xml", views.serve_sitemap, name="sitemap"),
    path("sitemap-<int:number>.xml", views.serve_sitemap, name="sitemap_page"),
    path("favicon.ico", views.redirect_favicon, name="favicon"),
]


demonstration_app_name = "demonstration"
demonstration_urlpatterns = [
    path("mail/", views.list_demonstration_letters, name="mail"),
    path("mail/<str:name>/", views.show_demonstration_letter, name="letter"),
]
