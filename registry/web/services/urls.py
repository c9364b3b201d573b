"""Where names of a namespace resolve, and the two vocabularies of draft -03, section 9.2."""

from django.urls import path, re_path

from registry.web.services import views

app_name = "services"
urlpatterns = [
    path("", views.list_namespace_services, name="index"),
    path("add/", views.show_new_service, name="add"),
    path("supported-by/", views.show_keyword_support_enquiry, name="support"),
    path("<int:pk>/change/", views.edit_service, name="change"),
    path("<int:pk>/withdraw/", views.show_service_withdrawal, name="withdraw"),
    path("<int:pk>/check/", views.post_service_probe, name="check"),
]


vocabulary_app_name = "vocabularies"
vocabulary_urlpatterns = [
    path("", views.list_vocabularies, name="index"),
    re_path(r"^(?P<name>[a-z-]+)\.(?P<form>csv|json|txt)$", views.serve_vocabulary, name="file"),
    path("<slug:name>/", views.show_vocabulary, name="detail"),
    path("<slug:name>/enter/", views.show_new_entry, name="enter"),
    path("<slug:name>/<str:key>/change/", views.edit_vocabulary_entry, name="change"),
]
