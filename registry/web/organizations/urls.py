"""Organizations, and who acts for them."""

from django.urls import path

from registry.web.organizations import evidence, speakers, views

app_name = "organizations"
urlpatterns = [
    path("", views.list_organizations, name="index"),
    path("<int:pk>/", views.show_organization, name="detail"),
    path("<int:pk>/delegates/", speakers.show_speakers, name="delegates"),
    path("speakers/<int:number>/", speakers.show_speaker, name="speaker"),
    path("speakers/<int:number>/letter/<str:word>/", speakers.show_speaker_letter, name="letter"),
    path("<int:pk>/evidence/", evidence.edit_evidence, name="evidence"),
    path("<int:pk>/prove/", views.start_proof, name="prove"),
    path("<int:pk>/prove/<int:number>/", views.show_proof, name="proof"),
    path(
        "<int:pk>/prove/<int:number>/<str:secret>/", views.show_proof_confirmation, name="confirm"
    ),
]
