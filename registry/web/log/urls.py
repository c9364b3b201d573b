"""The transparency log: files at the addresses of C2SP tlog-tiles, and pages."""

from django.urls import path, re_path

from registry.web.log import views

app_name = "log"
urlpatterns = [
    path("", views.show_log, name="index"),
    path("checkpoint", views.serve_checkpoint, name="checkpoint"),
    path("key", views.serve_key, name="key"),
    re_path(r"^(?P<path>tile/.+)$", views.serve_tile, name="tile"),
    path("consistency/", views.show_consistency, name="consistency"),
    path("entries/<int:number>/", views.show_entry, name="entry"),
    path("entries/<int:number>.tlog-proof", views.serve_proof, name="proof"),
]
