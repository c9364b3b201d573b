"""The registrar's working screens."""

from django.urls import path

from registry.web.publish import entries, iana, readings, views

app_name = "publish"
urlpatterns = [
    path("", views.list_ready_requests, name="index"),
    path("reports/", views.list_reports, name="reports"),
    path("reports/<int:pk>/", views.show_report, name="report"),
    path("entries/", entries.list_entry_faults, name="entries"),
    path("entries/<str:nid>/check/", entries.post_link_check, name="check_links"),
    path("readings/", readings.list_readings, name="readings"),
    path("readings/<str:nid>/<int:number>/", readings.show_reading, name="reading"),
    path(
        "readings/<str:nid>/<int:number>/contact/",
        readings.post_contact_confirmation,
        name="confirm_contact",
    ),
    path(
        "readings/<str:nid>/<int:number>/contact/<int:pk>/",
        readings.post_contact_withdrawal,
        name="withdraw_contact",
    ),
    path("iana/", iana.show_iana_differences, name="iana"),
    path("<slug:reference>/", views.show_publication, name="detail"),
]
